"""What the contents of a store are in words."""

from dataclasses import replace

from tellapart.doors import option
from tellapart.results.store_contents import StoreContents
from tellapart.wording import amount


def told(answer: StoreContents) -> StoreContents:
    held = amount(len(answer.rows), "study").replace("studys", "studies")
    if answer.forgotten:
        return replace(
            answer, headline="forgotten", sentence=f"{answer.file} held {held}, and holds nothing any more."
        )
    if not answer.rows:
        return replace(
            answer, headline="an empty store", sentence=f"{answer.file} is a store and holds nothing."
        )
    whole = sum(row.replicates >= row.wanted for row in answer.rows)
    how_far = "" if whole == len(answer.rows) else f"{whole} of them "
    sentence = f"{answer.file} holds {held}, {how_far}as far as was asked for."
    elsewhere = sum(not row.usable for row in answer.rows)
    if elsewhere:
        sentence += (
            f" {elsewhere} of them {'was' if elsewhere == 1 else 'were'} computed by other versions or on another processor, and would be "
            f"computed anew here; {option('forget')} takes everything away."
        )
    return replace(answer, headline=f"{held} in store", sentence=sentence)
