"""Sentences about a calibration: whether every default keeps its nominal level, and known failures."""

from dataclasses import replace

from tellapart.answers.calibration import Calibration
from tellapart.answers.reading_texts import STOPPED, cut_short
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import thousands

NOTES: NoteTexts[Calibration] = NoteTexts(STOPPED)


def with_texts(answer: Calibration) -> Calibration:
    notes = NOTES.with_texts(answer, answer.notes)
    return replace(
        answer,
        headline=("partial, " if answer.partial else "") + _calibration_headline(answer),
        sentence=_calibration_sentence(answer) + cut_short(notes),
        notes=notes,
    )


def _calibration_headline(answer: Calibration) -> str:
    if answer.failures:
        return "a default fails for no known reason"
    if answer.partial:
        return "no default that was measured fails without a known reason"
    return "no default fails without a known reason"


def _calibration_sentence(answer: Calibration) -> str:
    defaults, boards = answer.defaults, answer.boards
    return (
        f"Of {answer.scenarios} scenarios the default test and interval are shown to keep size and coverage near {answer.alpha:g} and "
        f"{answer.level:g} in {defaults['holds']}, fail in {defaults['fails']}, and neither is shown in {defaults['not shown']}; "
        f"leaderboards are shown to keep their family-wise level in {boards['holds']} of {answer.boards_measured} and fail in {boards['fails']}."
    )


@NOTES
def interrupted(_: Calibration, answered: int, asked: int, replicates: int | None, asked_replicates: int | None) -> str:
    return f"interrupted: {_partial_words(answered, asked, replicates, asked_replicates)}"


@NOTES
def time_limit(_: Calibration, answered: int, asked: int, replicates: int | None, asked_replicates: int | None) -> str:
    return f"stopped when the time was up: {_partial_words(answered, asked, replicates, asked_replicates)}"


def _partial_words(answered: int, asked: int, replicates: int | None, asked_replicates: int | None) -> str:
    if answered == asked and replicates is None:
        return "methods that are on no list of ours were not measured"
    said = f"{thousands(answered)} of {thousands(asked)} rows were measured"
    if replicates is None or asked_replicates is None:
        return said
    short = f"{thousands(replicates)} of {thousands(asked_replicates)} evaluations"
    return f"{said}, the last of them on {short}, and its bands are wider for it"
