"""Published tables, recomputed and compared. One file a subject; importing this room registers them all."""

from tellapart.studies.reproduction import (
    card_bleu,
    card_claims,
    card_figures,
    card_ratings,
    card_squad,
    card_survey,
    card_tables,
    embeddings,
    reasoning,
    retrieval,
    wmt17,
)
from tellapart.studies.reproduction.published import sources
from tellapart.studies.reproduction.run import reproduce

__all__ = [
    "card_bleu",
    "card_claims",
    "card_figures",
    "card_ratings",
    "card_squad",
    "card_survey",
    "card_swaps",
    "card_tables",
    "embeddings",
    "embeddings_text",
    "reasoning",
    "reproduce",
    "retrieval",
    "sources",
    "wmt17",
]
