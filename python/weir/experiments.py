"""Running experiments, and finding those that come with weir."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Union

from . import _weir
from .errors import InputError, RunError, mistake
from .results import Results

Experiment = Union[str, os.PathLike, Mapping[str, Any]]
"""An experiment file by its path, or what would stand in it as a dict."""


def overrides(
    set: Mapping[str, Any] | None,
    sweep: Mapping[str, Iterable[Any]] | None = None,
    seeds: int | None = None,
) -> dict[str, Any]:
    """What run() lays over an experiment, by dotted key."""
    values = dict(set or {})
    for key, swept in (sweep or {}).items():
        values[f"sweep.{key}"] = list(swept)
    if seeds is not None:
        values["replicate.seeds"] = seeds
    return values


def run(
    experiment: Experiment,
    *,
    set: Mapping[str, Any] | None = None,
    sweep: Mapping[str, Iterable[Any]] | None = None,
    seeds: int | None = None,
    jobs: int | None = None,
    results_folder: str | os.PathLike | None = None,
    again: bool = False,
    report: bool = True,
) -> Results:
    """Runs all cases, points and seeds of an experiment, as `weir run` does, to the same numbers.

    experiment: path of a file, or a dict of its sections.
    set: values by dotted key, laid over the experiment: {"traffic.hot.stop": "0.4 ms"}.
    sweep: lists of values by dotted key; all combinations run.
    seeds: how often everything runs, each time with other random numbers.
    jobs: runs at a time; one a core where it is not given.
    results_folder: keeps database, tables, figures and report there, as the program does. Runs that
        are done there are not repeated. Without it everything stays in memory.
    again: repeats what is done in the folder.
    report: writes report.html into the folder, if the experiment wants it.

    The interpreter lock is free while runs are at work, and Ctrl-C ends them soon.

    Raises InputError for a mistake in the experiment, and RunError when a run fails; its `results`
    then holds all runs that ended.
    """
    if jobs is not None and jobs < 1:
        raise mistake("jobs", f"must be at least 1, not {jobs}")
    plan = _weir.Plan(experiment, overrides(set, sweep, seeds))
    if results_folder is None:
        records = plan.run(jobs or 0)
    else:
        records = plan.run_into(os.fspath(results_folder), jobs or 0, again, report)
    results = Results(records, plan)
    failed = results.runs[results.runs["status"] != "done"]
    if not failed.empty:
        first = failed.iloc[0]
        name = f"case '{first['case']}': " if first["case"] else ""
        more = f" ({len(failed)} of {len(plan)} runs failed)" if len(plan) > 1 else ""
        raise RunError(f"{name}{first['error']}{more}", results)
    return results


def read_results(path: str | os.PathLike) -> Results:
    """All runs of a results folder, or of a database (results.sqlite)."""
    return Results(_weir.read_results(os.fspath(path)))


def check(experiment: Experiment, *, set: Mapping[str, Any] | None = None) -> int:
    """Reads an experiment without running it: how many runs it has.

    Raises InputError for all that is wrong, as far as that shows without building networks; its
    `problems` are the mistakes one by one.
    """
    return len(_weir.Plan(experiment, overrides(set)))


def shipped(name: str = "") -> Path:
    """The path of an experiment that comes with weir: shipped("quickstart.toml").

    Without a name: the folder of all of them. The environment variable WEIR_EXPERIMENTS names
    another folder.
    """
    here = Path(__file__).parent
    # Installed by pip; as a package of the system, PREFIX/lib/python3/dist-packages/weir; in the tree.
    shared = [prefix / "share" / "weir" / "experiments" for prefix in list(here.parents)[3:4]]
    folders = [here / "experiments", *shared, Path(_weir.source_experiments)]
    if given := os.environ.get("WEIR_EXPERIMENTS"):
        folders = [Path(given)]
    folder = next((folder for folder in folders if folder.is_dir()), None)
    if folder is None:
        raise InputError(f"no shipped experiments in '{folders[0]}'; WEIR_EXPERIMENTS may name their folder")
    path = folder / name
    if not path.exists():
        known = sorted(str(one.relative_to(folder)) for one in folder.rglob("*.toml"))
        raise InputError(f"no experiment '{name}' in '{folder}'{_weir.suggestion(name, known)}")
    return path
