"""Models as dicts: what stands in the section, or behind the key, that chooses one.

    weir.models.topology.k_ary_n_tree(k=4, n=3)   # {"model": "k-ary-n-tree", "k": 4, "n": 3}
    weir.models.arrivals.poisson(load=0.4)

The functions are made from the catalogue when this is imported. The library checks their arguments:
InputError says what is wrong. What is left out is not in the dict: the library knows the default.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from . import _weir
from ._builders import built_models, document, given, identifier, keys_of, named, signature
from .catalogue import Model


def builder(model: Model):
    """The function that makes a model's table."""
    keys = keys_of(model)

    def build(**values: Any) -> dict[str, Any]:
        table = given(keys, values)
        _weir.check_model(model.kind, model.name, table)
        return {"model": model.name, **table}

    name = identifier(model.name)
    text = document(model.purpose, keys, model.citation)
    return named(build, name, f"{__name__}.{model.kind}", text, signature(keys, "dict[str, Any]"))


for _kind, _models in built_models().items():
    globals()[_kind] = SimpleNamespace(**{identifier(model.name): builder(model) for model in _models})

__all__ = sorted(built_models())
