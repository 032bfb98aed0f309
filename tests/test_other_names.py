"""Words from other programs lead to the right ones here, and are never taken in silence."""

from typing import get_args

import pytest

import tellapart
from tellapart import Scores
from tellapart.answers.gate_rules import ComparisonFailure, Requirement
from tellapart.boards import CORRECTIONS
from tellapart.cli import main
from tellapart.cli.commands import COMMANDS
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.spelling import Registry, options
from tellapart.foundation.spelling.other_names import _NAMED_HERE, _NAMES, _OPTION_HERE, _OPTIONS
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS
from tellapart.populations import POPULATIONS
from tellapart.verbs.compare import CompareQuestion
from tellapart.verbs.rank import RankQuestion

SCORES = Scores.from_arrays({"a": [0.1, 0.4, 0.3], "b": [0.2, 0.3, 0.5]})
REGISTRIES: list[Registry] = [TESTS, INTERVALS, METRICS, CORRECTIONS, POPULATIONS]  # type: ignore[type-arg]  # of any kind


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_every_other_name_leads_to_one_that_is_known(registry: Registry) -> None:  # type: ignore[type-arg]  # of any kind
    """The name that is offered can be spelled, unless it needs an option, and the one that was typed is refused."""
    assert all(right.partition("(")[0] in registry for right in _NAMES[registry.kind])
    for word, right in _NAMED_HERE[registry.kind].items():
        with pytest.raises(SpellingError, match="did you mean") as caught:
            registry.parse(word)
        assert f"did you mean {right!r}?" in str(caught.value)


@pytest.mark.parametrize("typed", ["t-test", "T test", "ttest", "t_test"])
def test_however_it_is_written(typed: str) -> None:
    """Capitals, blanks and hyphens make no other word of it."""
    with pytest.raises(SpellingError, match="did you mean 'paired_t'"):
        TESTS.parse(typed)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("compare x.csv --confidence 0.95", "did you mean --alpha 0.05 for a confidence of 0.95?"),
        ("rank x.csv --level 0.05", "did you mean --alpha 0.05?"),
        ("compare x.csv --tests sign", "did you mean --test?"),
        ("plan gaussian --n 100", "did you mean --items?"),
        ("plan gaussian --sigma 0.1", "did you mean --sd?"),
        ("compare x.csv --one-sided", 'did you mean --test "paired_t(alternative=greater)"?'),
        ("compare x.csv --json", "did you mean --format json?"),
        ("compare x.csv --html", "did you mean --output answer.html?"),
        ("compare x.csv --wilcoxon", "did you mean --test wilcoxon?"),
        ("compare x.csv --ttest", "did you mean --test paired_t?"),
        ("compare x.csv --filter x=1", "did you mean --where?"),
        ("compare x.csv --random-state 3", "did you mean --seed?"),
        ("rank x.csv --models a,b", "did you mean --systems?"),
        ("rank x.csv --fdr", "did you mean --correction bh?"),
        ("rank x.csv --bonferroni", "did you mean --correction bonferroni?"),
        ("rank x.csv --by week", "No such option '--by'; `tellapart compare` has --by"),
        ("rank x.csv --labels a,b", "`tellapart compare` has --labels"),
        ("rank x.csv --group week", "did you mean --cluster?"),
        ("compare x.csv --group week", "did you mean --by or --cluster?"),
        ("compare x.csv --groups week", "did you mean --by or --cluster?"),
        ("compare x.csv --group-by week", "did you mean --by?"),
        ("compare x.csv --paired", "items that both systems have are paired anyway: leave it out"),
        ("compare x.csv --unpaired", "did you mean --test welch_t?"),
        ("audit --p 0.04", "did you mean --reported-p?"),
        ("plan --pilot x.csv --effect 0.1", "the population comes first: tellapart plan pilot FILE …"),
        ("plan --effect 0.1 --gaussian", "the population comes first: tellapart plan gaussian …"),
        ("compare x.csv --require not_worse", "'not-worse-in-slices'; did you mean 'not-worse'?"),
        ("compare x.csv --require non-inferior", "did you mean 'not-worse'?"),
        ("compare x.csv --require worse", "did you mean 'not-worse'?"),
        ("compare x.csv --fail-on notbetter", "did you mean 'not-better'?"),
        ("rank x.csv --fail-on regression", "did you mean 'worse'?"),
        ("gate --fail-on inconclusive", "did you mean 'undetermined'?"),
        ("compare x.csv --missing dorp", "did you mean 'drop'?"),
        ("plan --accuracy 0.7 --gain 0.02", "did you mean --effect?"),
        ("power --accuracy 0.7", "no command is called 'power'; did you mean 'plan'?"),
        ("sample-size", "did you mean 'plan'?"),
        ("leaderboard x.csv", "did you mean 'rank'?"),
        ("comapre x.csv", "did you mean 'compare'"),
    ],
)
def test_flags_of_other_programs(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A flag that has another name here is refused with that name, as the command line spells it."""
    with pytest.raises(SystemExit) as stopped:
        main(typed.split())
    assert stopped.value.code == 2
    assert meant in capsys.readouterr().err


def test_arguments_of_other_programs() -> None:
    """In Python the same words lead to arguments, where the verb has them."""
    with pytest.raises(TypeError, match=r"did you mean alpha=0\.05 for a confidence of 0\.95\?"):
        tellapart.compare(SCORES, confidence=0.95)  # type: ignore[call-arg]  # the mistake
    with pytest.raises(TypeError, match="takes no 'adjust'; did you mean correction=…"):
        tellapart.rank(SCORES, adjust="holm")  # type: ignore[call-arg]  # the mistake


def test_other_options_are_no_options() -> None:
    """Words of other programs are no options here, but for two that only `rank` has; each is listed once, and what is offered exists."""
    taken = {one.name for question in (CompareQuestion, RankQuestion) for one in options(question)}
    assert taken.isdisjoint(
        word for word, (name, _) in _OPTION_HERE.items() if name in taken and word not in {"baseline", "resamples"}
    )
    for name, value in _OPTIONS:
        assert name != "test" or value is None or str(TESTS.parse(value)).startswith(value[:8])
    assert sum(len(words.split(", ")) for words in _OPTIONS.values()) == len(_OPTION_HERE)


def test_rules_of_gates_elsewhere() -> None:
    """At both doors a rule by another name is refused with the one it has here."""
    answer = tellapart.compare(SCORES, margin=0.1)
    for name, known in (("require", get_args(Requirement)), ("fail_on", get_args(ComparisonFailure))):
        assert set(_NAMES[name]) <= set(known)
        for word, right in _NAMED_HERE[name].items():
            with pytest.raises(UsageError, match=f"did you mean '{right}'"):
                answer.require(*[word] * (name == "require"), fail_on=(word,) * (name == "fail_on"))  # type: ignore[arg-type]  # the mistake


def test_names_of_commands_elsewhere() -> None:
    """Each leads to a command there is, and is none."""
    assert set(_NAMES["command"]) <= {*COMMANDS, "--help"}
    assert set(_NAMED_HERE["command"]).isdisjoint(COMMANDS)
