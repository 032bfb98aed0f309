"""Scoring of retrieval runs against relevance judgements, with one system per run of a dataset."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np

from tellapart.data.provenance import Reading, Remark, Source
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import (
    DataError,
    ItemMismatch,
    ReadError,
    SpellingError,
    TooFew,
    UnknownSystem,
    UsageError,
    nearest,
)
from tellapart.foundation.formatting import thousands
from tellapart.foundation.surfaces import option, verb
from tellapart.readers.naming import stem
from tellapart.readers.retrieval import Unretrieved, suites
from tellapart.readers.retrieval.measure import library, measure_of
from tellapart.readers.retrieval.run import Judgements, Run
from tellapart.readers.storage.files import Folder, locate, origins_at, paths_of
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Origin

# Runs and judgements become `Scores`: one system per run, one item per judged query, one measure.


def scored_runs(
    runs: Mapping[str, Origin],
    judgements: Sequence[Origin],
    measure: str | None,
    unretrieved: Unretrieved,
    *,
    alone: bool = False,
) -> Scores:
    """The scores of runs, each by the name of its system, on all queries of these judgements."""
    if repr(unretrieved) not in map(repr, get_args(Unretrieved)):  # an array has no single answer to `in`
        wanted = " or ".join(map(repr, get_args(Unretrieved)))
        raise UsageError(f"unretrieved={unretrieved!r} should be {wanted}")
    meant = measure_of(measure)
    scorer = Scorer(Judgements.together(judgements), meant)
    scored = [scorer.scored(name, Run.of(origin)) for name, origin in runs.items()]
    if len(scored) < 2 and not alone:
        raise one_run(list(runs.values()))
    return Retrieved(scorer, tuple(scored), unretrieved, alone).scores()


def one_run(runs: Sequence[Origin]) -> TooFew:
    return TooFew(
        f"{', '.join(origin.name for origin in runs)}: a run is one system, and comparing takes two: pass the other "
        f"system's run too. For one system alone use {verb('score')}"
    )


@dataclass(frozen=True, eq=False)
class ScoredRun:
    """A system's scores, NaN where it retrieved nothing, and the queries of its run without judgements."""

    system: str
    source: str
    values: FloatArray
    unjudged: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Scorer:
    """Judgements and a measure."""

    judgements: Judgements
    measure: Any

    @cached_property
    def _evaluator(self) -> Any:
        pipeline = library().DefaultPipeline
        try:
            return pipeline.evaluator([self.measure], self._numbered(self.judgements.relevance))
        except ValueError:
            able = [one for one in pipeline.providers if one.supports(self.measure) and not one.is_available()]
            how = next((one.install_instructions() for one in able if one.install_instructions()), None)
            raise SpellingError(
                f"ir-measures does not compute {self.measure} by itself; "
                + (f"install what does: {how}" if how else "give its other options, or another measure")
            ) from None

    @cached_property
    def _numbers(self) -> dict[str, str]:
        """Numbers for queries, as some programs behind ir-measures take nothing else."""
        return {query: str(place) for place, query in enumerate(self.judgements.queries, 1)}

    def _numbered(self, by_query: Mapping[str, Any]) -> dict[str, Any]:
        return {self._numbers[query]: found for query, found in by_query.items()}

    def scored(self, system: str, run: Run) -> ScoredRun:
        """A run's score on every judged query; its other queries are left out."""
        judged, queries = self.judgements.relevance, self.judgements.queries
        shared = [query for query in queries if query in run.scores]
        if not shared:
            raise ReadError(
                f"{run.source}: no query of this run (first: {next(iter(run.scores))!r}) is judged in "
                f"{self.judgements.source} (first: {queries[0]!r}). Check that the two belong together"
            )
        rankings = self._numbered({query: run.ranking(query) for query in shared})
        found = {one.query_id: float(one.value) for one in self._evaluator.iter_calc(rankings)}
        values = np.array(
            [found.get(number, 0.0) if number in rankings else np.nan for number in self._numbers.values()]
        )
        undefined = [query for query in shared if not np.isfinite(found.get(self._numbers[query], 0.0))]
        if undefined:
            raise DataError(
                f"{run.source}: {self.measure} of query {undefined[0]!r} is not defined; wanted a finite number. Choose another measure"
            )
        unjudged = tuple(query for query in run.scores if query not in judged)
        return ScoredRun(system, run.source, values, unjudged)


