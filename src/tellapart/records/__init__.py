"""Rows or arrays as they were found, and how they become a table."""

from tellapart.records.given_arrays import (
    names_of_items,
    names_or_numbers,
    refuse_repeated,
    runs_of_items,
    stack_runs,
)
from tellapart.records.places import (
    clusters_of_items,
    identify,
    identify_in_groups,
    in_order,
    place_runs,
    recode,
    refuse_sparse,
)
from tellapart.records.rows import (
    Labels,
    Provenance,
    Records,
    Some,
    refuse_unfit_names,
    show_item,
    show_items,
    unfit_name,
)

__all__ = [
    "Labels",
    "Provenance",
    "Records",
    "Some",
    "clusters_of_items",
    "identify",
    "identify_in_groups",
    "in_order",
    "names_of_items",
    "names_or_numbers",
    "place_runs",
    "recode",
    "refuse_repeated",
    "refuse_sparse",
    "refuse_unfit_names",
    "runs_of_items",
    "show_item",
    "show_items",
    "stack_runs",
    "unfit_name",
]
