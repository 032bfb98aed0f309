"""What a person sees, to the letter: a change of wording or layout is a change of these files, made on purpose.

`UPDATE_GOLDEN=1 python -m pytest tests/golden` rewrites them; the difference is then read before it is kept.
"""

import os
from pathlib import Path

import pytest
from tests.golden.cases import FORMS, made

from tellapart.render import render

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", FORMS)
def test_pages(name: str) -> None:
    """Every page is as it was last agreed on."""
    answer = made(name)
    for form in FORMS[name]:
        page, kept = render(answer, form), HERE / f"{name}.{form}.txt"
        if os.environ.get("UPDATE_GOLDEN"):
            kept.write_text(page, encoding="utf-8")
        assert page == kept.read_text(encoding="utf-8")
