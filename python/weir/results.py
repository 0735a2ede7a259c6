"""What runs measured, as tables of pandas."""

from __future__ import annotations

import os
import tomllib
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from . import _weir

_USUAL = ("efficiency", "throughput", "latency_mean", "latency_p99")


def _numbers(values: list[str | None]) -> list[Any]:
    """Swept values as numbers where all of them are."""
    try:
        numbers = [np.nan if value is None else float(value) for value in values]
    except ValueError:
        return values
    is_whole = all(np.isfinite(number) and number == int(number) for number in numbers)
    return [int(number) for number in numbers] if is_whole else numbers


class Results:
    """The runs of an experiment and what they measured.

    Every table has a row for each number and begins with the columns that say of which run it is:
    `experiment`, `case`, one for each swept key, `seed`, `version` and `status`. They are those of
    the files that `weir run` writes: `scalars` is `scalars.csv`.
    """

    def __init__(self, records: _weir.Records, plan: _weir.Plan | None = None) -> None:
        self._records = records
        self._plan = plan

    def __len__(self) -> int:
        return len(self._records)

    def __repr__(self) -> str:
        names = ", ".join(dict.fromkeys(self._about["experiment"])) or "nothing"
        failed = (self._about["status"] != "done").sum()
        text = f"<weir.Results of {names}: {len(self)} run{'' if len(self) == 1 else 's'}"
        return text + (f", {failed} failed>" if failed else ">")

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()

    @cached_property
    def _about(self) -> pd.DataFrame:
        return pd.DataFrame(self._records.runs())

    @cached_property
    def _swept(self) -> pd.DataFrame:
        parameters = self._records.parameters()
        keys = list(dict.fromkeys(key for one in parameters for key in one))
        columns = {key: _numbers([one.get(key) for one in parameters]) for key in keys}
        return pd.DataFrame(columns, index=range(len(parameters)))

    @property
    def swept(self) -> list[str]:
        """The swept keys, which are columns of every table."""
        return list(self._swept.columns)

    @cached_property
    def _identity(self) -> pd.DataFrame:
        about = self._about
        return pd.concat(
            [about[["experiment", "case"]], self._swept, about[["seed", "version", "status"]]], axis=1
        )

    def _table(self, columns: dict[str, Any]) -> pd.DataFrame:
        run = columns.pop("run")
        rows = self._identity.iloc[run].reset_index(drop=True)
        return pd.concat([rows, pd.DataFrame(columns)], axis=1)

    @cached_property
    def runs(self) -> pd.DataFrame:
        """A row for each run: hash and text of its configuration, fingerprint, host, times, error."""
        rest = [name for name in self._about.columns if name not in self._identity.columns]
        return pd.concat([self._identity, self._about[rest]], axis=1)

    @cached_property
    def scalars(self) -> pd.DataFrame:
        """One number a row: metric, label, value, half_width (of a 95 % interval), unit, quality."""
        return self._table(self._records.scalars())

    @cached_property
    def series(self) -> pd.DataFrame:
        """One bin of a series a row: metric, label, time_ns, bin_ns, value, unit."""
        return self._table(self._records.series())

    @cached_property
    def histograms(self) -> pd.DataFrame:
        """One bucket a row: metric, label, from_ns, count."""
        return self._table(self._records.histograms())

    @cached_property
    def links(self) -> pd.DataFrame:
        """One direction of a cable a row: port, group, utilization, wait, bytes, packets, queued_max."""
        return self._table(self._records.links())

    def counters(
        self,
        after: str | os.PathLike[str],
        *,
        before: str | os.PathLike[str] | None = None,
        interval: str | None = None,
        tick: str | None = None,
    ) -> pd.DataFrame:
        """Port counters of the real fabric beside what its links did: a row a link of each run.

        `after` is a file with what perfquery and perfquery -x, or ibqueryerrors, printed of all
        ports, `before` the same from an earlier time (without it counters stand for the time since
        they were reset). `interval` is the time between the two, as "10 s", and `tick` the length
        of a tick of PortXmitWait, as "22 ns": with them shares of time are known.

        Columns `sent_..` are of data, `wait_..` of waiting: `state` ("counted", "missing",
        "saturated", "reset"), `bytes` or `ticks` as measured, `share` of all links, `time` (share of
        it) and `rank`, each measured and `.._simulated`; `correlation` is Spearman's of the run.
        What could not be used is told in `attrs["notes"]`.
        """
        if tick is not None and interval is None:
            raise ValueError("tick needs interval: waiting is a share of it")
        columns = self._records.counters(
            os.fspath(after), "" if before is None else os.fspath(before), interval, tick
        )
        notes = list(dict.fromkeys(columns.pop("notes")))
        table = self._table(columns)
        table.attrs["notes"] = notes
        return table

    @cached_property
    def trees(self) -> pd.DataFrame:
        """One congestion tree of one sample a row: time_ns, root, depth, branches, leaves."""
        return self._table(self._records.trees())

    @cached_property
    def set_aside_trees(self) -> pd.DataFrame:
        """All queues that were set aside for one congested output a row; empty without isolation."""
        return self._table(self._records.set_aside_trees())

    @cached_property
    def notes(self) -> list[str]:
        """Warnings that belong to the numbers, each once."""
        return list(dict.fromkeys(note for notes in self._records.notes() for note in notes))

    @cached_property
    def fingerprints(self) -> pd.Series:
        """Hashes of what happened in each run: equal ones belong to equal trajectories."""
        index = pd.MultiIndex.from_frame(self._identity[["case", *self.swept, "seed"]])
        return pd.Series(self._about["fingerprint"].values, index=index, name="fingerprint")

    @cached_property
    def configuration(self) -> dict[str, Any]:
        """The whole experiment with every default filled in: weir.run() takes it again.

        Of results that were read from a folder it is the configuration of the first run.
        """
        if self._plan is not None:
            return self._plan.resolved()
        return tomllib.loads(self._about["configuration"][0])

    @cached_property
    def _across_seeds(self) -> Results:
        return Results(self._records.across_seeds())

    def across_seeds(self) -> pd.DataFrame:
        """`scalars` with the runs that differ only in their seed as one.

        `value` is their mean and `half_width` that of its 95 % interval by Student's distribution;
        `seed` is 0 then. Runs of a kind of which there is one stay as they are.
        """
        return self._across_seeds.scalars

    def summary(self, *metrics: str) -> pd.DataFrame:
        """A row for each case and point of the sweep; for each metric a column "mean" and "±".

        Means are across seeds, "±" is the half width of their 95 % interval (NaN where there is
        none). Metrics are named as in `[results] columns`: "efficiency", "latency_p99[hot]".
        Without any: efficiency, throughput and latencies, or all where there are none of these.
        """
        table = self.across_seeds()
        if table.empty:
            return pd.DataFrame()
        name = table["metric"].where(table["label"] == "", table["metric"] + "[" + table["label"] + "]")
        table = table.assign(metric=name)
        known = list(dict.fromkeys(name))
        wanted = list(metrics) or [each for each in _USUAL if each in known] or known
        if unknown := [each for each in wanted if each not in known]:
            raise KeyError(f"no run has {unknown[0]}{_weir.suggestion(unknown[0], known)}")
        table = table[table["metric"].isin(wanted)]
        keys = [key for key in ("experiment", "case") if table[key].nunique() > 1] + self.swept
        if not keys:
            keys = ["case"] if table["case"].any() else ["experiment"]
        place = table.groupby(keys, sort=False, dropna=False).ngroup()
        first = table.assign(place=place).drop_duplicates("place").set_index("place")[keys]
        columns = {}
        for metric in wanted:
            rows = table[table["metric"] == metric]
            columns[metric, "mean"] = pd.Series(rows["value"].values, index=place[rows.index])
            columns[metric, "±"] = pd.Series(rows["half_width"].values, index=place[rows.index])
        out = pd.DataFrame(columns, index=first.index)
        out.index = pd.MultiIndex.from_frame(first) if len(keys) > 1 else pd.Index(first[keys[0]])
        return out
