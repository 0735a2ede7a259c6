"""Queueing models as functions: what `weir queue` solves.

    weir.queueing.ge(arrival_rate=4, arrival_scv=5, service_rate=8, service_scv=7, capacity=8)
    weir.queueing.ge(arrival_rate=np.linspace(1, 7, 20), service_rate=8)

A function takes the keys of its model, each as a number or as an array of numpy; arrays are
broadcast against each other. Keys that are lists are lists. The functions are made from the
catalogue when this is imported.
"""

from __future__ import annotations

from inspect import Parameter
from typing import Any

import numpy as np

from . import _weir
from ._builders import KNOWN, document, given, identifier, named, signature
from .catalogue import Model
from .experiments import run
from .results import Results

__all__ = ["Measures"]


class Measures(dict):
    """Measures by name, as in "queue_length" or "queue_throughput[level 1]": numbers, or arrays.

    The names are those of metrics (weir.catalogue().metrics says what they mean); measures that
    were simulated beside the model begin with "simulated_".
    """

    half_widths: dict[str, Any]
    """Of the 95 % intervals of what was simulated."""

    def __init__(self, values: dict[str, Any], half_widths: dict[str, Any]) -> None:
        super().__init__(values)
        self.half_widths = half_widths


def _measures(results: Results, shape: tuple[int, ...]) -> Measures:
    scalars = results.scalars
    name = scalars["metric"].where(scalars["label"] == "", scalars["metric"] + "[" + scalars["label"] + "]")
    place = scalars["case"].replace("", "0").astype(int)

    def column(what: str) -> dict[str, Any]:
        out = {}
        for each in dict.fromkeys(name):
            rows = name == each
            values = np.full(int(np.prod(shape)), np.nan)
            values[place[rows]] = scalars.loc[rows, what]
            out[each] = values.reshape(shape) if shape else float(values[0])
        return out

    half_widths = {each: width for each, width in column("half_width").items() if not np.all(np.isnan(width))}
    return Measures(column("value"), half_widths)


def _solver(model: Model):
    lists = {key.name for key in model.keys if key.type in ("ints", "floats", "texts", "any")}

    def solve(*, simulate: int = 0, states: int = 0, seed: int = 1, jobs: int | None = None, **values: Any):
        keys = given(model.keys, values)
        arrays = {key: np.asarray(value) for key, value in keys.items() if key not in lists and np.ndim(value) > 0}
        shape = np.broadcast_shapes(*(one.shape for one in arrays.values())) if arrays else ()
        experiment = {
            "experiment": {"name": model.name, "kind": "queue", "seed": seed},
            "queue": {"model": model.name, "simulate": simulate, "states": states, **keys},
        }
        if arrays:
            flat = {key: np.broadcast_to(one, shape).ravel().tolist() for key, one in arrays.items()}
            experiment["queue"].update({key: numbers[0] for key, numbers in flat.items()})
            experiment["case"] = [
                {"name": str(place), "set": {f"queue.{key}": numbers[place] for key, numbers in flat.items()}}
                for place in range(int(np.prod(shape)))
            ]
        return _measures(run(experiment, jobs=jobs), shape)

    text = document(model.purpose, model.keys, model.citation) + (
        "\n\nsimulate: arrivals to simulate beside the model (default 0: none)"
        "\nstates: for how many n the probability of n packets is told (default 0)"
        "\nseed: of the simulation\njobs: calculations at a time (default: one a core)"
    )
    more = [
        Parameter("simulate", Parameter.KEYWORD_ONLY, default=0, annotation="int"),
        Parameter("states", Parameter.KEYWORD_ONLY, default=0, annotation="int"),
        Parameter("seed", Parameter.KEYWORD_ONLY, default=1, annotation="int"),
        Parameter("jobs", Parameter.KEYWORD_ONLY, default=None, annotation="int | None"),
    ]
    shape = signature(model.keys, "Measures", more)
    return named(solve, identifier(model.name), __name__, text, shape)


for _model in KNOWN.kinds["queue"].values():
    globals()[identifier(_model.name)] = _solver(_model)
    __all__.append(identifier(_model.name))
