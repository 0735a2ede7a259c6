"""One run, gone through step by step."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Union

import networkx as nx
import numpy as np
import pandas as pd

from . import _weir
from .experiments import Experiment
from .results import Results
from .topology import Host, _networkx

Time = Union[float, str]
"""Nanoseconds, or a text with the unit: "0.5 ms"."""

Messages = Callable[[int, "_weir.Random", float], Iterator]


@dataclass(frozen=True)
class Source:
    """A class of traffic that Python code makes.

    messages: a function of the host's number, its random numbers (unit(), below(bound),
        exponential(mean)) and the time in ns, called once for each host. It yields messages as
        (at, destination, size): a time or None for the present, a host by number or name, bytes as
        a number or a text ("4 KiB"). The value of each `yield` is the time when the next message is
        asked for, which is when the last one was generated; with closed_loop, when the host has
        room for it. Messages of one host are generated in order.
    hosts: that send, by number or name (default: all).
    name, role, service_level: as in [[traffic]].
    closed_loop: messages are made as fast as the host can send them.
    """

    messages: Messages
    hosts: Sequence[Host] | None = None
    name: str = "python"
    role: str = "none"
    service_level: int = 0
    closed_loop: bool = False


class Simulation:
    """One run of an experiment, gone through step by step.

        simulation = weir.Simulation("incast.toml")
        while not simulation.is_over:
            simulation.step("10 us")
            print(simulation.now, simulation.counters["packets_in_flight"])
        results = simulation.finish()

    experiment: a dict or a path of one run; with sources it need not have traffic of its own.
    set: values by dotted key, laid over it.
    sources: traffic written in Python.
    on_sample: called with the simulation at the end of each bin (metrics.bin).
    on_deliveries: called with a structured array of data packets that have arrived (time_ns,
        latency_ns, network_latency_ns, source, destination, bytes, traffic_class, hops, in_order):
        16384 at a time, what there is before each sample, and the rest when a step ends. The number
        of a class is its place in `classes`.

    Steps and callbacks do not change what happens: a run has the fingerprint that weir.run() gives
    it. The interpreter lock is free between callbacks. After Ctrl-C a simulation can go on; when a
    callback or a source has raised an exception, as one does that Ctrl-C has hit, it cannot.
    """

    def __init__(
        self,
        experiment: Experiment,
        *,
        set: Mapping[str, Any] | None = None,
        sources: Iterable[Source] = (),
        on_sample: Callable[[Simulation], object] | None = None,
        on_deliveries: Callable[[np.ndarray], object] | None = None,
    ) -> None:
        traffic = [
            _weir.PythonTraffic(
                one.name, one.role, one.messages, one.hosts, one.service_level, one.closed_loop
            )
            for one in sources
        ]
        me = weakref.ref(self)  # the library holds the callback: a reference would keep both for good
        tell = None if on_sample is None else lambda now: on_sample(me())
        self._run = _weir.SteppedRun(experiment, dict(set or {}), traffic, tell, on_deliveries)

    def __repr__(self) -> str:
        return f"<weir.Simulation at {self.now:g} ns{', over' if self.is_over else ''}>"

    @property
    def now(self) -> float:
        """Simulated time in ns."""
        return self._run.now()

    @property
    def end(self) -> float | None:
        """Longest simulated time in ns; None: as long as it takes."""
        return self._run.end()

    @property
    def is_over(self) -> bool:
        """The run has come to its end, as the experiment has it."""
        return self._run.is_over()

    @property
    def classes(self) -> list[str]:
        """Names of the classes of traffic, by number."""
        return self._run.classes()

    @property
    def fingerprint(self) -> str:
        """Hash of what has happened."""
        return self._run.fingerprint()

    @cached_property
    def graph(self) -> nx.MultiDiGraph:
        """The network, as topology() makes it."""
        return _networkx(self._run.graph())

    @property
    def counters(self) -> dict[str, int]:
        """Of the whole network since the beginning; packets_in_flight and backlog (bytes) are of now."""
        return self._run.counters()

    def traffic(self) -> pd.DataFrame:
        """A row for each class, counted since the beginning (not the warm-up): messages, bytes, latencies."""
        return pd.DataFrame(self._run.traffic()).set_index("traffic")

    def ports(self) -> pd.DataFrame:
        """A row for each port with a cable, since the beginning; queued, stored and blocked are of now.

        busy_ns: transmitting. waiting_ns: had packets but no credit. queued: bytes that wait for it
        in its switch. stored: bytes in its own ingress buffer.
        """
        return pd.DataFrame(self._run.ports()).set_index("port")

    def step(self, duration: Time) -> None:
        """Simulates so long, or to the end of the run. Raises RunError when the run fails."""
        self._run.step(duration)

    def run_until(self, time: Time) -> None:
        """Simulates up to and including this time, or to the end of the run."""
        self._run.run_until(time)

    def run(self) -> None:
        """Simulates to the end of the run."""
        self._run.run()

    def finish(self) -> Results:
        """The numbers of the run, which ends now."""
        return Results(self._run.finish())
