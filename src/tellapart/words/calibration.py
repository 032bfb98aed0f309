"""What a calibration says in words: whether every default holds or is known to fail, and how many do."""

from dataclasses import replace

from tellapart.results.calibration import Calibration


def told(answer: Calibration) -> Calibration:
    return replace(answer, headline=_headline(answer), sentence=_sentence(answer))


def _headline(answer: Calibration) -> str:
    if answer.failures:
        return "a default fails and nobody knows why"
    return "every default holds, or is known to fail"


def _sentence(answer: Calibration) -> str:
    defaults, boards = answer.defaults, answer.boards
    return (
        f"Of {sum(defaults.values())} scenarios the default test and interval keep size {answer.alpha:g} and coverage "
        f"{answer.level:g} in {defaults['holds']}, miss them by less than a point in {defaults['near']} and by more in "
        f"{defaults['fails']}; leaderboards keep their family-wise level in {boards['holds']} of {sum(boards.values())}."
    )
