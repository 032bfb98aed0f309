"""Options said once, and one spelling for everything that has options.

`options` is a field with its type, default, range and help; `accepting` checks what is given for one; `registry` the plug-ins made of them, `values` how
what they are given is spelled; `folder` finds them.
"""

from tellapart.spelling.accepting import Question
from tellapart.spelling.folder import import_files
from tellapart.spelling.options import Option, alternatives, argument, options, setting, wanted
from tellapart.spelling.other_names import right_name, right_option
from tellapart.spelling.ranges import Range
from tellapart.spelling.registry import ALWAYS, Registry, Spelled, unsaid
from tellapart.spelling.values import name_of, read_value, spell, split

__all__ = [
    "ALWAYS",
    "Option",
    "Question",
    "Range",
    "Registry",
    "Spelled",
    "alternatives",
    "argument",
    "import_files",
    "name_of",
    "options",
    "read_value",
    "right_name",
    "right_option",
    "setting",
    "spell",
    "split",
    "unsaid",
    "wanted",
]
