"""Bradley–Terry fit: P(i is preferred to j) is logistic in the difference of their strengths.

Strengths add up to 0. A tie counts as half a win (quasi-likelihood), or has a probability of its own in Davidson's (1970) model. The
advantage of the one shown first is one more coefficient. Where some systems won or lost all their votes, Firth's (1993) penalty keeps
strengths finite. Bradley & Terry (1952).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.pairwise import PairwiseVotes

TieModel = Literal["half", "davidson"]

STEPS = 100
CLOSE = 1e-12
"""A Newton step smaller than this, in logits, ends the search."""
UNIDENTIFIED = 1e-9
"""A smallest eigenvalue of the information below this share of the largest one is none."""
FARTHEST = 15.0
"""Logits that only votes without a finite fit reach: odds of three million to one."""


@dataclass(frozen=True, eq=False)
class Strengths:
    """Coefficients: a strength per system, then the advantage of being first and that of the control (where fitted), then the log of ν."""

    votes: PairwiseVotes
    coefficients: FloatArray
    ties: TieModel
    order: bool
    penalised: bool

    @property
    def strengths(self) -> FloatArray:
        return self.coefficients[: self.votes.systems]

    @property
    def advantage(self) -> float | None:
        """How much being shown first adds, in logits; taken off where second."""
        return float(self.coefficients[self.votes.systems]) if self.order else None

    @property
    def control(self) -> float | None:
        """How much one unit of the control adds, in logits."""
        return float(self.coefficients[self.votes.systems + self.order]) if self.votes.control is not None else None

    @property
    def covariates(self) -> list[FloatArray]:
        """Columns that move the logit beside the strengths: who was first, and the control."""
        return [
            *([self.votes.first] if self.order else []),
            *([] if self.votes.control is None else [self.votes.control]),
        ]

    @property
    def nu(self) -> float | None:
        return float(np.exp(self.coefficients[-1])) if self.ties == "davidson" else None

    @property
    def finite(self) -> bool:
        """Whether the search came to an end: covariates can separate votes that strengths alone do not."""
        return bool(np.abs(self.coefficients).max() < FARTHEST)

    def logits(self) -> FloatArray:
        votes, theta = self.votes, self.coefficients
        gap = theta[votes.a] - theta[votes.b]
        for place, column in enumerate(self.covariates, start=votes.systems):
            gap = gap + column * theta[place]
        return gap

    def chances(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Probabilities of a win of a, a tie and a loss, for every row."""
        gap = self.logits()
        if self.ties == "half":
            win = special.expit(gap)
            return win, np.zeros_like(win), 1.0 - win
        nu = float(np.exp(self.coefficients[-1]))
        gap = np.clip(gap, -4.0 * FARTHEST, 4.0 * FARTHEST)
        up, down = np.exp(gap / 2.0), np.exp(-gap / 2.0)
        total = up + down + nu
        return up / total, nu / total, down / total

    def residuals(self) -> tuple[FloatArray, FloatArray]:
        """The score of one vote of each row: for the logit between its systems, and for the log of ν."""
        win, tie, loss = self.chances()
        if self.ties == "half":
            return self.votes.points - win, np.zeros_like(win)
        return self.votes.points - 0.5 - 0.5 * (win - loss), (self.votes.points == 0.5) - tie

    def information_of_rows(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The information in one vote of each row: about the logit, about both, about the log of ν."""
        win, tie, loss = self.chances()
        if self.ties == "half":
            return win * loss, np.zeros_like(win), np.zeros_like(win)
        return 0.25 * (win + loss - (win - loss) ** 2), -0.5 * (win - loss) * tie, tie * (1.0 - tie)

    def information(self) -> FloatArray:
        """The negative second derivative of the log-likelihood, `(coefficient, coefficient)`; singular along equal strengths."""
        about_gap, about_both, about_nu = self.information_of_rows()
        weights, design = self.votes.weights, self.design()
        total = np.zeros((len(self.coefficients),) * 2)
        size = self.votes.systems
        laplacian = self.votes.matrix(weights * about_gap)
        laplacian = laplacian + laplacian.T
        total[:size, :size] = np.diag(laplacian.sum(axis=0)) - laplacian
        for place, (column, at_gap) in enumerate(design, start=size):
            slope = weights * (about_gap * column if at_gap else about_both)
            total[place, :size] = total[:size, place] = self.sums(slope)
            for other, (beside, also_gap) in enumerate(design, start=size):
                kind = about_gap if at_gap and also_gap else about_both if at_gap or also_gap else about_nu
                total[place, other] = float((weights * kind * column * beside).sum())
        return total

    def design(self) -> list[tuple[FloatArray, bool]]:
        """Columns beyond the strengths: covariates, which move the logit, and the log of ν, which does not."""
        columns = [(column, True) for column in self.covariates]
        return [*columns, (np.ones_like(self.votes.first), False)] if self.ties == "davidson" else columns

    def sums(self, values: FloatArray) -> FloatArray:
        """Values of the rows, added for a and taken off for b, `(system,)`."""
        size = self.votes.systems
        gained, lost = (np.bincount(places, values, size) for places in (self.votes.a, self.votes.b))
        return np.asarray(gained - lost, dtype=np.float64)

    def score(self) -> FloatArray:
        """The derivative of the log-likelihood, with Firth's penalty where that is asked for."""
        gap, nu = self.residuals()
        weights = self.votes.weights
        gap, nu = weights * gap, weights * nu
        if self.penalised:
            win, _, loss = self.chances()
            gap = gap + self.leverages() * 0.5 * (loss - win)
        beyond = [float(((gap if at_gap else nu) * column).sum()) for column, at_gap in self.design()]
        return np.concatenate([self.sums(gap), beyond])

    def inverse(self) -> FloatArray:
        """The covariance of the coefficients if votes are independent and the model true: strengths that add up to 0."""
        return inverse_about_zero(self.information(), self.votes.systems)

    def leverages(self) -> FloatArray:
        """How much of a coefficient the votes of each row determine, summed over its votes."""
        inverse, votes = self.inverse(), self.votes
        a, b = votes.a, votes.b
        spread = inverse[a, a] + inverse[b, b] - 2.0 * inverse[a, b]
        for at, column in enumerate(self.covariates, start=votes.systems):
            spread = spread + 2.0 * column * (inverse[a, at] - inverse[b, at])
            for beside, other in enumerate(self.covariates, start=votes.systems):
                spread = spread + column * other * inverse[at, beside]
        return votes.weights * self.information_of_rows()[0] * spread


def is_identified(votes: PairwiseVotes, *, order: bool) -> bool:
    """Whether covariates differ from any combination of strengths, as they do not where one system is always shown first."""
    beyond = int(order) + (votes.control is not None)
    information = Strengths(votes, np.zeros(votes.systems + beyond), "half", order, False).information()
    information[: votes.systems, : votes.systems] += 1.0 / votes.systems
    values = np.linalg.eigvalsh(information)
    return bool(values[0] > UNIDENTIFIED * values[-1])


def inverse_about_zero(information: FloatArray, systems: int) -> FloatArray:
    """The inverse of an information matrix on strengths that add up to 0; works on batches `(*batch, coefficient, coefficient)`."""
    level = np.zeros(information.shape[-2:])
    level[:systems, :systems] = 1.0 / systems
    return np.asarray(np.linalg.inv(information + level) - level)


def fit_strengths(votes: PairwiseVotes, ties: TieModel, *, order: bool, penalised: bool = False) -> Strengths:
    """The strengths that fit best, by Newton's method with halved steps where a whole one does not come closer."""
    beyond = int(order) + (votes.control is not None) + (ties == "davidson")
    fit = Strengths(votes, np.zeros(votes.systems + beyond), ties, order, penalised)
    score = fit.score()
    for _ in range(STEPS):
        step = fit.inverse() @ score
        size = 1.0
        while True:
            trial = Strengths(votes, fit.coefficients + size * step, ties, order, penalised)
            new = trial.score()
            if np.abs(new).max() < np.abs(score).max() or size < 1e-6 or np.abs(step).max() * size < CLOSE:
                break
            size /= 2.0
        fit, score = trial, new
        if np.abs(step).max() * size < CLOSE or not fit.finite:
            break
    return fit
