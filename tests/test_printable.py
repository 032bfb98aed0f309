"""Which characters of a name are shown as they are, and which are spelled out."""

import sys
import unicodedata

import pytest

from tellapart.foundation.formatting import printable

JOINING = {"\u200c", "\u200d"}
"""Scripts and emoji are written with them."""
DRAWN = {
    *map(chr, [*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD]),
    *map(chr, [*range(0x13430, 0x13440), *range(0x1BCA0, 0x1BCA4)]),
}
"""Format characters of scripts, which are seen or shape what is beside them: signs of numbers and verses, hieroglyphs, shorthand."""
UNSEEN = {"Cc", "Cf", "Zl", "Zp", "Cs"}


@pytest.mark.parametrize("category", sorted(UNSEEN))
def test_what_cannot_be_seen_is_spelled_out(category: str) -> None:
    """Every code point there is: what acts on a terminal, turns a line round or hides is never printed."""
    acting = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) == category]
    shown = {c for c in acting if printable(c) == c}
    assert shown <= JOINING | DRAWN
    assert not {c for c in shown if unicodedata.bidirectional(c) in {"LRE", "LRO", "RLE", "RLO", "PDF"}}


def test_what_can_be_seen_is_left_alone() -> None:
    plain = [c for c in map(chr, range(0x20, 0xD800)) if unicodedata.category(c) not in {*UNSEEN, "Cn"}]
    text = "".join(plain)
    assert printable(text) == text
