"""Names that a package imports when they are first used."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tellapart.foundation.lazy_names import lazy_names

INIT = """
from typing import TYPE_CHECKING
from tellapart.foundation.lazy_names import lazy_names
if TYPE_CHECKING:
    from tellapart.foundation.arrays import snap, FloatArray as Floats
__getattr__ = lazy_names(__name__)
"""


def test_a_name_is_imported_when_it_is_first_used(tmp_path: Path) -> None:
    """Importing the package imports nothing behind its names; using one does, and a wrong one is an AttributeError."""
    (tmp_path / "plug").mkdir()
    (tmp_path / "plug" / "__init__.py").write_text(INIT, encoding="utf-8")
    code = (
        "import sys, plug\n"
        "before = 'tellapart.foundation.arrays' in sys.modules\n"
        "plug.snap; plug.Floats\n"
        "print(before, 'tellapart.foundation.arrays' in sys.modules, hasattr(plug, 'nothing'))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "False"]


def test_a_name_that_its_own_module_would_hide_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`package.name` would be the module as soon as that is imported."""
    init = tmp_path / "hidden" / "__init__.py"
    init.parent.mkdir()
    init.write_text("if TYPE_CHECKING:\n    from tellapart.hidden.thing import thing\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("tellapart.hidden", init)
    assert spec is not None
    monkeypatch.setitem(sys.modules, "tellapart.hidden", importlib.util.module_from_spec(spec))
    with pytest.raises(AssertionError, match="thing"):
        lazy_names("tellapart.hidden")
