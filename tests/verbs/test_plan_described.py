"""What the scores are like, told option by option: which population is meant follows from what the populations declare."""

import pickle
from dataclasses import dataclass, field

import pytest

from tellapart import plan
from tellapart.answers.parts import codes
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.spelling import options
from tellapart.populations import POPULATIONS, Population
from tellapart.populations.evidence import Squad2Pairs
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.paired_binary import PairedBinary
from tellapart.verbs.plan.population_options import infer_population

GAUSSIAN = "gaussian(sd=0.12, correlation=0.8)"


def test_options_alone_beside_a_name_and_in_a_spelling_are_one_question() -> None:
    """All ways to say it answer alike; power is 0.8 where only the effect or only the items are given."""
    spelled = plan("gaussian(effect=0.01, sd=0.12, correlation=0.8)", power=0.8)
    assert plan(sd=0.12, correlation=0.8, effect=0.01) == spelled
    assert plan("gaussian", sd=0.12, correlation=0.8, effect=0.01) == spelled
    assert plan(GAUSSIAN, effect=0.01) == spelled
    assert plan(Gaussian(sd=0.12, correlation=0.8), effect=0.01) == spelled
    assert plan(population=GAUSSIAN, effect=0.01) == spelled
    assert plan(GAUSSIAN, items=500) == plan(GAUSSIAN, items=500, power=0.8)


def test_lists_make_a_grid_and_a_tuple_is_a_range_where_one_is_asked_for() -> None:
    """Values of every option are combined; clip=(0, 1) is one value."""
    found = plan(sd=[0.1, 0.2], correlation=0.5, effect=(0.02, 0.03), power=0.8)
    assert [(row.options["sd"], row.effect) for row in found.rows] == [
        (0.1, 0.02),
        (0.2, 0.02),
        (0.1, 0.03),
        (0.2, 0.03),
    ]
    clipped = plan("gaussian", sd=0.1, correlation=0.5, mean=0.5, clip=(0, 1), effect=0.05, items=60, replicates=50)
    assert clipped.rows[0].options["clip"] == (0.0, 1.0)


@pytest.mark.parametrize("name", [name for name in POPULATIONS if POPULATIONS[name].from_spelling])
def test_options_of_every_example_lead_back_to_it(name: str) -> None:
    """Where they describe one population only, it is the one; systems on different items are never guessed."""
    for example in POPULATIONS[name].examples:
        whole = Population.parse(example)
        given = {o.name for o in options(type(whole)) if getattr(whole, o.name) not in {None, o.default}}
        if "evidence" in given:
            continue
        try:
            found = infer_population(given)
        except UsageError as error:
            assert name in str(error)  # noqa: PT017  (one of several)
        else:
            assert found == (type(whole) if whole.paired else POPULATIONS["paired_binary"],)


def test_a_wrapper_takes_its_own_options_and_leaves_the_rest() -> None:
    """Clusters of right-or-wrong items, told in one breath."""
    row = plan(accuracy=0.7, discordance=0.2, size=4, icc=0.5, effect=0.05, items=400, replicates=50).rows[0]
    inner = "paired_binary(accuracy=0.7, discordance=0.2)"
    assert row.population == f"clustered(effect=0.05, population={inner}, size=4, icc=0.5)"
    named = plan("clustered", population=inner, size=4, icc=0.5, effect=0.05, items=400, replicates=50)
    assert named.rows[0] == row
    assert plan(population=inner, size=4, icc=0.5, effect=0.05, items=400, replicates=50) == named


