"""Where two records differ, in words: the command, the path of the field, and both values."""

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.freeze.record import Record, crashed


@dataclass(frozen=True)
class Renames:
    """What is called otherwise now than in the record; a field or code that became None is gone."""

    fields: dict[str, str | None] = field(default_factory=dict)
    codes: dict[str, str | None] = field(default_factory=dict)
    spellings: dict[str, str] = field(default_factory=dict)
    """Pieces of commands and of values, such as the name of an option."""

    @classmethod
    def read(cls, path: Path) -> "Renames":
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def spelled(self, text: str) -> str:
        for old, new in self.spellings.items():
            text = text.replace(old, new)
        return text

    def applied(self, value: Any, key: str = "") -> Any:
        """A value of the record as it would be written now."""
        if isinstance(value, dict):
            named = {self.fields.get(name, name): self.applied(part, name) for name, part in value.items()}
            return {name: part for name, part in named.items() if name is not None}
        if isinstance(value, list):
            return [self.applied(part, key) for part in value if not self._gone(part)]
        if key == "code" and isinstance(value, str):
            return self.codes.get(value, value)
        return self.spelled(value) if isinstance(value, str) else value

    def _gone(self, part: Any) -> bool:
        return isinstance(part, dict) and self.codes.get(part.get("code", ""), "") is None


def differences(
    kept: dict[str, Record], found: dict[str, Record], renames: Renames, tolerance: float = 0.0
) -> Iterator[str]:
    """Every difference, command by command in the order of the record; a crash is one even where it was kept."""
    expected = {renames.spelled(command): renames.applied(part) for command, part in kept.items()}
    for command, part in found.items():
        if command not in expected:
            yield f"{command}\n  is not in the record"
        elif crashed(part):
            yield f"{command}\n  crashed: exit {part['exit']}, {part['error']}"
        else:
            for line in differing(expected[command], part, "", tolerance):
                yield f"{command}\n  {line}"
    yield from (f"{command}\n  was not run" for command in expected if command not in found)


def differing(kept: Any, found: Any, path: str, tolerance: float) -> Iterator[str]:
    if isinstance(kept, dict) and isinstance(found, dict):
        for name in sorted(kept.keys() | found.keys()):
            here = f"{path}.{name}".lstrip(".")
            if name not in found:
                yield f"{here}: {_short(kept[name])} is missing"
            elif name not in kept:
                yield f"{here}: {_short(found[name])} is new"
            else:
                yield from differing(kept[name], found[name], here, tolerance)
    elif isinstance(kept, list) and isinstance(found, list):
        yield from _differing_lists(kept, found, path, tolerance)
    elif not _alike(kept, found, tolerance):
        yield f"{path}: {_short(kept)} became {_short(found)}"


def _differing_lists(kept: list[Any], found: list[Any], path: str, tolerance: float) -> Iterator[str]:
    """Notes by their codes first, which say more than that one of them is another."""
    before, now = _codes(kept), _codes(found)
    if before != now:
        lacking, more = list((before - now).elements()), list((now - before).elements())
        yield f"{path}: codes missing: {lacking}; new: {more}"
    elif len(kept) != len(found):
        yield f"{path}: {len(kept)} entries became {len(found)}"
    else:
        for place, (one, other) in enumerate(zip(kept, found, strict=True)):
            yield from differing(one, other, f"{path}[{place}]", tolerance)


def _codes(entries: list[Any]) -> Counter[str]:
    return Counter(str(one["code"]) for one in entries if isinstance(one, dict) and "code" in one)


def _alike(kept: Any, found: Any, tolerance: float) -> bool:
    if isinstance(kept, float) and isinstance(found, float) and tolerance:
        return math.isclose(kept, found, rel_tol=tolerance)
    return type(kept) is type(found) and bool(kept == found)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"
