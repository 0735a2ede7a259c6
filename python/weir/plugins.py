"""Models of shared libraries."""

from __future__ import annotations

import os

from . import _weir, models
from ._builders import identifier
from .catalogue import catalogue


def load_plugin(path: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """Loads a plug-in: its models are known to every experiment of this process from here on.

    Returns the kind and the name of each. `catalogue()` has them, and `models` functions for them.
    The hash of the library's content is part of what results folders know a run by. Loading it
    again is fine; while a run is at work in another thread it is not. Raises InputError for a file
    that is no plug-in, or one for another version of weir.
    """
    loaded = _weir.load_plugin(os.fspath(path))
    kinds = catalogue().kinds
    for kind, name in loaded:
        if hasattr(models, kind):
            setattr(getattr(models, kind), identifier(name), models.builder(kinds[kind][name]))
    return loaded
