"""Figures of results, drawn as `weir run` draws those of an experiment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from . import _weir
from .errors import mistake
from .results import Results


def plot(results: Results, figure: str | None = None, *, folder: str | os.PathLike = ".", **keys: Any) -> list[Path]:
    """Draws figures into files and returns their paths.

    results: of run() or read_results().
    figure: name of the files, without ending.
    folder: where they are written.
    keys: those of a [[plot]] section, as in plot(results, "latency", metric="latency_mean",
        x="traffic.all.arrivals.load", format=["svg"]).

    Without keys: the figure of that name that the experiment has, or without a name, all of them.
    Raises InputError for what no plot can have, and where gnuplot is not there.
    """
    if keys:
        if figure is None:
            raise mistake("figure", "is missing: files are named by it")
        plots = [{"figure": figure, **keys}]
    else:
        plots = results.configuration.get("plot", [])
        if figure is not None:
            names = [one["figure"] for one in plots]
            plots = [one for one in plots if one["figure"] == figure]
            if not plots:
                raise mistake("figure", f"the experiment has no plot '{figure}', but {names}")
    Path(folder).mkdir(parents=True, exist_ok=True)
    drawn = [_weir.draw(results._records, one, os.fspath(folder)) for one in plots]
    return [Path(path) for paths in drawn for path in paths]
