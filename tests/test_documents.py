"""Every example in the documents and docstrings runs."""

import doctest
import importlib
import importlib.util
import json
import pkgutil
import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.readers.formats import written

import tellapart
from tellapart import plan
from tellapart.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")


def modules() -> list[str]:
    found = pkgutil.walk_packages(tellapart.__path__, "tellapart.")
    return ["tellapart", *(m.name for m in found if not m.name.endswith("__main__"))]


@pytest.mark.parametrize("name", modules())
def test_docstring_examples(name: str) -> None:
    """Docstrings show what really comes out."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_readme_python(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The Python examples of the README run, and the first prints what stands below it."""
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})  # noqa: S102  (our own text)
    printed = " ".join(capsys.readouterr().out.split())
    assert "candidate 0.495 vs baseline 0.479 (nDCG@10, 300 items)" in printed
    shown = re.search(r"    (candidate 0\.495.*?)\n\n", README, re.DOTALL)
    assert shown is not None
    assert " ".join(shown[1].split()) in printed


def commands() -> list[str]:
    """What the pages tell the reader to type, but for the server, which answers until it is stopped (tests/web starts it)."""
    found = (re.findall(r"^    (tellapart [^#\n]*)", page, re.MULTILINE) for page in (README, GUIDE))
    return list(
        dict.fromkeys(
            command.strip() for some in found for command in some if not command.startswith("tellapart serve")
        )
    )