def test_a_new_population_needs_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is registered is found by its options, and makes others ambiguous."""

    @dataclass(frozen=True, kw_only=True)
    class Steady(Gaussian):
        apart: float = field(metadata={"help": "standard deviation of an item's difference"})

    monkeypatch.setitem(POPULATIONS._known, "steady", Steady)
    Steady.name = "steady"
    assert infer_population({"effect", "sd", "correlation", "apart"}) == (Steady,)
    assert infer_population({"effect", "sd", "correlation"}) == (Gaussian,)


def test_systems_on_different_items_are_named_in_a_note() -> None:
    """Accuracy alone would describe them too."""
    assert codes(plan(accuracy=0.7, effect=0.02).notes)[0] == "same_items"
    assert "same_items" not in codes(plan("paired_binary", accuracy=0.7, effect=0.02).notes)
    assert "same_items" not in codes(plan(accuracy=0.7, discordance=0.1, effect=0.02).notes)
    apart = plan("proportions", accuracy=0.7, effect=0.05, items=1000).rows[0]
    assert apart.population == "proportions(effect=0.05, accuracy=0.7)"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "nothing says what the scores are like"),
        ({"effect": 0.1}, "accuracy=… for right-or-wrong scores"),
        ({"mean": 0.5, "sd": 0.1, "correlation": 0.8}, "beta (Beta scores) or gaussian (normal scores)"),
        ({"sd": 0.1}, "gaussian (normal scores) takes correlation=… from evidence, if it is named"),
        ({"accuracy": 0.7, "sd": 0.1}, "paired_binary (right-or-wrong scores) has no sd=…"),
        (
            {"correlation": 0.5, "effect": 0.1},
            "gaussian (normal scores) takes sd=… from evidence, if it is named",
        ),
        ({"accuracy": 0.7, "power": 0.8}, "given: power; items or effect alone will do"),
        ({"sd": [], "correlation": 0.5, "effect": 0.1}, "an empty list"),
        ({"sd": 0.1, "correlation": 0.5, "effect": [0.1, None], "items": 50}, "a grid solves for one thing"),
    ],
)
def test_what_describes_no_population_or_several_is_refused(given: dict[str, object], said: str) -> None:
    """With the nearest ones named, and what each would need."""
    with pytest.raises(UsageError) as caught:
        plan(**given)
    assert said in str(caught.value)


def test_options_that_a_population_has_not() -> None:
    """Named with those that have them."""
    with pytest.raises(
        SpellingError, match=r"gaussian has no accuracy=….*paired_binary and proportions and runs have it"
    ):
        plan("gaussian", accuracy=0.7)
    with pytest.raises(TypeError, match="did you mean 'accuracy'"):
        plan(acuracy=0.7)
    with pytest.raises(UsageError, match="beta needs correlation=… and mean=…: correlation is of the normals"):
        plan("beta", sd=0.1)


def test_the_verb_is_found_where_it_says_it_is() -> None:
    """It is made only for users of Python, and can be sent to another process all the same."""
    assert pickle.loads(pickle.dumps(plan)) is plan  # noqa: S301  (our own)


def test_what_evidence_says_need_not_be_given() -> None:
    """Where it completes one population that is meant, this is planned for; of several it is said that their name will do."""
    by_name = plan("ratings", raters=3, effect=0.2, items=100, range=(0, 1))
    assert plan(raters=3, effect=0.2, items=100, range=(0, 1)).rows == by_name.rows
    with pytest.raises(UsageError) as error:
        plan(sd=0.1, effect=0.01)
    said = error.value.message_for("command line")
    assert (
        "beta (Beta scores) needs --correlation and --mean too; gaussian (normal scores) takes --correlation from evidence"
        in said
    )
    assert said.endswith("name the population")


def test_options_of_what_is_wrapped_stand_beside_those_of_the_wrapper() -> None:
    """As flags and by name, with evidence for the overlap where it is not given."""
    whole = "clustered(population=gaussian(sd=0.1, correlation=0.5), size=5, icc=0.3)"
    told = {"sd": 0.1, "correlation": 0.5, "size": 5, "icc": 0.3}
    spelled = plan(whole, effect=0.02, power=0.8).rows
    assert plan("clustered", effect=0.02, power=0.8, **told).rows == spelled
    assert plan(effect=0.02, power=0.8, **told).rows == spelled


def test_evidence_of_what_is_wrapped_is_named_and_settled() -> None:
    row = plan("clustered", accuracy=0.7, size=5, icc=0.3, effect=0.05, items=400, replicates=100).rows[0]
    assert row.options["evidence"] == "squad2_pairs"
    settled = Squad2Pairs().discordance(0.7, 0.75).expected
    assert str(row.options["population"]) == str(PairedBinary(accuracy=0.7, discordance=settled))


def test_clusters_in_place_of_items() -> None:
    """Each number of clusters is a study of its own; both numbers together are refused, and so is what lacks their size."""
    told = {"sd": 0.1, "correlation": 0.5, "size": 5, "icc": 0.3, "effect": 0.02}
    assert plan("clustered", clusters=[20, 50], **told).rows == plan("clustered", items=[100, 250], **told).rows
    with pytest.raises(UsageError, match="leave one out"):
        plan("clustered", clusters=20, items=100, **told)
    with pytest.raises(UsageError) as error:
        plan(accuracy=0.7, clusters=50)
    assert error.value.message_for("command line") == (
        "--clusters belongs to clustered scores (clustered), which also take --icc and --size"
    )
