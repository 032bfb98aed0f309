"""What a store holds."""

from tellapart.verbs.store.verb import contents

__all__ = ["contents"]
