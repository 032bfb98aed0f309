"""Rows or arrays as they were found, and how they become a table."""

from tellapart.records.given_arrays import (
    names_of_items,
    names_or_numbers,
    refuse_repeated,
    runs_of_items,
    stack_runs,
)
from tellapart.records.item_keys import ItemKeys, Items, only_items
from tellapart.records.packed_names import PackedArray, PackedNames, packed, unique_names
from tellapart.records.places import (
    clusters_of_items,
    identify,
    identify_in_groups,
    identify_items,
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
    "ItemKeys",
    "Items",
    "Labels",
    "PackedArray",
    "PackedNames",
    "Provenance",
    "Records",
    "Some",
    "clusters_of_items",
    "identify",
    "identify_in_groups",
    "identify_items",
    "in_order",
    "names_of_items",
    "names_or_numbers",
    "only_items",
    "packed",
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
    "unique_names",
]
