"""What weir knows: kinds of models, sections of experiment files, metrics, and where they come from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pandas as pd

from . import _weir


@dataclass(frozen=True)
class Key:
    """A key of a model or of a section."""

    name: str
    type: str
    """bool, int, float, text, time, bytes, rate, ints, floats, texts, path or any."""
    help: str
    default: str | None
    """As a file writes it, without quotes; None: there is none."""
    is_required: bool
    minimum: float | None
    """In ps, bytes or bit/s where the key is a quantity."""
    maximum: float | None
    choices: tuple[str, ...]

    def about(self) -> str:
        """Help, choices and default in one line."""
        text = self.help
        if self.choices:
            text += f" ({' | '.join(self.choices)})"
        if self.is_required:
            return text + " (required)"
        return text if self.default is None else f"{text} (default {self.default or 'empty'})"


@dataclass(frozen=True)
class Model:
    """A model of some kind: a topology, a queueing scheme, a traffic pattern."""

    kind: str
    name: str
    purpose: str
    citation: str
    """Works by key, with the place in them; see Catalogue.sources."""
    keys: tuple[Key, ...]


@dataclass(frozen=True)
class Section:
    """A section of experiment files."""

    name: str
    purpose: str
    kind: str
    """Of the model that its key `model` names, or empty."""
    default_model: str
    keys: tuple[Key, ...]
    is_list: bool
    is_open: bool
    """Its keys are dotted keys of other sections."""


@dataclass(frozen=True)
class Catalogue:
    """Everything that is registered; see catalogue()."""

    kinds: dict[str, dict[str, Model]]
    sections: dict[str, Section]
    metrics: pd.DataFrame
    """By name: unit ("1": a ratio, "": a count), forms, needs, meaning, citation."""
    sources: pd.DataFrame
    """Works that models and metrics cite, by key: authors, year, title, venue, address, bibtex."""

    def models(self, kind: str | None = None) -> pd.DataFrame:
        """A row a model: kind, name, purpose, citation, keys."""
        if kind is not None and kind not in self.kinds:
            known = _weir.suggestion(kind, list(self.kinds))
            raise KeyError(f"no kind of models is called '{kind}'{known}")
        chosen = [kind] if kind is not None else self.kinds
        rows = [model for one in chosen for model in self.kinds[one].values()]
        return pd.DataFrame(
            {
                "kind": [model.kind for model in rows],
                "name": [model.name for model in rows],
                "purpose": [model.purpose for model in rows],
                "citation": [model.citation for model in rows],
                "keys": [", ".join(key.name for key in model.keys) for model in rows],
            }
        )

    def model(self, kind: str, name: str) -> Model:
        """The model of that kind and name. Raises KeyError with the nearest name."""
        known = self.kinds.get(kind, {})
        if name not in known:
            raise KeyError(f"no {kind} is called '{name}'{_weir.suggestion(name, list(known))}")
        return known[name]


def _keys(rows: list[dict]) -> tuple[Key, ...]:
    return tuple(Key(**{**row, "choices": tuple(row["choices"])}) for row in rows)


def _model(kind: str, row: dict) -> Model:
    return Model(kind, row["name"], row["purpose"], row["citation"], _keys(row["keys"]))


def catalogue() -> Catalogue:
    """Kinds and models, sections with their keys, metrics, and the works that they come from."""
    return Catalogue(
        kinds={
            kind: {row["name"]: _model(kind, row) for row in rows} for kind, rows in _weir.kinds().items()
        },
        sections=dict(_sections()),
        metrics=pd.DataFrame(_weir.metrics()).set_index("name"),
        sources=pd.DataFrame(_weir.works()).set_index("key"),
    )


@lru_cache(maxsize=None)
def _sections() -> tuple[tuple[str, Section], ...]:
    return tuple((row["name"], Section(**{**row, "keys": _keys(row["keys"])})) for row in _weir.sections())
