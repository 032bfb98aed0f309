"""What should be known beside the coefficients, as codes and values."""

from tellapart.results.agreement import AgreementValue
from tellapart.results.note import Note
from tellapart.verbs.agreement.units import Units

NEARLY_ALL = 0.9
"""Share of the commonest rating from which chance agrees nearly as well as anybody."""

FEW_UNITS = 20
"""Units with two ratings below which quantiles of resamples are rough."""


def notes_of(units: Units, values: tuple[AgreementValue, ...]) -> tuple[Note, ...]:
    table = units.table
    single, paired = int((table.per_unit == 1).sum()), int((table.per_unit > 1).sum())
    notes = [Note("single_ratings", {"units": single})] if single else []
    if 0 < paired < FEW_UNITS:
        notes.append(Note("few_units", {"units": paired}))
    common = float(table.counts.sum(axis=0).max() / table.per_unit.sum()) if table.few_levels else 0.0
    if NEARLY_ALL <= common < 1.0:
        notes.append(Note("nearly_all_the_same", {"share": common}))
    if any(value.value is None for value in values):
        notes.append(Note("undefined_agreement"))
    if not values:
        notes.append(Note("no_shared_units"))
    if units.repeats:
        notes.append(Note("repeats_averaged", {"ratings": units.repeats}))
    return (*notes, Note("not_about_differences"))
