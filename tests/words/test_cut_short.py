"""What a partial answer says of itself where it is quoted."""

from tellapart.answers.parts import Note
from tellapart.answers.reading_texts import cut_short


def test_a_note_is_quoted_as_it_stands() -> None:
    """With a capital in front, and names as they are written; other notes are not quoted."""
    told = Note("interrupted", {}, "interrupted: McNemar's rows of GSM8K were not reached")
    assert cut_short((told, Note("resampled", {}, "by flips"))) == (
        " Interrupted: McNemar's rows of GSM8K were not reached."
    )
