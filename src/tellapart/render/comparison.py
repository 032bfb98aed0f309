"""The sheet of a comparison."""

from tellapart.render.sheet import Grid, Sheet
from tellapart.results.comparison import Comparison, IntervalResult
from tellapart.wording import (
    amount,
    decimals_between,
    number,
    one_line,
    percent,
    pvalue,
    signed,
    significant,
    thousands,
)

_MOODS = {"b better": "good", "a better": "bad", "equivalent": "even", "undetermined": "open"}


def sheet(answer: Comparison) -> Sheet:
    return Sheet(
        headline=answer.headline,
        mood=_mood(answer),
        grids=(_systems(answer), *_tests(answer)),
        facts=tuple((name, text) for name, text in _facts(answer) if text),
        remarks=(
            ("Why this test", tuple(reason.text for reason in answer.reasons)),
            ("Notes", tuple(note.text for note in answer.notes)),
        ),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _mood(answer: Comparison) -> str:
    """The colour of the verdict; non-inferiority that was shown has no verdict of its own."""
    shown = answer.tested.claim == "non-inferiority" and answer.tested.rejected
    return "even" if shown else _MOODS[answer.verdict]


def _systems(answer: Comparison) -> Grid:
    places = decimals_between(answer.interval.low, answer.interval.high)
    rows = [
        (
            f"{label} = {one_line(s.name)}",
            number(s.mean, places),
            _bounds(s.interval, places, plus=False),
            s.interval.method,
        )
        for label, s in (("A", answer.a), ("B", answer.b))
    ]
    effect = (
        "B − A",
        signed(answer.effect, places),
        _bounds(answer.interval, places, plus=True),
        answer.interval.method,
    )
    name = one_line(answer.measure) if answer.metric == "mean" else answer.metric
    return Grid(("", name, f"{percent(answer.interval.level)} CI", "method"), (*rows, effect))


def _bounds(interval: IntervalResult, places: int, *, plus: bool) -> str:
    show = signed if plus else number
    return f"[{show(interval.low, places)}, {show(interval.high, places)}]"


def _tests(answer: Comparison) -> tuple[Grid, ...]:
    if answer.tests is None:
        return ()
    rows = tuple((t.test, pvalue(t.pvalue), significant(t.statistic, 4)) for t in answer.tests)
    return (Grid(("test", "p-value", "statistic"), rows, "every test that suits these scores"),)


def _facts(answer: Comparison) -> list[tuple[str, str]]:
    clusters = "" if answer.clusters is None else f" in {amount(answer.clusters, 'cluster')}"
    correlation = "" if answer.correlation is None else f"r = {answer.correlation:.3f}"
    discordance = (
        "" if answer.discordance is None else f"systems differ on {percent(answer.discordance, 3)} of items"
    )
    sizes = ", ".join(f"{name} {significant(v, 3)}" for name, v in answer.effects.items() if v is not None)
    return [
        ("p-value", f"{pvalue(answer.pvalue, answer.alpha)}  ({answer.test})"),
        ("items", thousands(answer.items) + clusters),
        ("correlation", correlation),
        ("discordance", discordance),
        ("detectable", _detectable(answer)),
        ("equivalence", _equivalence(answer)),
        ("to settle it", answer.to_settle),
        ("effect sizes", sizes),
    ]


def _detectable(answer: Comparison) -> str:
    if answer.detectable is None:
        return ""
    return (
        f"an effect of {significant(answer.detectable.effect)} with {percent(answer.detectable.power)} power"
    )


def _equivalence(answer: Comparison) -> str:
    if answer.equivalence is None:
        return ""
    return f"{pvalue(answer.equivalence.pvalue)} within ±{answer.equivalence.margin:g} (two one-sided tests)"
