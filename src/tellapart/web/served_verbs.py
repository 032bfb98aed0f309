"""Registry of the commands that the server offers, with their options, file inputs and answers."""

from dataclasses import dataclass
from functools import cache

from tellapart.answers.agreement import Agreement
from tellapart.answers.answer import Answer
from tellapart.answers.audit import Audit
from tellapart.answers.comparison import Comparison
from tellapart.answers.description import Description
from tellapart.answers.evidence import EvidenceList
from tellapart.answers.evidence_fit import EvidenceFit
from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.plan import Plan
from tellapart.claims import Claim
from tellapart.cli.audit import GivenClaims
from tellapart.cli.describe import GivenLogs
from tellapart.cli.evidence import GivenResults
from tellapart.cli.input import GivenFiles
from tellapart.cli.pilot import GivenPilot, PlannedRaters
from tellapart.foundation.spelling import Option, options
from tellapart.populations import POPULATIONS
from tellapart.verbs.agreement import AgreementQuestion
from tellapart.verbs.audit import AuditQuestion
from tellapart.verbs.compare import CompareQuestion
from tellapart.verbs.plan import PlanQuestion
from tellapart.verbs.plan.population_options import every_option
from tellapart.verbs.rank import RankQuestion

FILES = "files"
GIVEN_AS_FILES = frozenset((FILES, "reference", "documents", "qrels", "universe", "plan"))
"""Options that name files: here they are files."""
NOT_HERE = frozenset(("limit", "save", "record", "item_order", *GIVEN_AS_FILES))
"""Options that would read or write where the server runs, or raise its limits."""
ONLY_SAVED = frozenset(("margin", "lower_is_better"))
"""Options of a plan that go into its file and nowhere else."""
KIND = "kind"
"""The name of a population, or a whole spelling. (Its option `population` is what it is wrapped around.)"""
PILOT = "pilot"


@dataclass(frozen=True)
class Offer:
    """A verb, what it is asked with, which files it takes, and what it answers."""

    verb: str
    options: tuple[Option, ...]
    files: tuple[str, ...]
    answer: type[Answer]
    doc: str
    words: tuple[str, ...] = ()
    """The command, where it is not the name of the verb alone."""

    @property
    def typed(self) -> tuple[str, ...]:
        return self.words or (self.verb,)

    @property
    def path(self) -> str:
        """Where it is asked, below the address of pages or of the API."""
        return "/".join(self.typed)

    @property
    def needs_files(self) -> bool:
        return FILES in self.files and self.verb not in {"plan", "audit"}

    @property
    def by_name(self) -> dict[str, Option]:
        return {one.name: one for one in self.options}


def _of(*kinds: type) -> tuple[Option, ...]:
    """The options of several questions, each once."""
    found = {one.name: one for kind in reversed(kinds) for one in options(kind) if one.flag}
    return tuple(
        found[name] for kind in kinds for one in options(kind) if (name := one.name) in found and name not in NOT_HERE
    )


@cache
def offers() -> dict[str, Offer]:
    """Every verb that can be asked here."""
    scores = (FILES, "reference", "documents", "qrels", "universe")
    made = [
        Offer("plan", plan_options(), (*scores, "evidence"), Plan, "How many items, what effect could be found, how often?"),
        Offer("compare", _of(GivenFiles, CompareQuestion), (*scores, "plan"), Comparison, "Is system B different from system A on these items?"),
        Offer("rank", _of(GivenFiles, RankQuestion), (*scores, "plan"), Leaderboard, "Which of many systems do these items tell apart?"),
        Offer("agreement", _of(GivenFiles, AgreementQuestion), (FILES,), Agreement, "How far do raters agree?"),
        Offer("audit", _of(Claim, GivenClaims, AuditQuestion), (FILES, "evidence"), Audit, "Could this published claim have been supported?"),
        Offer("evidence", (), (), EvidenceList, "What do past results say where you have no numbers?"),
        Offer("fit", _of(GivenResults), scores, EvidenceFit, "What do results of one's own say of the next ones?", ("evidence", "fit")),
        Offer("describe", _of(GivenLogs), (FILES,), Description, "What is in these files, and what can be asked of them?"),
    ]  # fmt: skip
    return {one.verb: one for one in made}


@cache
def plan_options(population: str | None = None) -> tuple[Option, ...]:
    """The options of a plan: for all populations, or for one."""
    asked = tuple(one for one in _of(PlanQuestion) if one.name not in ONLY_SAVED)
    if population is None:
        own: dict[str, Option] = {one.name: one for owners in every_option().values() for _, one in owners}
        own |= {one.name: one for one in _of(GivenPilot, PlannedRaters, GivenFiles)}
    elif POPULATIONS[population].from_spelling:
        own = {one.name: one for one in options(POPULATIONS[population])}
    else:
        own = {one.name: one for one in _of(GivenPilot, PlannedRaters, GivenFiles)}
        own |= {one.name: one for one in options(POPULATIONS[population])}
    return tuple({one.name: one for one in (*own.values(), *asked)}.values())
