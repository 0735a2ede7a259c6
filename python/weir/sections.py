"""Sections of experiment files as dicts; those that name a model are in `models`.

    weir.sections.experiment(duration="1 ms", warmup="0.1 ms")
    weir.sections.traffic(name="all", destinations="uniform", ...)

The functions are made from the catalogue when this is imported, and the library checks their
arguments.
"""

from __future__ import annotations

from typing import Any

from . import _weir
from ._builders import built_sections, document, given, identifier, named, signature
from .catalogue import Section


def _builder(section: Section):
    def build(**values: Any) -> dict[str, Any]:
        table = given(section.keys, values)
        _weir.check_section(section.name, table)
        return table

    text = document(section.purpose, section.keys)
    return named(build, identifier(section.name), __name__, text, signature(section.keys, "dict[str, Any]"))


for _section in built_sections():
    globals()[identifier(_section.name)] = _builder(_section)

__all__ = [identifier(section.name) for section in built_sections()]
