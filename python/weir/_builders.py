"""Functions that are made from the catalogue, for `models`, `sections`, `queueing` and `rates`."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Iterable
from typing import Any

from .catalogue import Key, Model, Section, catalogue

KNOWN = catalogue()

# Chosen by a key that takes the name alone.
_CHOSEN_BY_NAME = {"experiment", "rates", "preset"}
_TYPES = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "text": "str",
    "time": "str",
    "bytes": "str",
    "rate": "str",
    "ints": "Sequence[int]",
    "floats": "Sequence[float]",
    "texts": "Sequence[str]",
    "path": "str | PathLike[str]",
    "any": "Any",
}


def identifier(name: str) -> str:
    """A name of the catalogue as Python writes it: "k-ary-n-tree" is k_ary_n_tree."""
    text = name.replace("-", "_").replace(".", "_")
    return text + "_" if keyword.iskeyword(text) else text


def annotation(key: Key) -> str:
    """The type of the values of a key."""
    if key.choices:
        return "Literal[" + ", ".join(f'"{choice}"' for choice in key.choices) + "]"
    return _TYPES[key.type]


def signature(keys: Iterable[Key], returns: str, more: Iterable[inspect.Parameter] = ()) -> inspect.Signature:
    """Keyword arguments for the keys. Ones that may be left out are None by default."""
    parameters = [
        inspect.Parameter(
            identifier(key.name),
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if key.is_required else None,
            annotation=annotation(key) if key.is_required else f"{annotation(key)} | None",
        )
        for key in keys
    ]
    return inspect.Signature([*parameters, *more], return_annotation=returns)


def document(purpose: str, keys: Iterable[Key], citation: str = "") -> str:
    """A docstring: purpose, a line for each key, source."""
    lines = [f"{identifier(key.name)}: {key.about()}" for key in keys]
    parts = [purpose + ("" if purpose.endswith(".") else ".")]
    if lines:
        parts.append("\n".join(lines))
    if citation:
        parts.append(f"Source: {citation}")
    return "\n\n".join(parts)


def given(keys: Iterable[Key], values: dict[str, Any]) -> dict[str, Any]:
    """Arguments by the names of their keys, without those that were left out."""
    names = {identifier(key.name): key.name for key in keys}
    return {names.get(name, name): value for name, value in values.items() if value is not None}


def keys_of(model: Model) -> tuple[Key, ...]:
    """The keys of a model with those that its section adds."""
    section = KNOWN.sections.get(model.kind)
    return model.keys + (section.keys if section is not None else ())


def built_models() -> dict[str, list[Model]]:
    """Models that a table with the key `model` names, by kind."""
    return {kind: list(models.values()) for kind, models in KNOWN.kinds.items() if kind not in _CHOSEN_BY_NAME}


def built_sections() -> list[Section]:
    """Sections that hold keys of their own and name no model."""
    return [one for one in KNOWN.sections.values() if not one.kind and one.keys]


def named(function: Callable, name: str, module: str, doc: str, shape: inspect.Signature) -> Callable:
    """Gives a function its name, text and arguments."""
    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    function.__doc__ = doc
    function.__signature__ = shape
    return function
