"""Where the scores are and which of them are asked about: the flags that every command on files shares."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self, TypeVar

from tellapart.cli.mapping import mapping
from tellapart.doors import option
from tellapart.errors import UsageError
from tellapart.metrics import Metric
from tellapart.readers import read
from tellapart.readers.reading import Read
from tellapart.readers.retrieval import Unretrieved
from tellapart.roles import roles_in_words
from tellapart.spelling import Question, argument, setting
from tellapart.verbs.given_scores import UNGROUPED, Grouping, parts_of


class AsksForMetric(Protocol):
    """A question that says how items become one number."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def metric(self) -> Metric | str | None: ...


Asked = TypeVar("Asked", bound=AsksForMetric)


@dataclass(frozen=True)
class Source(Question):
    """Files of scores, and how to read them."""

    files: tuple[str, ...] = argument("FILE...")
    measure: str | None = setting(
        None, "Which score to take when the file holds several; else its label.", metavar="M"
    )
    cluster: str | None = setting(None, "The column that says which items belong together.", metavar="COL")
    dataset: str | None = setting(None, "Only the items of this dataset.", metavar="D")
    column: tuple[str, ...] = setting(
        (),
        f"The column that plays a role, where its name does not say so: {roles_in_words()}.",
        metavar="ROLE=NAME",
    )

    name: tuple[str, ...] = setting(
        (), "Give a system another name than the file does; may be repeated.", metavar="OLD=NEW"
    )

    limit: tuple[str, ...] = setting(
        (),
        "Take larger files than usual: bytes (2 GB once unpacked), line (64 MB), columns (100000), nesting (100).",
        metavar="LIMIT=N",
    )

    qrels: str | None = setting(
        None,
        "Relevance judgements (TREC qrels): the files are runs, one system each, scored by the measure, such as nDCG@10.",
        metavar="FILE",
    )

    unretrieved: Unretrieved = setting(
        "zero",
        "What a judged query counts for which a run has nothing: 0, an error, or left out for all systems.",
    )

    def settled(self, question: Asked) -> tuple[Self, Asked]:
        """With judgements a metric is the measure that runs are scored by, and queries are averaged."""
        if self.qrels is None or question.metric in {None, "mean"}:
            return self, question
        if self.measure is not None:
            raise UsageError(
                f"{option('metric')} is {question.metric} and {option('measure')} {self.measure}; with {option('qrels')} both name the "
                "measure of the runs. Leave one out"
            )
        return replace(self, measure=str(question.metric)), replace(question, metric="mean")

    def scores(
        self,
        metric: Metric | str | None = None,
        systems: tuple[str | None, ...] = (None,),
        grouping: Grouping = UNGROUPED,
    ) -> Read:
        """What the files hold, scores, ratings or votes, of the systems asked about, or of all where not all of those are named."""
        clusters = [] if self.cluster is None else [f"cluster={self.cluster}"]
        source: Any = self.files[0] if len(self.files) == 1 else list(self.files)
        return read(
            source,
            measure=self.measure,
            parts=("score",) if metric is None else parts_of(metric),
            systems=systems,
            columns=mapping("column", [*self.column, *clusters], "role=name", "item=query_id"),
            dataset=self.dataset,
            names=mapping("name", self.name, "old=new", "run_17=baseline"),
            limits=mapping("limit", self.limit, "limit=number", "bytes=1e10"),
            by=grouping.by,
            labels=grouping.labels,
            qrels=self.qrels,
            unretrieved=self.unretrieved,
        )
