"""Requests made of the OpenAPI document: some that should be answered, some that are merely of the right shape, some that are not.

`python -m tests.web.generated --cases 5000` asks a server of its own; the suite asks its own server 500.
"""

import argparse
import json
import os
import random
import string
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import jsonschema

from tellapart.web.openapi import API, openapi_document

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = {
    "compare": "answers.csv",
    "rank": "answers.csv",
    "agreement": "ratings.csv",
    "describe": "votes.csv",
    "evidence/fit": "answers.csv",
}
HOSTILE = ("", " ", "-", "--help", "../../etc/passwd", "/dev/zero", "a\x00b", "\ud800", "\u202e", "é" * 999, "(" * 30, "x" * 2000, "1e999", "NaN", "-0", "1,,2", "a=b", "=", ":", "<script>", "${x}", "gaussian(", "pilot", "file.json", "0x10", "1_000", "٣")  # fmt: skip
SPELLINGS = ("gaussian", "beta", "votes", "paired_t", "sign", "wilcoxon", "permutation(resamples=99)", "both", "mean", "f1", "all", "small", "large", "holm", "item=item", "paired_t(alternative=less)", "krippendorff_alpha")  # fmt: skip
ODD = (-1, 0, 1, 2, 0.5, 1e-300, 1e300, -1e-9, 10**30, 99, 0.05, 0.9999999)


@dataclass(frozen=True)
class Request:
    """One request, and whether it is one that has an answer."""

    verb: str
    question: dict[str, Any] | None
    file: str | None = None
    content: bytes = field(default=b"", repr=False)
    body: bytes | None = field(default=None, repr=False)
    answerable: bool = False

    def sent(self, client: httpx.Client) -> httpx.Response:
        if self.body is not None:
            return client.post(f"{API}/{self.verb}", content=self.body, headers={"content-type": "application/json"})
        if self.question is None:
            return client.get(f"{API}/{self.verb}")
        if self.file is None:
            return client.post(
                f"{API}/{self.verb}",
                content=json.dumps(self.question),
                headers={"content-type": "application/json"},
            )
        return client.post(
            f"{API}/{self.verb}",
            data={"question": json.dumps(self.question)},
            files={"files": (self.file, self.content)},
        )

    def typed(self) -> list[str]:
        """The words of the same command; made here anew, so that no fault of the server's is shared."""
        said = dict(self.question or {})
        words = [*self.verb.split("/"), *([said.pop("kind")] if "kind" in said else [])]
        for name, value in said.items():
            flag = "--" + name.rstrip("_").replace("_", "-")
            if value is True:
                words.append(flag)
            elif value is not False:
                words.append(f"{flag}={','.join(map(str, value)) if isinstance(value, list) else value}")
        return [*words, "--format=json", *([] if self.file is None else ["--", self.file])]


