"""Published tables, recomputed and compared, one file per subject; importing this package registers them."""

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
