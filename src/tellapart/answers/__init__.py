"""Every kind of answer in a folder of its own: what it holds (`fields`), its sentences (`texts`), its `page` and its `charts`.

A verb makes the fields. `answers.texts.add_text` adds headline, sentence and the texts of notes; a note is a code with values first, so that a
program can ask for the code. Pages hold tables and lines (`page`) and are printed by `render`.
"""