def _several_measures(rng: np.random.Generator) -> list[str]:
    """Rows of two systems with an accuracy, a latency and a cost."""
    rows = [(s, i, rng.integers(2), rng.lognormal(5.0), 0.01 + 0.001 * rng.random()) for s in "ab" for i in range(60)]
    return ["system,item,accuracy,latency_ms,cost", *(",".join(map(str, row)) for row in rows)]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the files that the README's commands name, made of the bundled examples."""
    rng = np.random.default_rng(0)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    retrieval = (ROOT / "examples" / "retrieval.csv").read_text(encoding="utf-8")
    (tmp_path / "scores.csv").write_text(retrieval, encoding="utf-8")
    rows = retrieval.splitlines()
    (tmp_path / "runs.csv").write_text(
        "\n".join([rows[0], *rows[1:], *(r.replace("nDCG@10", "AP") for r in rows[1:])])
        .replace("baseline", "bm25")
        .replace("candidate", "dense"),
        encoding="utf-8",
    )
    marks = rng.random((2, 3, 60)) < np.array([0.55, 0.7])[:, np.newaxis, np.newaxis]
    places = [(s, run, item) for s in range(2) for run in range(3) for item in range(60)]
    repeats = [f"{'ab'[s]},q{item},{run},{int(marks[s, run, item])}\n" for s, run, item in places]
    (tmp_path / "repeats.csv").write_text("".join(["system,item,run,score\n", *repeats]), encoding="utf-8")
    so_far = [f"q{item},{int(marks[0, 0, item])},{int(marks[1, 0, item])}\n" for item in range(60)]
    (tmp_path / "so_far.csv").write_text("".join(["item,base,new\n", *so_far]), encoding="utf-8")
    judged = [
        json.dumps({"system": s, "item": str(i), "conversation": f"c{i // 3}", "score": round(rng.random(), 3)})
        for s in "ab"
        for i in range(60)
    ]
    golden = ROOT / "tests" / "golden" / "data" / "judged.csv"
    (tmp_path / "judged.csv").write_text(golden.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "judged.jsonl").write_text("\n".join(judged), encoding="utf-8")
    tagged = ["system,item,tp,fp,fn"] + [
        f"{s},{i},{rng.integers(3)},{rng.integers(2)},{rng.integers(2)}" for s in "ab" for i in range(60)
    ]
    (tmp_path / "tagged.csv").write_text("\n".join(tagged), encoding="utf-8")
    weeks = ["week,item,old,new"] + [f"{i // 20},{i},{i % 9 / 9},{i % 7 / 7}" for i in range(60)]
    (tmp_path / "weeks.csv").write_text("\n".join(weeks), encoding="utf-8")
    topics = ["item,topic,level,old,new"] + [
        f"{i},{'math' if i % 3 else 'code'},{i % 2},{i % 9 / 9},{i % 7 / 7}" for i in range(60)
    ]
    (tmp_path / "topics.csv").write_text("\n".join(topics), encoding="utf-8")
    (tmp_path / "systems.csv").write_text("\n".join(_several_measures(rng)), encoding="utf-8")
    for name, gain in (("old", 0.0), ("new", 0.05)):
        lines = ["item,score"] + [f"{i},{i % 9 / 9 + gain + rng.random() / 50:.3f}" for i in range(60)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
    for month in ("may", "june"):
        lines = ["item,old,new"] + [f"{i},{rng.random():.3f},{rng.random():.3f}" for i in range(60)]
        (tmp_path / f"{month}.csv").write_text("\n".join(lines), encoding="utf-8")
    wide = ["item,base,new,third"] + [
        f"{i},{rng.random():.3f},{rng.random():.3f},{rng.random():.3f}" for i in range(60)
    ]
    for name in ("pilot", "results"):
        (tmp_path / f"{name}.csv").write_text("\n".join(wide), encoding="utf-8")
    plan(
        "paired_binary(accuracy=0.5, discordance=0.5, effect=0.2)", items=120, looks=2, save=str(tmp_path / "plan.json")
    )
    days = [f"2026-10-{1 + i // 20:02d},{i},{i % 3 // 2},{i % 5 // 4}\n" for i in range(60)]
    (tmp_path / "log.csv").write_text("".join(["day,item,base,new\n", *days]), encoding="utf-8")
    (tmp_path / "claims.csv").write_text("name,items,a,b\nours,1000,0.706,0.714\n", encoding="utf-8")
    _put_logs(tmp_path, rng)
    _put_outputs(tmp_path, rng)
    return tmp_path


def _put_outputs(desk: Path, rng: np.random.Generator) -> None:
    """Texts of systems beside their reference, and labels beside what was predicted."""
    lines = [" ".join(rng.choice(list("abcdefgh"), 6)) for _ in range(40)]
    (desk / "ref.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (desk / "outputs").mkdir()
    for file in ("a.txt", "b.txt", "outputs/x.txt", "outputs/y.txt", "outputs/z.txt"):
        said = [line[: int(rng.integers(6, 12))] for line in lines]
        (desk / file).write_text("\n".join(said) + "\n", encoding="utf-8")
    rows = [f"{s},{i},{'xyz'[i % 3]},{rng.choice(list('xyz'))}" for s in "ab" for i in range(60)]
    (desk / "predictions.csv").write_text("\n".join(["system,item,label,prediction", *rows]), encoding="utf-8")


def _put_logs(desk: Path, rng: np.random.Generator) -> None:
    """Logs of evaluation programs, as the README names them."""
    files: dict[str, bytes] = {}
    for n, name in enumerate("ab"):
        scores: dict[str, float | None] = {f"q-{i}": float(rng.integers(2)) for i in range(30)}
        files[f"{('base', 'new')[n]}.eval"] = files[f"logs/{name}.json"] = written.inspect(name, scores)
        strict = written.lm_eval(name, scores).replace(b'"none"', b'"strict-match"')
        files[f"out/{name}/samples_gsm8k_2026-01-01T00-00-00.{n}.jsonl"] = strict.replace(b'"acc"', b'"exact_match"')
        folder = f"runs/v1/qa:model=lab_{name}"
        files[f"{folder}/per_instance_stats.json"] = written.helm(name, scores).replace(b"exact", b"quasi_exact")
        files[f"{folder}/run_spec.json"] = json.dumps(
            {"name": "qa:model=x", "adapter_spec": {"model": f"lab/{name}"}}
        ).encode()
        files[f"{'xy'[n]}.run1.json"] = written.swebench(name, {**scores, f"q-{n}": None})
    rows = [json.loads(written.promptfoo(name, scores))["results"]["results"] for name in "abc"]
    found = json.loads(written.promptfoo("a", scores))
    found["results"]["results"] = [row for some in rows for row in some]
    files["output.json"] = json.dumps(found).encode()
    for path, content in files.items():
        (desk / path).parent.mkdir(parents=True, exist_ok=True)
        (desk / path).write_bytes(content)


@pytest.mark.parametrize("command", commands())
def test_readme_commands(
    command: str, desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command of the README and of the guide answers."""
    monkeypatch.chdir(desk)
    with pytest.raises(SystemExit) as stop:
        main(shlex.split(command.partition(" > ")[0])[1:])
    out, err = capsys.readouterr()
    assert stop.value.code == 0, err
    assert out


def test_generated_pages_are_up_to_date() -> None:
    """docs/populations.md, docs/formats.md and docs/metrics.md say what the registries say; rewrite them with `python docs/generate.py`."""
    script = ROOT / "docs" / "generate.py"
    spec = importlib.util.spec_from_file_location("generate", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.populations() == (ROOT / "docs" / "populations.md").read_text(encoding="utf-8")
    assert module.formats() == (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert module.metrics() == (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    for path in module.SECTIONS:
        assert module.up_to_date(path) == path.read_text(encoding="utf-8")


def test_readme_lines_fit_a_terminal() -> None:
    """Under 100 columns, tables and printed pages included."""
    long = [line for line in README.splitlines() if len(line) >= 100]
    assert long == []
