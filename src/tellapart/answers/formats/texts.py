"""Sentences about the list of input formats."""

from dataclasses import replace

from tellapart.answers.formats import FormatList
from tellapart.foundation.surfaces import option, verb


def with_texts(answer: FormatList) -> FormatList:
    sentence = (
        f"{len(answer.rows)} formats, each known by its content: renamed or gzipped, a file is what it is. {verb('describe')} says what is in "
        f"a file, and {option('as_')} names the format where the content leaves it open."
    )
    return replace(answer, headline="what can be read", sentence=sentence)
