"""Rates of flows with fixed paths, by exact arithmetic: what `weir rates` calculates.

    weir.rates.max_min([[0, 1], [1, 2], [1]], capacities=[1, 1, 0.5]).rate

A path is a sequence of links. Links are numbers from 0, or names of any kind; `capacities` are by
number (a sequence or an array), or a dict by name; without any, all links have capacity 1. Rates
come in the unit of the capacities. Paths in a network: Network.paths().

There is a function for each algorithm of the catalogue (kind "rates"); max_min is ffa, and
max_min_applications is afa. Every result has been checked against what its algorithm promises.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any

import numpy as np

from . import _weir
from ._builders import KNOWN, identifier, named
from .catalogue import Model
from .errors import mistake

__all__ = ["Rates", "max_min", "max_min_applications"]


@dataclass(frozen=True)
class Rates:
    """Rates of flows, in their order; as an array (numpy.asarray) it is `rate`."""

    rate: np.ndarray
    normalized: np.ndarray
    """The rate over the flow's weight."""
    bottleneck: list
    """The link that holds each flow back, as it was named."""
    exact: list[str]
    """Each rate as a fraction where numerator and denominator are small: "1/3"."""
    levels: int
    """How many different normalized rates there are."""
    completion_time: float
    """When the last flow is done, if each has as much to send as its weight says."""

    def __array__(self, dtype: Any = None) -> np.ndarray:
        return self.rate if dtype is None else self.rate.astype(dtype)

    def __len__(self) -> int:
        return len(self.rate)


def _numbered(paths: Sequence, capacities: Any) -> tuple[list[np.ndarray], np.ndarray, list | None]:
    """Paths of numbers, capacities by number, and the links' names where they are no numbers."""
    if isinstance(capacities, Mapping):
        names = list(capacities)
        number = {name: i for i, name in enumerate(names)}
        try:
            links = [np.array([number[link] for link in path], dtype=np.int64) for path in paths]
        except KeyError as unknown:
            raise mistake("capacities", f"has none for the link {unknown}") from None
        return links, np.array(list(capacities.values()), dtype=float), names
    try:
        links = [np.asarray(path) for path in paths]
        are_numbers = all(path.dtype.kind in "iu" or path.size == 0 for path in links)
    except ValueError:
        are_numbers = False
    if are_numbers:
        links = [path.astype(np.int64) for path in links]
        if capacities is None:
            capacities = np.ones(1 + max((int(path.max()) for path in links if path.size), default=0))
        return links, np.asarray(capacities, dtype=float), None
    if capacities is not None:
        raise mistake("capacities", "must be a dict where links have names")
    names = dict.fromkeys(link for path in paths for link in path)
    return _numbered(paths, dict.fromkeys(names, 1.0))


def _per_flow(values: Any, count: int, name: str) -> np.ndarray:
    array = np.ones(count) if values is None else np.asarray(values, dtype=float)
    if array.shape != (count,):
        raise mistake(name, f"must be {count} numbers, one for each flow")
    return array


def _calculator(model: Model):
    def calculate(
        paths: Sequence[Sequence[Hashable]],
        capacities: Any = None,
        *,
        weights: Any = None,
        applications: Sequence[Hashable] | None = None,
        seed: int = 1,
    ) -> Rates:
        links, sizes, names = _numbered(paths, capacities)
        owners = [0] * len(links) if applications is None else list(applications)
        if len(owners) != len(links):
            raise mistake("applications", f"must be {len(links)}, one for each flow")
        numbers = {owner: i for i, owner in enumerate(dict.fromkeys(owners))}
        found = _weir.calculate_rates(
            np.concatenate(links) if links else np.zeros(0, dtype=np.int64),
            np.array([len(path) for path in links], dtype=np.int64),
            sizes,
            _per_flow(weights, len(links), "weights"),
            np.array([numbers[owner] for owner in owners], dtype=np.int64),
            model.name,
            seed,
        )
        bottleneck = found.pop("bottleneck").tolist()
        return Rates(bottleneck=bottleneck if names is None else [names[link] for link in bottleneck], **found)

    text = f"""{model.purpose}.

paths: for each flow the links that it takes
capacities: of the links (default: 1 each)
weights: of the flows (default: 1 each)
applications: to which each flow belongs (default: all to one)
seed: for those algorithms that choose at random

Source: {model.citation}"""
    kinds = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
    shape = Signature(
        [
            Parameter("paths", kinds[0], annotation="Sequence[Sequence[Hashable]]"),
            Parameter("capacities", kinds[0], default=None, annotation="Any"),
            Parameter("weights", kinds[1], default=None, annotation="Any"),
            Parameter("applications", kinds[1], default=None, annotation="Sequence[Hashable] | None"),
            Parameter("seed", kinds[1], default=1, annotation="int"),
        ],
        return_annotation="Rates",
    )
    return named(calculate, identifier(model.name), __name__, text, shape)


for _model in KNOWN.kinds["rates"].values():
    globals()[identifier(_model.name)] = _calculator(_model)
    __all__.append(identifier(_model.name))

max_min = globals()["ffa"]
max_min_applications = globals()["afa"]
