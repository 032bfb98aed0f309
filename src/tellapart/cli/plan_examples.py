"""Example commands in the help of `plan`: two for each population, and two for `plan` itself."""

import copy
from typing import Any

import click

from tellapart.foundation.spelling import options, spell
from tellapart.populations import POPULATIONS, Population

_GAUSSIAN = "tellapart plan gaussian --sd 0.12 --correlation 0.8"
_BINARY = "tellapart plan paired_binary --accuracy 0.7 --effect 0.02"
_PILOT = "tellapart plan pilot scores.csv --a baseline --b candidate --effect 0.02"
_PROPORTIONS = "tellapart plan proportions --accuracy 0.7 --effect 0.05"
_BETA = "tellapart plan beta --mean 0.6 --sd 0.2 --correlation 0.8 --effect 0.02"
_CLUSTERED = 'tellapart plan clustered --population "gaussian(sd=0.1,correlation=0.8)" --size 5 --icc 0.2 --effect 0.02'
_RATINGS = "tellapart plan ratings --rater-effect-sd 0.1 --item-effect-sd 0.28 --residual-sd 0.26 --effect 0.2"
_ORDINAL = (
    'tellapart plan ordinal --population "ratings(raters=8,rater_effect_sd=0.3,item_effect_sd=0.4,residual_sd=1)" '
    "--thresholds -1.5:-0.5:0.5:1.5 --effect 0.3 --replicates 1000"
)
_VOTES = "tellapart plan votes --share 0.6 --ties 0.2"

_BLEU = "tellapart plan delta_laplace --zero-share 0.13 --scale 25.8"
_RETRIEVAL = "tellapart plan retrieval --mean 0.45 --sd 0.3 --zero-share 0.1 --correlation 0.8"

_F1 = "tellapart plan confusion --metric f1 --prevalence 0.15 --recall 0.62 --specificity 0.95 --correlation 0.6 --effect 0.05"

EXAMPLES = ("tellapart plan --accuracy 0.7 --effect 0.02", f"{_GAUSSIAN} --items 500,1000,2000")

OF_POPULATIONS = {
    "gaussian": (f"{_GAUSSIAN} --effect 0.01 --power 0.8", f"{_GAUSSIAN} --items 500 --power 0.8"),
    "paired_binary": (f"{_BINARY} --items 500,1000,2000", f"{_BINARY} --discordance 0.1 --power 0.8"),
    "pilot": (f"{_PILOT} --items 500", f"{_PILOT} --power 0.8 --replicates 1000"),
    "proportions": (f"{_PROPORTIONS} --items 1000", f"{_PROPORTIONS} --items 500,2000 --format csv"),
    "beta": (f"{_BETA} --items 300", f"{_BETA} --items 100,200 --test wilcoxon"),
    "clustered": (f"{_CLUSTERED} --items 500", f"{_CLUSTERED} --power 0.8"),
    "ratings": (f"{_RATINGS} --raters 3,10 --items 100", f"{_RATINGS} --budget 400 --cost-rating 0.1 --cost-rater 10"),
    "ordinal": (f"{_ORDINAL} --items 40", f"{_ORDINAL} --items 40 --mean 0,1.5"),
    "votes": (f"{_VOTES} --power 0.8", f"{_VOTES} --items 100,200,400"),
    "confusion": (f"{_F1} --items 1000 --test paired_t", f"{_F1} --power 0.8 --test paired_t --engine formula"),
    "delta_laplace": (f"{_BLEU} --effect 1 --items 2000", f"{_BLEU} --effect 0.5,1,2 --power 0.8"),
    "retrieval": (f"{_RETRIEVAL} --effect 0.02 --power 0.8", f"{_RETRIEVAL} --items 100,250 --power 0.8"),
}


def population_examples(kind: type[Population]) -> tuple[str, str]:
    """Commands that plan for a population: those above, or the first of its own examples, which has an effect."""
    if kind.name in OF_POPULATIONS:
        return OF_POPULATIONS[kind.name]
    example = POPULATIONS.parse(kind.examples[0])
    given = {one.name: getattr(example, one.name) for one in options(kind)}
    flags = (f"--{name.replace('_', '-')} {_quoted(value)}" for name, value in given.items() if value is not None)
    command = f"tellapart plan {kind.name} {' '.join(flags)}"
    return f"{command} --items 500", f"{command} --power 0.8"


def _quoted(value: Any) -> str:
    text = spell(value)
    return f'"{text}"' if "(" in text else text


# A command that a server runs again and again.


class Kept(click.Command):
    """A command that keeps its parser: click makes one for every run, which takes as long as parsing a plan."""

    _params: list[click.Parameter] | None = None
    _parser: Any = None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if self._params is None:
            self._params = super().get_params(ctx)
        return self._params

    def make_parser(self, ctx: click.Context) -> Any:
        if self._parser is None:
            self._parser = super().make_parser(ctx)
        parser = copy.copy(self._parser)
        parser.ctx = ctx  # whom it tells of errors
        return parser
