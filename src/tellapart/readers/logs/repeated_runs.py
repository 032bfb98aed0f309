"""Several runs of one system on one dataset: kept as separate systems, as repeats, or only the latest."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from tellapart.foundation.errors import ReadError
from tellapart.foundation.surfaces import option
from tellapart.readers.logs.combine import by_label
from tellapart.readers.logs.log_rows import LogRows
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.naming import name_systems

Key = tuple[str, str]


def resolve_runs(found: Sequence[LogRows], asked: LogRequest) -> None:
    """Give rows of several runs of one system names or runs of their own, or leave them out, as the caller says.

    Under another label the same system is met again: that is no other run of it, but what is held against the first.
    """
    for files in by_label(found):
        _settle(files, asked)


def _settle(found: Sequence[LogRows], asked: LogRequest) -> None:
    if _two_files(found):
        # One that was scored again, or copied, says that it is the same run: given beside the other it is held against it.
        for one in found:
            one.run = one.origin.name
    _split_rescored(found)
    clashing = _clashes(found)
    if not clashing:
        return
    mode = asked.same_system or ("separate" if _two_files(found) else None)
    if mode is None:
        raise _open_runs_error(clashing)
    if mode == "latest":
        _keep_latest_run(clashing)
    elif mode == "repeat":
        _number_runs(clashing)
    else:
        _tell_apart(found, clashing)


def _split_rescored(found: Sequence[LogRows]) -> None:
    """Files that say they are one run and hold an item each are two scorings of it, or a copy: none is a part of the other."""
    held: dict[tuple[str, str, str, str, str], LogRows] = {}
    twice: list[LogRows] = []
    saying = [one for one in found if one.facts.run is not None]
    files = Counter(one.run for one in saying)
    for one in saying:
        if files[one.run] == 1:  # no other file can hold an item of this run
            continue
        for (system, dataset), item, run in zip(
            _system_and_dataset(one), one.column("item"), one.column("run"), strict=True
        ):
            other = held.setdefault((one.run, system, dataset, item, run), one)
            if other is not one:
                twice += [other, one]
                break
    for one in twice:
        one.run = one.origin.name


def _clashes(found: Sequence[LogRows]) -> dict[Key, list[LogRows]]:
    """Of each system and dataset the files of more than one run that share an item."""
    if len({one.run for one in found}) < 2:
        return {}
    holders: defaultdict[Key, dict[str, list[LogRows]]] = defaultdict(dict)
    for one in found:
        for key in _different_keys(one):
            holders[key].setdefault(one.run, []).append(one)
    return {
        key: [one for files in runs.values() for one in files]
        for key, runs in holders.items()
        if len(runs) > 1 and _overlap(key, list(runs.values()))
    }


def _overlap(key: Key, runs: list[list[LogRows]]) -> bool:
    seen: set[str] = set()
    for files in runs:
        items = {
            item
            for one in files
            for item, own in zip(one.column("item"), _system_and_dataset(one), strict=True)
            if own == key
        }
        if seen & items:
            return True
        seen |= items
    return False


def _different_keys(one: LogRows) -> Iterable[Key]:
    if {"system", "dataset"} & one.texts.keys():
        return dict.fromkeys(_system_and_dataset(one))
    return [(one.facts.system or one.label, one.facts.dataset or "")] if len(one) else []


def _system_and_dataset(one: LogRows) -> list[Key]:
    return list(zip(one.system_of_rows(), one.dataset_of_rows(), strict=True))


def _two_files(found: Sequence[LogRows]) -> bool:
    """Whether the two runs are the two files that the caller gave: then these are what is compared."""
    return len(found) == 2 and all(one.named for one in found)


def _open_runs_error(clashing: dict[Key, list[LogRows]]) -> ReadError:
    (system, dataset), files = next(iter(clashing.items()))
    on = f" on {dataset!r}" if dataset else ""
    said = {one.facts.run for one in files}
    if len(said) == 1 and None not in said:
        return ReadError(
            f"{files[-1].origin.name}: the same run of system {system!r}{on} as {files[0].origin.name}, scored again "
            f"or copied. Pass one of them, or treat them as two systems: {option('same_system', 'separate')}"
        )
    return ReadError(
        f"{files[-1].origin.name}: system {system!r} was already evaluated{on} in {files[0].origin.name}. Say how to "
        f"treat two runs of one system: {option('same_system', 'separate')} (as two systems), "
        f"{option('same_system', 'repeat')} (as repeats) or {option('same_system', 'latest')} (only the newest counts)"
    )


def _keep_latest_run(clashing: dict[Key, list[LogRows]]) -> None:
    for key, files in clashing.items():
        made = {one.facts.created for one in files}
        if None in made:
            unknown = next(one for one in files if one.facts.created is None)
            raise ReadError(
                f"{unknown.origin.name}: this run has no date, so the latest one is unknown. Pass one file per system"
            )
        last = max(str(one.facts.created) for one in files)
        (latest, *more) = dict.fromkeys(one.run for one in files if one.facts.created == last)
        if more:
            raise ReadError(
                f"{files[-1].origin.name}: made at the same time as {files[0].origin.name} ({last}), so neither is "
                "the latest. Pass one of them"
            )
        for one in files:
            if one.run != latest:
                one.only(np.array([own != key for own in _system_and_dataset(one)], dtype=np.bool_))


def _number_runs(clashing: dict[Key, list[LogRows]]) -> None:
    for key, files in clashing.items():
        runs = list(dict.fromkeys(one.run for one in files))
        for one in files:
            number = runs.index(one.run) + 1
            old = one.column("run")
            one.texts["run"] = [
                (f"{number}.{run}" if run else str(number)) if own == key else run
                for run, own in zip(old, _system_and_dataset(one), strict=True)
            ]


def _tell_apart(found: Sequence[LogRows], clashing: dict[Key, list[LogRows]]) -> None:
    for key, files in clashing.items():
        runs = list(dict.fromkeys(one.run for one in files))
        first = [next(one for one in files if one.run == run) for run in runs]
        names = dict(zip(runs, _distinct_names(key[0], first), strict=True))
        # The other datasets of the same run are the same system.
        for one in found:
            if one.run in names:
                one.texts["system"] = [names[one.run] if s == key[0] else s for s in one.system_of_rows()]


def _distinct_names(system: str, files: Sequence[LogRows]) -> list[str]:
    """The name of each with what differs between them: their settings, else their files."""
    keys = dict.fromkeys(key for one in files for key in one.facts.settings)
    unlike = [key for key in keys if len({one.facts.settings.get(key) for one in files}) > 1]
    told = [f"{system} ({_settings_text(one, unlike)})" for one in files]
    if unlike and max(Counter(told).values()) == 1:
        return told
    return [f"{system} ({label})" for label in name_systems([one.origin.name for one in files])]


def _settings_text(one: LogRows, keys: Sequence[str]) -> str:
    return ", ".join(f"{key}={one.facts.settings.get(key, 'none')}" for key in keys)
