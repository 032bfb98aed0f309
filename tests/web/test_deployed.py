"""What the examples of a unit and of an image start is a command that there is."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tellapart.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "serve"


def commands() -> dict[str, list[str]]:
    """The words behind the name of the program."""
    image = re.findall(r"^CMD (.*)$", (EXAMPLES / "Dockerfile").read_text(), re.MULTILINE)[0]
    unit = re.findall(r"^ExecStart=(.*)$", (EXAMPLES / "tellapart.service").read_text(), re.MULTILINE)[0]
    return {
        "Dockerfile": shlex.split(json.loads(image)[-1].removeprefix("exec ")),
        "tellapart.service": shlex.split(unit),
    }


@pytest.mark.parametrize("name", ["Dockerfile", "tellapart.service"])
def test_its_command_is_understood_and_asks_for_its_token(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    program, verb, *flags = commands()[name]
    assert (Path(program).name, verb) == ("tellapart", "serve")
    with pytest.raises(SystemExit) as left:
        main([verb, *flags])  # there is no token at its place here, so that it says that and does not listen
    assert left.value.code == 2
    assert "--token-file" in capsys.readouterr().err
    with pytest.raises(SystemExit) as left:
        main([verb, *flags, "--print-openapi"])
    assert left.value.code in {0, None}
