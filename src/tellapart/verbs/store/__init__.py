"""Contents of a store of finished simulations and resamples: the verb `store`."""

from tellapart.verbs.store.verb import contents

__all__ = ["contents"]
