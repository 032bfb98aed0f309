"""The files that tutorials are about, made anew from seeds: two logs of an evaluation, runs with their judgements, claims of a paper."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
QUERIES, DOCUMENTS = 80, 60


def lay_out(desk: Path) -> None:
    """All files of all tutorials in one folder."""
    shutil.copytree(ROOT / "examples", desk / "examples", dirs_exist_ok=True)
    _logs(desk, np.random.default_rng(11))
    _epochs(desk, np.random.default_rng(14))
    _runs(desk, np.random.default_rng(12))
    _claims(desk)
    _sheets(desk, np.random.default_rng(13))
    _arena(desk)


def _arena(desk: Path) -> None:
    """50,000 battles, which are too large to lie beside the other examples."""
    sys.path.insert(0, str(ROOT))
    from examples import make_examples  # noqa: PLC0415  (as above)

    make_examples.write("arena", desk)


def _logs(desk: Path, rng: np.random.Generator) -> None:
    """Two logs of Inspect, of the shape that the readers are tested with: 400 questions, right or wrong."""
    sys.path.insert(0, str(ROOT))
    from tests.readers.formats import written  # noqa: PLC0415  (the writer lies beside the tests of its reader)

    difficulty = rng.normal(size=400)
    for name, skill in (("base", 0.55), ("tuned", 0.72)):
        right = difficulty + 0.6 * rng.normal(size=400) < skill
        scores: dict[str, float | None] = {f"q{i:03d}": float(x) for i, x in enumerate(right)}
        (desk / f"{name}.json").write_bytes(written.inspect(name, scores))


def _epochs(desk: Path, rng: np.random.Generator) -> None:
    """Two logs of Inspect in which every one of 150 problems is tried five times, with a chance of its own."""
    from tests.readers.formats import written  # noqa: PLC0415  (as above)

    hard = rng.normal(size=150)
    for name, skill in (("greedy", 0.55), ("searching", 0.85)):
        chances = 1.0 / (1.0 + np.exp(-2.0 * (skill - hard + 0.5 * rng.normal(size=150))))
        tries = rng.random((5, 150)) < chances
        logs = [
            json.loads(written.inspect(name, {f"p{i:03d}": float(x) for i, x in enumerate(right)})) for right in tries
        ]
        samples = [sample | {"epoch": epoch} for epoch, log in enumerate(logs, 1) for sample in log["samples"]]
        about = logs[0]["eval"] | {"config": {"epochs": 5}}
        whole = logs[0] | {"eval": about, "samples": samples}
        (desk / f"{name}.json").write_text(json.dumps(whole), encoding="utf-8")


def _runs(desk: Path, rng: np.random.Generator) -> None:
    """Judgements of TREC, and two runs that put relevant documents higher up than chance would, one a little more so."""
    relevant = rng.random((QUERIES, DOCUMENTS)) < 0.15
    lines = [f"{q} 0 d{d} {int(relevant[q, d])}" for q in range(QUERIES) for d in range(DOCUMENTS)]
    (desk / "qrels.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shared = rng.normal(size=(QUERIES, DOCUMENTS))
    for name, skill in (("bm25", 0.9), ("dense", 1.15)):
        score = skill * relevant + 0.7 * shared + 0.6 * rng.normal(size=shared.shape)
        ranked = [
            f"{q} Q0 d{d} {rank} {score[q, d]:.5f} {name}"
            for q in range(QUERIES)
            for rank, d in enumerate(np.argsort(-score[q])[:40].tolist(), 1)
        ]
        (desk / f"{name}.run").write_text("\n".join(ranked) + "\n", encoding="utf-8")


def _claims(desk: Path) -> None:
    rows = [
        "name,dataset,items,a,b",
        "Ours,SST-2,1821,0.949,0.957",
        "Ours,RTE,277,0.704,0.733",
        "Ours,MNLI,9815,0.846,0.861",
    ]
    (desk / "claims.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _sheets(desk: Path, rng: np.random.Generator) -> None:
    """Tables that methods of clusters, of systems on items of their own, and of votes in two orders need, and trainings with several seeds."""
    scores = zip(rng.uniform(0.3, 0.8, 100), 0.03 + 0.08 * rng.normal(size=100), strict=True)
    rows = [f"q{i},c{i // 10},{a:.2f},{np.clip(a + gain, 0, 1):.2f}\n" for i, (a, gain) in enumerate(scores)]
    (desk / "dialogues.csv").write_text("".join(["item,conversation,base,new\n", *rows]), encoding="utf-8")
    for name, share in (("spring", 0.6), ("autumn", 0.72)):
        marks = [f"{name}{i},{int(right)}\n" for i, right in enumerate(rng.random(150) < share)]
        (desk / f"{name}.csv").write_text("".join(["item,right\n", *marks]), encoding="utf-8")
    winners, first = (np.where(rng.random(120) < share, "new", "base") for share in (0.6, 0.7))
    lines = [f"base,new,{winner},{shown}\n" for winner, shown in zip(winners, first, strict=True)]
    (desk / "preferences.csv").write_text("".join(["a,b,winner,first\n", *lines]), encoding="utf-8")
    luck, hard = (
        {"base": 0.02 * rng.normal(size=4), "new": 0.03 + 0.02 * rng.normal(size=4)},
        rng.uniform(0.3, 0.8, 60),
    )
    trained = [
        f"q{item},{system},{seed},{hard[item] + gain + 0.1 * rng.normal():.3f}\n"
        for system, gains in luck.items()
        for seed, gain in enumerate(gains)
        for item in range(60)
    ]
    people = {system: rng.random(200) < share for system, share in (("old", 0.6), ("new", 0.75))}
    judged = [
        f"{system},{item},{right if sure else 1 - right},{right if item < 60 else ''}\n"
        for system, labels in people.items()
        for item, (right, sure) in enumerate(zip(labels.astype(int), rng.random(200) < 0.85, strict=True))
    ]
    (desk / "judged.csv").write_text("".join(["system,item,judge,human\n", *judged]), encoding="utf-8")
    (desk / "trained.csv").write_text("".join(["item,system,seed,score\n", *trained]), encoding="utf-8")
