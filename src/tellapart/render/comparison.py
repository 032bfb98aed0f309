"""The sheet of a comparison."""

from tellapart.render.sheet import Grid, Sheet
from tellapart.results.comparison import Comparison, IntervalResult
from tellapart.wording import decimals_for, number, percent, pvalue, signed, significant, thousands

_MOODS = {"b better": "good", "a better": "bad", "equivalent": "even", "undetermined": "open"}


def sheet(answer: Comparison) -> Sheet:
    return Sheet(
        headline=_headline(answer),
        mood=_MOODS[answer.verdict],
        grids=(_systems(answer), *_tests(answer)),
        facts=tuple((name, text) for name, text in _facts(answer) if text),
        remarks=(("Why this test", answer.reasons), ("Notes", answer.notes)),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _headline(answer: Comparison) -> str:
    a, b = answer.a.name, answer.b.name
    words = {
        "b better": f"{b} is better than {a}",
        "a better": f"{a} is better than {b}",
        "equivalent": f"{a} and {b} are equivalent within the margin",
        "undetermined": f"undetermined: these items do not tell {a} and {b} apart",
    }
    return words[answer.verdict]


def _places(answer: Comparison) -> int:
    return decimals_for((answer.interval.high - answer.interval.low) / 2.0)


def _systems(answer: Comparison) -> Grid:
    places = _places(answer)
    rows = [
        (
            f"{label} = {s.name}",
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
    name = answer.measure if answer.metric == "mean" else answer.metric
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
    clusters = "" if answer.clusters is None else f" in {thousands(answer.clusters)} clusters"
    correlation = "" if answer.correlation is None else f"r = {answer.correlation:.3f}"
    discordance = (
        ""
        if answer.discordance is None
        else f"systems differ on {percent(round(answer.discordance, 4))} of items"
    )
    sizes = ", ".join(f"{name} {significant(v, 3)}" for name, v in answer.effects.items() if v is not None)
    return [
        ("p-value", f"{pvalue(answer.pvalue)}  ({answer.test})"),
        ("items", thousands(answer.items) + clusters),
        ("correlation", correlation),
        ("discordance", discordance),
        ("detectable", _detectable(answer)),
        ("equivalence", _equivalence(answer)),
        ("to settle it", _needed(answer)),
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
    return f"{pvalue(answer.equivalence.pvalue)} within ±{significant(answer.equivalence.margin)} (two one-sided tests)"


def _needed(answer: Comparison) -> str:
    if answer.needed is None:
        open_ended = answer.verdict == "undetermined" and answer.equivalence is None
        return "give --margin or --effect to learn how many items it would take" if open_ended else ""
    needed = answer.needed
    return f"{thousands(needed.items)} items would {needed.question} ({percent(needed.power)} power)"
