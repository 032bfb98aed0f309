"""Options of plug-ins and questions, each declared once, and the spelling `name(option=value, …)` for them.

`options`: a field with its type, default, range and help; `values`: how values are spelled and checked; `registry`: the
plug-ins and how they are found; `other_names`: names that other programs use.
"""

from tellapart.foundation.spelling.options import Option, Range, alternatives, argument, options, setting, wanted
from tellapart.foundation.spelling.other_names import right_name, right_option
from tellapart.foundation.spelling.registry import ALWAYS, Registry, Spelled, undeclared
from tellapart.foundation.spelling.values import Hundredths, Question, hundredths, name_of, read_value, spell, split

__all__ = [
    "ALWAYS",
    "Hundredths",
    "Option",
    "Question",
    "Range",
    "Registry",
    "Spelled",
    "alternatives",
    "argument",
    "hundredths",
    "name_of",
    "options",
    "read_value",
    "right_name",
    "right_option",
    "setting",
    "spell",
    "split",
    "undeclared",
    "wanted",
]
