"""Sentences about the list of input formats."""

from dataclasses import replace

from tellapart.answers.formats import FormatList
from tellapart.foundation.surfaces import option, verb


def with_texts(answer: FormatList) -> FormatList:
    sentence = (
        f"{len(answer.rows)} formats, each recognised by its content, also when renamed or gzipped. {verb('describe')} "
        f"shows what is in a file, and {option('as_')} names the format if the content does not show it."
    )
    return replace(answer, headline="what can be read", sentence=sentence)
