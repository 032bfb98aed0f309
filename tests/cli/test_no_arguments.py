"""What is shown to whoever types a command and nothing else."""

import pytest

from tellapart.cli import main


@pytest.mark.parametrize("typed", [[], ["plan"]])
def test_nothing_typed_shows_the_help_as_it_is_printed(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """As --help shows it, line by line, and not as the message of an error."""
    printed = []
    for words in (typed, [*typed, "--help"]):
        with pytest.raises(SystemExit):
            main(words)
        printed.append("".join(capsys.readouterr()).strip())
    assert printed[0] == printed[1]
    assert printed[0].count("\n") > 10
