"""Right-or-wrong populations whose overlap is what past pairs say: one more spelling of `paired_binary`."""

import json
import re

import pytest
from click.testing import CliRunner

from tellapart import plan
from tellapart.cli.commands import group
from tellapart.foundation.errors import TellapartError
from tellapart.populations import POPULATIONS, Population
from tellapart.populations.clustered import Clustered
from tellapart.populations.evidence import EVIDENCE
from tellapart.populations.from_evidence import FromEvidence
from tellapart.populations.paired_binary import PairedBinary

SPELLING = "paired_binary(effect=0.02, accuracy=0.85, evidence=squad2_pairs)"


def test_spelling_makes_the_variant() -> None:
    """With an evidence the spelling of paired_binary names the population that follows it, and without the plain one."""
    found = Population.parse(SPELLING)
    assert isinstance(found, FromEvidence)
    assert type(Population.parse("paired_binary(accuracy=0.85, discordance=0.1)")) is PairedBinary
    assert str(found) == SPELLING


@pytest.mark.parametrize("name", sorted(n for n in EVIDENCE if EVIDENCE[n].kind == "overlap"))
@pytest.mark.parametrize("place", [-1.0, 0.0, 1.0])
def test_every_evidence_round_trips(name: str, place: float) -> None:
    """`parse(str(x)) == x` for all evidence on overlap, anywhere in its band, alone and wrapped."""
    for example in EVIDENCE[name].examples:
        alone = FromEvidence(accuracy=0.8, effect=0.02, evidence=EVIDENCE.parse(example), place=place)  # type: ignore[arg-type]
        assert Population.parse(str(alone)) == alone
        wrapped = Clustered(population=alone, size=4, icc=0.2)
        assert Population.parse(str(wrapped)) == wrapped


def test_the_discordance_follows_the_effect() -> None:
    """It is what the evidence says for the two accuracies, and its ends are those of the band."""
    found = FromEvidence(accuracy=0.85, evidence=EVIDENCE.parse("squad2_pairs"))  # type: ignore[arg-type]
    for effect in (0.01, 0.05):
        band = found.evidence.discordance(0.85, 0.85 + effect)
        ends = [found.replace(effect=effect, place=place).settled.discordance for place in (-1.0, 0.0, 1.0)]
        assert ends == [band.low, band.expected, band.high]


@pytest.mark.parametrize(
    ("spelled", "said"),
    [
        ("paired_binary(accuracy=0.8, discordance=0.1, evidence=squad2_pairs)", "given: discordance"),
        ("paired_binary(discordance=0.1, evidence=squad2_pairs)", "given: discordance"),
        (
            "paired_binary(accuracy=0.8, evidence=typical_gain)",
            "evidence=typical_gain should be",
        ),
        ("paired_binary(accuracy=0.8, evidence=nobody)", "nobody"),
        ("paired_binary(accuracy=0.8, evidence=squad2_pairs, place=0.5)", "should be -1, 0 or 1"),
        ("gaussian(sd=1, correlation=0, evidence=squad2_pairs)", "no option 'evidence'"),
    ],
)
def test_refusals(spelled: str, said: str) -> None:
    """Evidence beside an overlap, without an accuracy, of another kind or for other scores is refused by name."""
    with pytest.raises(TellapartError, match=said):
        Population.parse(spelled)


def test_what_a_plan_prints_can_be_typed() -> None:
    """Through the command line: the population in a plan's signature, given again, is answered alike."""
    rest = ["--power", "0.8", "--format", "json"]
    asked = ["plan", "paired_binary", "--accuracy", "0.85", "--effect", "0.02", *rest]
    first = CliRunner().invoke(group, asked)
    told = json.loads(first.output)
    data = re.search(r"data=(.*)$", told["signature"])
    assert data is not None
    assert "evidence=" in data[1]
    again = json.loads(CliRunner().invoke(group, ["plan", data[1], *rest]).output)
    assert again == told


def test_evidence_is_said_once() -> None:
    """A population that names its evidence is planned as with the same evidence beside it, and takes no other there."""
    beside = plan("paired_binary(effect=0.02, accuracy=0.85)", power=0.8, evidence="squad2_pairs")
    assert plan(SPELLING, power=0.8).rows == beside.rows
    with pytest.raises(TellapartError, match="has its own"):
        plan(SPELLING, power=0.8, evidence="squad2_overlap")


def test_examples_show_it() -> None:
    """The help prints a spelling with evidence, and every law is tried on it."""
    assert SPELLING in POPULATIONS["paired_binary"].examples
