"""LaTeX for a paper: booktabs tables by the kind of their columns, every special character escaped."""

import re

from tellapart.answers.page import Page
from tellapart.render.latex import NEEDS, latex


def test_the_whole_page(page: Page) -> None:
    """Tables, the sentence, and the signature as a comment; figures are left out."""
    assert latex(page).splitlines() == [
        NEEDS,
        "",
        "% both systems",
        r"\begin{tabular}{lrrl}",
        r"\toprule",
        r"system & score & 95 \% CI & method \\",
        r"\midrule",
        r"large & 0.757 & [0.70, 0.81] & wilson \\",
        r"xs & $-$0.5 & [$-$1, 0] & student\_t \\",
        r"\bottomrule",
        r"\end{tabular}",
        "",
        r"large 0.757 vs xs $-$0.5.",
        "",
        "% tellapart 0.1.0 compare | seed=0",
    ]


def test_special_characters_are_escaped(hostile: Page) -> None:
    """What is left without our own commands holds no character that TeX would act on."""
    sentence = latex(hostile).split("\n\n")[2]
    ours = r"\\text(?:backslash|asciitilde|asciicircum|bar|asciigrave)\{\}|\$[<>]\$|\\[&%$#_{}]"
    assert re.search(r"[\\&%$#_{}~^<>]", re.sub(ours, "", sentence)) is None
    assert sentence.count(r"\textbackslash{}") == 1