def requests(seed: int, count: int) -> Iterator[Request]:
    """Of five, three should be answered, one has the shape of a question and one is broken."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")  # noqa: S311  (to be made again, not to be secret)
        way = number % 5
        yield _answerable(rng) if way < 3 else _shaped(rng) if way == 3 else _broken(rng)


def _answerable(rng: random.Random) -> Request:
    verb = rng.choice(
        ["plan"] * 5 + ["audit"] * 2 + ["compare", "rank", "agreement", "describe", "evidence", "evidence/fit"]
    )
    if verb == "evidence":
        return Request(verb, None, answerable=True)
    question = _PLAIN[verb](rng)
    file = FILES.get(verb)
    content = b"" if file is None else (EXAMPLES / file).read_bytes()
    return Request(verb, question, file, content, answerable=True)


def _plan(rng: random.Random) -> dict[str, Any]:
    accuracy, effect = round(rng.uniform(0.3, 0.8), 3), round(rng.uniform(0.01, 0.08), 3)
    sd, correlation = round(rng.uniform(0.05, 0.3), 3), round(rng.uniform(0, 0.95), 2)
    questions: list[dict[str, Any]] = [
        {"kind": "gaussian", "sd": sd, "correlation": correlation, "effect": effect},
        {"kind": "gaussian", "sd": [sd, sd * 2], "correlation": correlation, "effect": effect},
        {"accuracy": accuracy, "effect": effect},
        {"kind": "paired_binary", "accuracy": accuracy, "effect": effect, "discordance": round(effect + rng.uniform(0.05, 0.15), 3)},
        {"kind": "proportions", "accuracy": accuracy, "effect": effect},
        {"kind": "votes", "share": round(rng.uniform(0.52, 0.8), 2), "ties": round(rng.uniform(0, 0.4), 2)},
        {"kind": "clustered", "population": f"gaussian(sd={sd},correlation={correlation})", "size": rng.randint(2, 9), "icc": round(rng.uniform(0, 0.5), 2), "effect": effect},
        {"kind": "runs", "item_sd": sd, "run_sd": 0.05, "runs": rng.randint(2, 5), "effect": effect},
    ]  # fmt: skip
    question = rng.choice(questions)
    items = rng.choice([50, 100, 200])
    # Sums over all tables are quick for few items alone, and where one asks for items they are many.
    solved = rng.choice(["items", "power", "detectable"]) if question.get("kind") == "gaussian" else "power"
    if solved == "detectable":
        del question["effect"]
        return question | {"items": items, "power": 0.8}
    if solved == "items":
        return question | {"power": rng.choice([0.8, 0.9]), "test": "paired_t"}
    return question | {"items": rng.choice([items, [items, 2 * items]])} | rng.choice([{}, {"alpha": 0.01}])


def _audit(rng: random.Random) -> dict[str, Any]:
    a = round(rng.uniform(0.3, 0.9), 3)
    claim = {"a": str(a), "b": str(round(a + rng.uniform(0, 0.09), 3)), "items": rng.randint(100, 5000)}
    return claim | rng.choice([{}, {"agreement": "0.9"}, {"alpha": 0.01}, {"name": rng.choice(["x", "<b>", "é"])}])


def _compare(rng: random.Random) -> dict[str, Any]:
    extra: list[dict[str, Any]] = [{}, {"alpha": 0.01}, {"margin": 0.03}, {"lower_is_better": True}, {"test": "sign"}, {"interval": "wald"}, {"seed": 5}]  # fmt: skip
    a, b = rng.sample(["small", "large", "medium"], 2)
    return {"a": a, "b": b} | rng.choice(extra[:5])


def _rank(rng: random.Random) -> dict[str, Any]:
    return rng.choice(
        [{}, {"baseline": "small"}, {"alpha": 0.1}, {"baseline": "small", "margin": 0.02}, {"resamples": 199}]
    )


def _agreement(rng: random.Random) -> dict[str, Any]:
    return {"resamples": rng.choice([99, 150])} | rng.choice([{}, {"level": 0.9}])


_PLAIN: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "plan": _plan,
    "audit": _audit,
    "compare": _compare,
    "rank": _rank,
    "agreement": _agreement,
    "describe": lambda _: {},
    "evidence/fit": lambda _: {},
}


def _shaped(rng: random.Random) -> Request:
    """Any fields of a question with any values that the document allows for them."""
    verb = rng.choice(["plan", "plan", "audit", "compare", "rank", "agreement", "describe", "evidence/fit"])
    known = openapi_document()["components"]["schemas"][f"{verb.rpartition('/')[2]}.question"]["properties"]
    start = _PLAIN[verb](rng) if rng.random() < 0.7 else {}
    for name in rng.sample(sorted(known), min(len(known), rng.randint(0, 5))):
        start[name] = _value(known[name], rng)
    file = FILES.get(verb) if rng.random() < 0.9 else None
    if verb == "plan" and rng.random() < 0.2:
        file, start["kind"] = "answers.csv", "pilot"
    return Request(verb, _light(start), file, b"" if file is None else (EXAMPLES / file).read_bytes())


def _light(question: dict[str, Any]) -> dict[str, Any]:
    """Simulated a little: what is large on purpose has tests of its own."""
    light = {
        name: 99 if name in {"replicates", "resamples"} and isinstance(value, int) and value > 99 else value
        for name, value in question.items()
    }
    asks_for_items = "power" in light and "effect" in light and "items" not in light
    return light | ({"replicates": 99, "items": 50} if asks_for_items else {})


def _value(schema: dict[str, Any], rng: random.Random) -> Any:  # noqa: PLR0911  (one per type)
    if "anyOf" in schema:
        return _value(rng.choice(schema["anyOf"]), rng)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema["type"]
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "array":
        return [_value(schema["items"], rng) for _ in range(rng.randint(1, 4))]
    if kind == "object":
        return {rng.choice(SPELLINGS): rng.choice(SPELLINGS)}
    if kind == "string":
        text = "".join(rng.choices(string.printable, k=rng.randint(0, 12)))
        return rng.choice([rng.choice(SPELLINGS), rng.choice(HOSTILE), text])
    return _number(schema, rng)


def _number(schema: dict[str, Any], rng: random.Random) -> float:
    least = schema.get("minimum", schema.get("exclusiveMinimum", -2))
    most = schema.get("maximum", schema.get("exclusiveMaximum", least + 500))
    value = rng.choice([rng.uniform(least, most), least, most, rng.uniform(0.01, 0.99), rng.choice(ODD)])
    return int(value) if schema["type"] == "integer" else value


def _broken(rng: random.Random) -> Request:
    """What no document allows: values of other types, bytes that are no JSON, tables cut and mixed up."""
    verb = rng.choice(["plan", "audit", "compare", "rank", "agreement", "describe"])
    file = FILES.get(verb)
    content = b"" if file is None else _damaged((EXAMPLES / file).read_bytes(), rng)
    text = json.dumps(_PLAIN[verb](rng)).encode()
    if file is None and rng.random() < 0.5:
        return Request(verb, {}, body=_damaged(text, rng))
    question = _PLAIN[verb](rng)
    for name in rng.sample(sorted(question), min(len(question), 2)):
        question[name] = rng.choice([None, [], {}, [[1]], {"a": {"b": 1}}, True, rng.choice(HOSTILE), rng.choice(ODD)])
    question |= rng.choice(
        [
            {},
            {rng.choice(HOSTILE): 1},
            {"workers": "tcp://127.0.0.1:1"},
            {"files": "/etc/passwd"},
            {"save": "x"},
        ]
    )
    return Request(verb, question, rng.choice([file, f"{file}.gz", "x"]) if file else None, content)


def _damaged(content: bytes, rng: random.Random) -> bytes:
    made = bytearray(content[: rng.randint(0, len(content))] if rng.random() < 0.5 else content)
    for _ in range(rng.randint(0, 8)):
        if made:
            made[rng.randrange(len(made))] = rng.randrange(256)
    return bytes(made)


class Judge:
    """What every answer has to keep."""

    def __init__(self) -> None:
        document = openapi_document()
        shared = {"components": document["components"]}
        self._answers = {}
        for path, operations in document["paths"].items():
            (operation,) = operations.values()
            schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
            self._answers[path.removeprefix(f"{API}/")] = jsonschema.Draft202012Validator({**schema, **shared})
        self._problem = jsonschema.Draft202012Validator({"$ref": "#/components/schemas/Problem", **shared})

    def complaint(self, request: Request, answer: httpx.Response) -> str:
        """What is wrong with an answer; nothing where it is as promised."""
        if answer.status_code >= 500 and answer.status_code != 503:
            return f"{answer.status_code}: {answer.text[:200]}"
        if "Traceback" in answer.text:
            return "a traceback"
        validator = self._answers[request.verb] if answer.status_code == 200 else self._problem
        wanted = "application/json" if answer.status_code == 200 else "application/problem+json"
        if answer.headers["content-type"] != wanted:
            return f"of type {answer.headers['content-type']}"
        error = next(validator.iter_errors(answer.json()), None)
        if error is not None:
            return f"{answer.status_code} does not validate: {error.message[:300]}"
        return (
            f"{answer.status_code}: {answer.text[:300]}"
            if request.answerable and answer.status_code not in {200, 503}
            else ""
        )


@dataclass
class Score:
    """How all requests went."""

    statuses: Counter[tuple[bool, int]] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)

    def share(self, *codes: int, answerable: bool | None = None) -> float:
        among = {key: times for key, times in self.statuses.items() if answerable in {None, key[0]}}
        return sum(times for (_, code), times in among.items() if code in codes) / max(1, sum(among.values()))


def played(address: str, made: list[Request], hands: int = 4) -> Score:
    """All requests asked, several at a time."""
    judge, score = Judge(), Score()

    def ask(request: Request) -> tuple[Request, httpx.Response]:
        with httpx.Client(base_url=address, timeout=120) as client:
            return request, request.sent(client)

    with ThreadPoolExecutor(hands) as pool:
        for request, answer in pool.map(ask, made):
            score.statuses[request.answerable, answer.status_code] += 1
            if said := judge.complaint(request, answer):
                score.complaints.append(f"{request} → {said}")
    return score


def _main() -> int:
    from tests.web.conftest import finished, started  # noqa: PLC0415  (the suite brings its own)

    asked = argparse.ArgumentParser(prog="python -m tests.web.generated", description=__doc__)
    asked.add_argument("--cases", type=int, default=5000)
    asked.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = started(Path(folder))
        score = played(server.address, list(requests(given.seed, given.cases)), os.cpu_count() or 2)
        finished(server)
    for said in score.complaints:
        sys.stdout.write(f"{said}\n")
    sys.stdout.write(
        f"seed {given.seed}: {given.cases} requests, {len(score.complaints)} complaints; of those that should be answered "
        f"{score.share(200, answerable=True):.1%} were; 503: {score.share(503):.1%}; {dict(score.statuses)}\n"
    )
    kept = score.share(200, answerable=True) >= 0.95 and score.share(503) <= 0.01
    return int(not kept or bool(score.complaints))


if __name__ == "__main__":
    sys.exit(_main())