@dataclass(frozen=True, eq=False)
class Retrieved:
    """Scored runs, and what to make of queries for which some retrieved nothing."""

    scorer: Scorer
    runs: Sequence[ScoredRun]
    unretrieved: Unretrieved
    alone: bool = False

    def scores(self) -> Scores:
        queries = self.scorer.judgements.queries
        values = np.stack([run.values for run in self.runs])
        absent = np.isnan(values)
        if self.unretrieved == "error" and absent.any():
            raise ItemMismatch(self._unretrieved_refusal(int(absent.any(axis=-1).argmax())))
        kept = np.asarray(~absent.any(axis=0) | (self.unretrieved != "drop"))
        if not kept.any():
            raise TooFew("no judged query has documents in every run, so none is left to compare on")
        filled = np.where(absent, 0.0, values)
        return Scores(
            tuple(run.system for run in self.runs),
            tuple(("", query) for query, keep in zip(queries, kept.tolist(), strict=True) if keep),
            filled[:, kept, np.newaxis, np.newaxis],
            measure=str(self.scorer.measure),
            remarks=(*self._of_runs(), *self._of_judgements(filled)),
            more_is_better=True,
            reading=Reading(tuple(map(self._source_of_run, self.runs)), plain=True),
            alone=self.alone,
        )

    def _source_of_run(self, run: ScoredRun) -> Source:
        """The source of a run; queries without documents score 0, unless left out."""
        missing = len(self._unretrieved_queries(run)) if self.unretrieved == "drop" else 0
        queries = len(run.values)
        return Source(run.source, "trec_run", run.system, None, queries, queries - missing, missing, errors=0)

    def _unretrieved_queries(self, run: ScoredRun) -> list[str]:
        queries = self.scorer.judgements.queries
        return [query for query, value in zip(queries, run.values, strict=True) if np.isnan(value)]

    def _unretrieved_refusal(self, place: int) -> str:
        run, queries = self.runs[place], self.scorer.judgements.queries
        lacking = self._unretrieved_queries(run)
        return (
            f"system {run.system!r} retrieved nothing for {thousands(len(lacking))} of {thousands(len(queries))} "
            f"judged queries (first: {lacking[0]!r}). Pass {option('unretrieved', 'zero')} to score each 0, as "
            f"{self.scorer.measure} defines it, or {option('unretrieved', 'drop')} to leave them out for all systems"
        )

    def _of_runs(self) -> list[Remark]:
        found, judged = [], len(self.scorer.judgements.queries)
        for run in self.runs:
            lacking, unjudged = self._unretrieved_queries(run), run.unjudged
            if lacking:
                lost = {"queries": len(lacking), "of": judged, "first": lacking[0]}
                left_out = self.unretrieved == "drop"
                values = {"system": run.system, **lost, "left_out": left_out}
                # What is left out for one system is left out for all.
                found.append(Remark("unretrieved_queries", values, None if left_out else run.system))
            if unjudged:
                some = {"system": run.system, "queries": len(unjudged), "first": unjudged[0]}
                found.append(Remark("unjudged_queries", some, run.system))
        return found

    def _of_judgements(self, filled: FloatArray) -> list[Remark]:
        judgements, measure, found = self.scorer.judgements, self.scorer.measure, []
        least = measure["rel"] if "rel" in measure.SUPPORTED_PARAMS else 1
        places = {query: place for place, query in enumerate(judgements.queries)}
        none = [query for query in judgements.without_relevant(least) if not filled[:, places[query]].any()]
        if none:
            without = {"queries": len(none), "of": len(places), "first": none[0]}
            found.append(Remark("queries_without_relevant", without))
        if judgements.negative:
            below_zero = {"judgements": judgements.negative, "first": judgements.first_negative}
            found.append(Remark("negative_relevance", below_zero))
        return found


@dataclass(frozen=True)
class Runs:
    """Runs that are scored with judgements; a file is a system, whatever the tags in it say."""

    judgements: tuple[str, ...]
    measure: str | None
    unretrieved: Unretrieved
    names: Mapping[str, str]
    systems: tuple[str | None, ...]
    limits: Limits
    alone: bool = False

    def refuse_beside(self, of_tables: Sequence[str], of_logs: Sequence[str]) -> None:
        """A run is no table and no log: it has neither columns nor datasets, and its scores are those of a measure."""
        for given, those in ((of_tables, "tables of scores"), (of_logs, "logs of evaluation programs")):
            if given:
                raise UsageError(
                    f"{option(given[0])} is for {those}, and {option('qrels')} says that the files are runs; leave one of them out"
                )

    def read(self, source: Any) -> Scores:
        paths = paths_of(source)
        if paths is None:
            raise UsageError(
                f"{option('qrels')} scores runs, which are files, and this is a {type(source).__name__}; pass the paths of runs"
            )
        judged = [locate(path, stem(path), self.limits) for path in self.judgements]
        origins = origins_at(paths, self.limits)
        if any(isinstance(one, Folder) for one in (*judged, *origins)):
            return self._of_folders(origins, judged)
        runs = self._runs_by_name(origins)
        return scored_runs(self._requested_runs(runs), judged, self.measure, self.unretrieved, alone=self.alone)

    def _of_folders(self, origins: Sequence[Origin], judged: Sequence[Origin]) -> Scores:
        """Runs of several datasets, each scored with the judgements of its own."""
        judgements = suites.judgements_at(judged)
        files = suites.runs_at(origins, tuple(judgements))
        if not files:
            raise ReadError(
                f"{', '.join(one.name for one in origins)}: found no runs of TREC there. Pass their files or folders"
            )
        parts = {
            dataset: scored_runs(
                self._requested_runs(runs), [judgements[dataset]], self.measure, self.unretrieved, alone=True
            )
            for dataset, runs in suites.by_dataset(files, self.names).items()
        }
        if not self.alone and len({system for part in parts.values() for system in part.systems}) < 2:
            raise one_run([one.origin for one in files])
        return suites.joined(parts)

    def _runs_by_name(self, origins: Sequence[Origin]) -> dict[str, Origin]:
        """The runs by the names of their systems."""
        met = [origin.label for origin in origins]
        for old in self.names:
            if old not in met:
                raise UnknownSystem(f"no system is called {old!r}, so it cannot be renamed; {nearest(old, met)}")
        found: dict[str, Origin] = {}
        for origin in origins:
            name = self.names.get(origin.label, origin.label)
            if name in found:
                raise DataError(
                    f"{found[name].name} and {origin.name} would both be called {name!r}; give each a name of its own"
                )
            found[name] = origin
        return found

    def _requested_runs(self, runs: Mapping[str, Origin]) -> Mapping[str, Origin]:
        """Only the requested runs, where these are known: the others need not be readable."""
        asked = [str(name) for name in self.systems]
        named = asked and None not in self.systems and set(asked) <= set(runs)
        return {name: origin for name, origin in runs.items() if name in asked} if named else runs
