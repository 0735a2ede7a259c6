"""Published claims: what they are, whether they hold, and what their documents leave open."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Union

import pandas as pd

from . import _weir
from .errors import mistake
from .experiments import shipped
from .results import Results

Folder = Union[str, os.PathLike, None]


def _root(folder: Folder) -> str:
    return os.fspath(shipped() if folder is None else folder)


def _table(rows: list[dict[str, Any]], columns: list[str]) -> pd.DataFrame:
    return pd.DataFrame([{name: row[name] for name in columns} for row in rows], columns=columns)


class Reproduction:
    """Claims of a document with what was measured for them."""

    def __init__(self, rows: list[dict[str, Any]], records: _weir.Records | None = None) -> None:
        self._rows = rows
        self._records = records

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        counts = self.claims["verdict"].value_counts()
        text = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        return f"<weir.Reproduction of {len(self)} claims: {text}>"

    def _repr_html_(self) -> str:
        return self.claims._repr_html_()

    @cached_property
    def claims(self) -> pd.DataFrame:
        """A row for each claim: claim, experiment, verdict, lowest and highest measured value, unit,
        published, recorded (the verdict of the record), kind, statement, source, reason.

        Verdicts are "holds", "differs", "depends", "undecided", "not run", "failed" and, of claims
        that do not count, "noted".
        """
        columns = ["claim", "experiment", "verdict", "lowest", "highest", "unit", "published"]
        columns += ["recorded", "kind", "statement", "source", "reason"]
        return _table(self._rows, columns)

    @cached_property
    def points(self) -> pd.DataFrame:
        """A row for each combination at which a claim was measured: claim, at (what the sentence or
        the document leaves open), verdict, measured, half_width (of a 95 % interval), draws,
        decides."""
        rows = [{"claim": row["claim"], **point} for row in self._rows for point in row["points"]]
        columns = ["claim", "at", "verdict", "measured", "half_width", "draws", "decides"]
        return _table(rows, columns)

    @property
    def results(self) -> Results:
        """The runs behind them. Raises ValueError for claims that were read from a record."""
        if self._records is None:
            raise ValueError("these claims were read from a record, without their runs")
        return Results(self._records)


def documents(folder: Folder = None) -> dict[str, str]:
    """The documents whose claims are checked, with their titles.

    folder: of all documents (default: those that come with weir).
    """
    return _weir.documents(_root(folder))


def claims(document: str, folder: Folder = None) -> Reproduction:
    """The claims of a document with what is recorded about them; nothing is run."""
    return Reproduction(_weir.recorded_claims(_root(folder), document))


def reproduce(
    document: str,
    *,
    scale: str = "quick",
    values: Mapping[str, str] | None = None,
    results_folder: Folder = None,
    jobs: int | None = None,
    again: bool = False,
    folder: Folder = None,
) -> Reproduction:
    """Runs experiments of a document and judges their claims, as `weir reproduce` does.

    document: its name, or "DOCUMENT/EXPERIMENT" or "DOCUMENT/CLAIM" for a part of it.
    scale: "quick", a short look, or "full", as published.
    values: for unknowns of the document that change runs, others than the adopted ones.
    results_folder: where runs are kept, in EXPERIMENT/SCALE: the same call goes on there (default:
        they are not kept).
    jobs: runs at a time (default: one a core).
    again: also what is done there.
    folder: of all documents (default: those that come with weir).

    Raises InputError where there is no such document, experiment or claim.
    """
    if jobs is not None and jobs < 1:
        raise mistake("jobs", f"must be at least 1, not {jobs}")
    name, slash, part = document.partition("/")
    if slash and not part:
        raise mistake("document", "an experiment or a claim is missing after '/'")
    chosen = [f"{unknown}={value}" for unknown, value in (values or {}).items()]

    def run(place: str) -> Reproduction:
        found = _weir.reproduce(_root(folder), name, part, scale, chosen, place, jobs or 0, again)
        return Reproduction(*found)

    if results_folder is not None:
        return run(os.fspath(results_folder))
    with tempfile.TemporaryDirectory(prefix="weir-") as place:
        return run(place)


def calibrate(document: str, folder: Folder = None) -> pd.DataFrame:
    """What a document leaves open, scored by its recorded claims: a row for each combination.

    The columns are the unknowns with their values, how many claims hold, differ, depend, are
    undecided or missing with them, `share`, that of the decided claims that hold, and `is_adopted`.
    """
    rows = _weir.calibrate(_root(folder), document)
    return pd.DataFrame([{**row.pop("values"), **row} for row in rows])
