"""Input flags that commands on files share: which files, systems, measures and items to read."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Protocol, Self, TypeVar

from tellapart.cli import flags
from tellapart.compute import Runner, Work, available_cores
from tellapart.data.roles import roles_in_words
from tellapart.foundation.errors import UsageError
from tellapart.foundation.files import UPLOADED_FILES, refuse_systems
from tellapart.foundation.progress import current_listener
from tellapart.foundation.spelling import Question, argument, setting
from tellapart.foundation.surfaces import option
from tellapart.metrics import Metric
from tellapart.readers import read
from tellapart.readers.logs.request import Errors, SameSystem
from tellapart.readers.retrieval import Unretrieved
from tellapart.readers.tables.assembly import Read
from tellapart.verbs.given_scores import UNGROUPED, Grouping, named_metric
from tellapart.verbs.judged_scores import read_judged
from tellapart.verbs.planned_question import Followed

# Counting that takes seconds, such as the edits of TER, spread over processes, telling how far it is.


def over_processes(count: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Any]:
    """Results of each piece, in order; a single piece or a single core starts no process."""
    told, hands = current_listener(), min(available_cores(), len(pieces))
    work = Work(count, [(piece,) for piece in pieces], count=len(pieces), named=_input_named)
    with Runner(1 if hands < 2 else f"processes:{hands}") as runner, closing(runner.in_order(work)) as results:
        for done, found in enumerate(results, 1):
            if told is not None:
                told("counting", done, len(pieces))
            yield found


def _input_named(call: tuple[Any, ...]) -> str:
    return f"counting {len(call[0]):,} texts"


class AsksForMetric(Protocol):
    """A question that says how items become one number."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def metric(self) -> Metric | str | None: ...


Asked = TypeVar("Asked", bound=AsksForMetric)


