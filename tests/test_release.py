"""What is published: an sdist that runs its own tests, a wheel that works alone, links that lead somewhere, sound workflows."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from tests.network_guard.sitecustomize import LOG

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ADDRESS = PROJECT["urls"]["Documentation"]
BESIDE = Path(sys.executable).parent
LARGEST_WHEEL = 1_800_000
"""Of which 1.5 MB are code, compressed file by file: the highest level takes 3 kB off."""
LARGEST_BESIDE_NUMPY = 20_000_000
"""Installed bytes of everything but numpy and scipy, which take 164 MB (README)."""
INTERPRETERS = ("3.11", "3.12", "3.13", "3.14")
"""Those that the classifiers name; a test of one that is not there is skipped."""

needs_checkout = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout: an sdist has no .github")


def run(*words: str | Path, **options: object) -> str:
    """What a program prints; one that fails fails the test with all it said."""
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


def test_an_interpreter_for_every_classifier() -> None:
    said = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if "Python :: 3." in c]
    assert tuple(said) == INTERPRETERS


def addresses() -> list[str]:
    """Every link and picture of the README."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((?!http)", text) == []
    return re.findall(r"^\[[^\]]+\]: (\S+)$", text, re.MULTILINE)


@pytest.mark.parametrize("address", addresses())
def test_links_of_the_readme_are_pages_of_the_documentation(address: str) -> None:
    """The index shows the README outside of the repository: a relative link leads nowhere there."""
    assert address.startswith(ADDRESS)
    page, _, anchor = address.removeprefix(ADDRESS).partition("#")
    docs = ROOT / "docs"
    if page.endswith(".svg"):
        assert (docs / page).exists()
        return
    made = {"api.html": docs / "api.py", "gallery.html": docs / "gallery.py"}
    written = docs / page.replace(".html", ".md")
    source = made.get(page) or (written if written.exists() else ROOT / f"{page.removesuffix('.html').upper()}.md")
    text = source.read_text(encoding="utf-8")
    headings = {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}  # fmt: skip
    assert not anchor or anchor in headings


def test_every_link_of_the_readme_has_its_address() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    body, named = text.partition("\nMIT licence.")[0], re.findall(r"^\[([^\]]+)\]: ", text, re.MULTILINE)
    body = re.sub(r"```.*?```|`[^`]*`|^    .*?$", "", body, flags=re.DOTALL | re.MULTILINE)
    used = [second or first for first, second in re.findall(r"\[([^\]\[]+)\](?:\[([^\]]*)\])?", body)]
    assert {" ".join(name.split()).lower() for name in used} == set(named)


@needs_checkout
def test_workflows_and_citation_are_sound() -> None:
    """By the schemas that GitHub's and the citation format's tools use; no secret is read."""
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    assert {path.stem for path in workflows} == {"docs", "release", "test"}
    checker = BESIDE / "check-jsonschema"
    run(checker, "--builtin-schema", "vendor.github-workflows", *workflows)
    run(checker, "--builtin-schema", "vendor.citation-file-format", ROOT / "CITATION.cff")
    assert not any("secrets." in path.read_text(encoding="utf-8") for path in workflows)


def test_a_broken_workflow_is_found(tmp_path: Path) -> None:
    """Negative control: a job that runs nowhere."""
    file = tmp_path / "broken.yml"
    file.write_text("on: push\njobs:\n  test:\n    steps: []\n", encoding="utf-8")
    words: list[str | Path] = [
        BESIDE / "check-jsonschema",
        "--builtin-schema",
        "vendor.github-workflows",
        file,
    ]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 1


def test_the_version_of_the_citation() -> None:
    import tellapart  # noqa: PLC0415  (its version alone)

    said = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert said is not None
    assert said[1] == tellapart.__version__


@pytest.mark.exhaustive
def test_an_index_takes_it(built: Path) -> None:
    """Metadata and README render; the wheel is small and has its data."""
    run(sys.executable, "-m", "twine", "check", "--strict", *built.iterdir())
    (wheel,) = built.glob("*.whl")
    assert wheel.stat().st_size <= LARGEST_WHEEL
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    data = {p for p in (ROOT / "src").rglob("*") if p.is_file() and "__pycache__" not in p.parts}
    wanted = {str(p.relative_to(ROOT / "src")) for p in data if "egg-info" not in str(p)}
    assert wanted - held == set()


@pytest.mark.exhaustive
def test_the_sdist_runs_its_own_tests(built: Path, tmp_path: Path) -> None:
    """Every file that tests, documents and make need is there, and some of the tests pass beside no checkout."""
    (archive,) = built.glob("*.tar.gz")
    run("tar", "-xzf", archive, "-C", tmp_path)
    (folder,) = tmp_path.iterdir()
    if (ROOT / ".git").exists():
        tracked = run("git", "-C", ROOT, "ls-files", "src", "tests", "docs", "examples", "benchmarks").splitlines()
        assert [name for name in tracked if not (folder / name).exists()] == []
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    some = ("tests/effects", "tests/golden", "tests/test_agents.py", "tests/test_packaging.py")
    said = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *some, cwd=folder, env=environment)
    assert " passed" in said


@pytest.mark.exhaustive
@pytest.mark.parametrize("version", INTERPRETERS)
def test_the_wheel_works_alone(version: str, built: Path, tmp_path: Path) -> None:
    """In an empty environment the first commands of the README answer, in a path with a space."""
    interpreter = next(filter(answers, interpreters(version)), None)
    if interpreter is None:
        pytest.skip(f"Python {version} is not on this machine")
    place = tmp_path / "a place"
    run(interpreter, "-m", "venv", place)
    (wheel,) = built.glob("*.whl")
    pip: list[str | Path] = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--retries", "1"]
    # Installing may ask a package index; what was installed may ask nobody.
    unguarded = {name: value for name, value in os.environ.items() if name not in {LOG, "PYTHONPATH"}}
    needed = [re.split(r"[<>=!~;\[ ]", one)[0] for one in PROJECT["dependencies"]]
    trial = subprocess.run([*pip, "--dry-run", *needed], capture_output=True, check=False, env=unguarded)
    if trial.returncode:
        pytest.skip(f"no package index that can be reached has what Python {version} needs")
    run(*pip, wheel, env=unguarded)
    command = place / "bin" / "tellapart"
    scores = run(command, "example", "retrieval")
    assert "candidate is better than baseline" in run(command, "compare", "-", input=scores)
    assert "3,813" in run(command, "plan", "--accuracy", "0.7", "--effect", "0.02")
    libraries = next(place.glob("lib/python*/site-packages"))
    files = [f for f in libraries.rglob("*") if f.is_file() and f.suffix != ".pyc"]
    beside = [
        f for f in files if not f.relative_to(libraries).parts[0].startswith(("numpy", "scipy", "pip", "setuptools"))
    ]
    assert sum(f.stat().st_size for f in beside) <= LARGEST_BESIDE_NUMPY


def interpreters(version: str) -> list[str]:
    """On the path, and those that pyenv keeps."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return [*filter(None, [shutil.which(f"python{version}")]), *map(str, kept)]


def answers(interpreter: str) -> bool:
    """Pyenv has commands on the path for interpreters that are not active."""
    return subprocess.run([interpreter, "--version"], capture_output=True, check=False).returncode == 0
