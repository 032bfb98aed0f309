"""Sentences about the studies in a store file."""

from dataclasses import replace

from tellapart.answers.store import StoreContents
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option


def with_texts(answer: StoreContents) -> StoreContents:
    held = amount(len(answer.rows), "study")
    if answer.forgotten:
        return replace(answer, headline="forgotten", sentence=f"{answer.file} held {held}, and holds nothing any more.")
    if not answer.rows:
        return replace(answer, headline="an empty store", sentence=f"{answer.file} is a store and holds nothing.")
    how_far = "" if answer.finished == len(answer.rows) else f"{answer.finished} of them "
    sentence = f"{answer.file} holds {held}, {how_far}as far as was asked for."
    if elsewhere := answer.elsewhere:
        sentence += (
            f" {elsewhere} of them {'was' if elsewhere == 1 else 'were'} computed by other versions or on another processor, and would be "
            f"computed anew here; {option('forget')} takes everything away."
        )
    return replace(answer, headline=f"{held} in store", sentence=sentence)