@dataclass(frozen=True)
class GivenFiles(Question):
    """Files of scores, and how to read them."""

    files: tuple[str, ...] = argument("FILE...")
    measure: str | None = setting(None, "Which score to take: its name, or path if nested.", metavar="M")
    measure_name: str | None = setting(None, "Name for the scores, if the file holds only one.", metavar="NAME")
    rescale: tuple[str, ...] = setting(
        (), "Divide the scores of a system, such as percent by 100; may be repeated.", metavar="SYSTEM=N"
    )
    blank: str | None = setting(
        None, "Numbers that mean a missing score, such as -1,999; none if all are scores.", metavar="N[,N…]"
    )
    cluster: str | None = setting(None, "The column that says which items belong together.", metavar="COL")
    dataset: str | None = setting(None, "Only the items of this dataset.", metavar="D")
    column: tuple[str, ...] = setting(
        (), f"The column for a role, if its name does not say so: {roles_in_words()}.", metavar="ROLE=NAME"
    )

    name: tuple[str, ...] = setting(
        (), "Give a system another name than the file does; may be repeated.", metavar="OLD=NEW"
    )

    reference: tuple[str, ...] = setting(
        (),
        "The text that systems should have written, one segment per line, for metrics of texts; may be repeated. Files are then texts too.",
        metavar="FILE",
    )
    documents: str | None = setting(
        None, "With --reference: the document of each line; lines of one belong together.", metavar="FILE"
    )

    limit: tuple[str, ...] = flags.limit_setting()

    qrels: tuple[str, ...] = setting(
        (),
        "Relevance judgements (TREC qrels): the files are runs, one system each, scored by the measure, such as nDCG@10; may be repeated.",
        metavar="FILE",
    )

    unretrieved: Unretrieved = setting(
        "zero", "Judged queries that a run lacks: score 0, an error, or left out for all systems."
    )

    where: tuple[str, ...] = setting(
        (),
        "For logs: only rows with this value of a field: filter, split, subset, reducer, …; may be repeated.",
        metavar="AXIS=VALUE",
    )
    errors: Errors = setting("apart", "Failed evaluations: no score, or a score of 0.")
    partial: bool = flags.partial_setting()
    universe: str | None = setting(
        None,
        "All items, where a file lists only those solved: a file with one id per line, or how many there are.",
        metavar="FILE|N",
    )
    same_system: SameSystem | None = flags.same_system_setting()
    as_: str | None = flags.format_setting()

    def settled(self, question: Asked) -> tuple[Self, Asked]:
        """With judgements a metric is the measure that runs are scored by, and queries are averaged."""
        if not self.qrels or question.metric in {None, "mean"}:
            return self, question
        if self.measure is not None:
            raise UsageError(
                f"{option('metric')} is {question.metric} and {option('measure')} {self.measure}; with {option('qrels')} both name the "
                "measure of the runs. Leave one out"
            )
        return replace(self, measure=str(question.metric)), replace(question, metric="mean")

    def by_measure(self, names: Sequence[str]) -> dict[str, Self]:
        """These files by each of several measures."""
        if self.measure is not None:
            raise UsageError(f"{option('measure')} picks one measure, and several are named; leave it out")
        if "-" in self.files:
            raise UsageError("standard input can be read once, and each measure reads it; save it to a file")
        return {name: replace(self, measure=name) for name in names}

    def as_planned(self, followed: Followed) -> Self:
        """The measure and the dataset of a plan, where none were named."""
        plan = followed.plan
        measure = self.measure or (plan.measure if self.measure_name is None and not plan.rules else None)
        return replace(self, measure=measure, dataset=self.dataset or plan.dataset)

    def reading(self, metric: Metric | str | None) -> dict[str, Any]:
        """Reader options for any files."""
        clusters = [] if self.cluster is None else [f"cluster={self.cluster}"]
        return {
            "measure": self.measure,
            "measure_name": self.measure_name,
            "blank": self.blank,
            "rescale": flags.key_values("rescale", self.rescale, "system=number", "new=100"),
            "metric": None if metric is None else named_metric(metric),
            "columns": flags.key_values("column", [*self.column, *clusters], "role=name", "item=query_id"),
            "dataset": self.dataset,
            "limits": flags.limits_of(self.limit),
            "where": flags.key_values("where", self.where, "axis=value", "filter=strict-match"),
            "errors": self.errors,
            "partial": self.partial,
            "universe": self.universe,
            "same_system": self.same_system,
            "format": self.as_,
        }

    def judged_scores(self, question: Any) -> Read:
        """People's scores and the judge's, of the systems that the question names."""
        self.refuse_measure_beside_judge()
        return read_judged(partial(self.scores, getattr(question, "metric", None), (question.a, question.b)), question)

    def refuse_measure_beside_judge(self) -> None:
        if self.measure is not None:
            raise UsageError(
                f"{option('human')} and {option('judge')} name the scores, and {option('measure', self.measure)} another; leave that out"
            )

    def scores(
        self,
        metric: Metric | str | None = None,
        systems: tuple[str | None, ...] = (None,),
        grouping: Grouping = UNGROUPED,
        *,
        alone: bool = False,
        **judged: Any,
    ) -> Read:
        """The scores, ratings or votes in the files: of the systems asked about, or of all where not all of those are named."""
        source: Any = self.files[0] if len(self.files) == 1 else list(self.files)
        found = read(
            source,
            references=self.reference,
            documents=self.documents,
            mapper=_input_spread,
            systems=systems,
            names=flags.key_values("name", self.name, "old=new", "run_17=baseline"),
            by=grouping.by,
            labels=grouping.labels,
            qrels=self.qrels,
            unretrieved=self.unretrieved,
            alone=alone,
            **{"slices": grouping.slices, **self.reading(metric), **judged},
        )
        if UPLOADED_FILES.get() is not None:
            refuse_systems(found.systems)
        return found


def _input_spread(count: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Any]:
    if (
        UPLOADED_FILES.get() is not None
    ):  # who reads for others answers many at a time, each in a process that starts no other
        return map(count, pieces)

    return over_processes(count, pieces)


@dataclass(frozen=True)
class SliceFlags(Question):
    """The columns that items are sliced by."""

    slice: tuple[str, ...] = setting(
        (),
        "Where does it win or lose? A column whose values are slices of the items; may be repeated.",
        metavar="COL",
    )
