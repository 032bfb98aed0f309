"""One correction per file, registered beside its definition: a new file here is all that a new correction takes."""

import importlib
import pkgutil

from tellapart.multiplicity.corrections.correction import CORRECTIONS, Correction, Guarantee, PvalueCorrection

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")

__all__ = ["CORRECTIONS", "Correction", "Guarantee", "PvalueCorrection"]
