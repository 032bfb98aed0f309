"""JUnit XML as strangers may write it: declarations, depth, long tags, and what a report legitimately holds."""

import tracemalloc
from pathlib import Path

import pytest

from tellapart import read
from tellapart.foundation.errors import ReadError

ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 1000}">' for n in range(6))
REPORT = '<testsuite><testcase classname="c" name="t"><failure>&e5;</failure></testcase></testsuite>'


def refused(folder: Path, content: str, **limits: int) -> str:
    file = folder / "r.xml"
    file.write_text(content)
    tracemalloc.start()
    with pytest.raises(ReadError) as error:
        read(str(file), format="pytest", limits=limits)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40e6
    return str(error.value)


@pytest.mark.parametrize(
    "before",
    ["", "<!-- a comment -->", "<!--" + "x" * 300_000 + "-->", '<?xml version="1.0"?>\n\n<?pi?>'],
    ids=["first", "after a comment", "far", "after instructions"],
)
def test_declarations_are_refused_wherever_they_stand(tmp_path: Path, before: str) -> None:
    """An internal entity that unfolds to gigabytes stood behind a comment, where nobody looked."""
    content = f"{before}<!DOCTYPE testsuite [{ENTITIES}]>{REPORT}"
    assert "an XML document with declarations" in refused(tmp_path, content)


def test_depth_and_long_tags(tmp_path: Path) -> None:
    assert "nesting" in refused(tmp_path, "<a>" * 1_000_000, nesting=200)
    assert "deep" in refused(tmp_path, f"<testsuite><testcase name='x'>{'<a>' * 300}")
    assert "record" in refused(tmp_path, f"<testsuite><testcase name='{'x' * 400_000}'", record=200_000)
    assert "not whole XML" in refused(tmp_path, "<testsuite><testcase name='x'>")


def test_a_report_is_read_as_before(tmp_path: Path) -> None:
    """With a namespace, properties of either form, and output that is not kept."""
    cases = "".join(
        f'<testcase classname="c" name="t{n}"><properties><property name="score" value="0.{n}"/>'
        f'<property name="more">{n}</property></properties><system-out>{"x" * 1000}</system-out>'
        f"{'<failure>no</failure>' if n % 2 else ''}</testcase>"
        for n in range(4)
    )
    for opening in ("<testsuite>", '<testsuite xmlns="urn:junit">'):
        for name in "ab":
            (tmp_path / f"{name}.xml").write_text(f'<?xml version="1.0"?>{opening}{cases}</testsuite>')
        files = [str(tmp_path / "a.xml"), str(tmp_path / "b.xml")]
        for measure, wanted in (("outcome", [1, 0, 1, 0]), ("score", [0, 0.1, 0.2, 0.3]), ("more", range(4))):
            assert read(files, measure=measure).values[1].ravel().tolist() == list(wanted)
