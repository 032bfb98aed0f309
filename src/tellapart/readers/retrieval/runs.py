"""The door of retrieval: the files of runs that are meant, and what is asked of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tellapart.doors import option
from tellapart.errors import DataError, UnknownSystem, UsageError, nearest
from tellapart.readers.files import locate
from tellapart.readers.limits import Limits
from tellapart.readers.naming import stem
from tellapart.readers.origin import Origin
from tellapart.readers.paths import origins_at, paths_of
from tellapart.readers.retrieval import Unretrieved
from tellapart.readers.retrieval.scoring import scored_runs
from tellapart.scores import Scores


@dataclass(frozen=True)
class Runs:
    """Runs that are scored with the judgements of one file; a file is a system, whatever the tags in it say."""

    judgements: str
    measure: str | None
    unretrieved: Unretrieved
    names: Mapping[str, str]
    systems: tuple[str | None, ...]
    limits: Limits

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
        judged = locate(self.judgements, stem(self.judgements), self.limits)
        runs = self._named(origins_at(paths, self.limits))
        return scored_runs(self._asked(runs), judged, self.measure, self.unretrieved)

    def _named(self, origins: Sequence[Origin]) -> dict[str, Origin]:
        """The runs by the names of their systems."""
        met = [origin.label for origin in origins]
        for old in self.names:
            if old not in met:
                raise UnknownSystem(
                    f"no system is called {old!r}, so it cannot be renamed; {nearest(old, met)}"
                )
        found: dict[str, Origin] = {}
        for origin in origins:
            name = self.names.get(origin.label, origin.label)
            if name in found:
                raise DataError(
                    f"{found[name].name} and {origin.name} would both be called {name!r}; give each a name of its own"
                )
            found[name] = origin
        return found

    def _asked(self, runs: Mapping[str, Origin]) -> Mapping[str, Origin]:
        """Only the runs that are asked about, where these are known: what nobody asks about need not be readable."""
        asked = [str(name) for name in self.systems]
        named = asked and None not in self.systems and set(asked) <= set(runs)
        return {name: origin for name, origin in runs.items() if name in asked} if named else runs
