"""Networks: as graphs of networkx, and the routes in them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import permutations
from typing import Any, Union

import networkx as nx
import numpy as np
import pandas as pd

from . import _weir
from .errors import InputError
from .experiments import Experiment

Host = Union[int, str]
"""A host by its number, or by its name."""


def _networkx(about: dict[str, Any]) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph(family=about["family"])
    hosts = about["hosts"]
    names = about["names"]
    for node, name in enumerate(names):
        is_host = about["is_host"][node]
        graph.add_node(
            name,
            kind="host" if is_host else "switch",
            number=node if is_host else node - hosts,
            stage=None if about["stages"][node] < 0 else about["stages"][node],
            ports=about["degrees"][node],
        )
    for link, port in enumerate(about["ports"]):
        graph.add_edge(
            names[about["from"][link]],
            names[about["to"][link]],
            key=port,
            port=about["from_port"][link],
            to_port=about["to_port"][link],
            rate=about["rates"][link],
            delay_ns=about["delays"][link],
        )
    return graph


def topology(
    model: str | Experiment, *, link: Mapping[str, Any] | None = None, **keys: Any
) -> nx.MultiDiGraph:
    """A network as a graph of networkx.

    model: the name of a topology, with its keys as further arguments, as in
        topology("k-ary-n-tree", k=4, n=3); or an experiment, as a dict or a path (a text that ends
        with ".toml"), of which only [topology] and [link] matter.
    link: keys of [link], for links that the model does not set itself.

    Nodes are names and have `kind` ("host" or "switch"), `number` within the kind, `stage` (None
    where the family has none) and `ports`. There is an edge for each direction of each cable. Its
    key is the name of the transmitting port; it has `port` and `to_port`, `rate` in bit/s and
    `delay_ns`.
    """
    is_experiment = not isinstance(model, str) or model.endswith(".toml")
    if is_experiment:
        experiment, values = model, {f"topology.{key}": value for key, value in keys.items()}
    else:
        experiment, values = {"topology": {"model": model, **keys}}, {}
    values.update({f"link.{key}": value for key, value in (link or {}).items()})
    return _networkx(_weir.graph(experiment, values))


class Network:
    """The network of an experiment with the routes that packets take by default.

    experiment: a dict or a path; at least [topology].
    set: values by dotted key, laid over it.

    Raises InputError where routes do not arrive, or could deadlock.
    """

    def __init__(self, experiment: Experiment, *, set: Mapping[str, Any] | None = None) -> None:
        self._network = _weir.Network(experiment, dict(set or {}))

    def __repr__(self) -> str:
        return f"<weir.Network {self._about['family']}: {len(self.hosts)} hosts>"

    @cached_property
    def _about(self) -> dict[str, Any]:
        return self._network.graph()

    @cached_property
    def graph(self) -> nx.MultiDiGraph:
        """As topology() makes it."""
        return _networkx(self._about)

    @cached_property
    def hosts(self) -> list[str]:
        """Names, by number."""
        return self._about["names"][: self._about["hosts"]]

    @cached_property
    def ports(self) -> list[str]:
        """Names of all ports, by number: a link has the number of the port that transmits."""
        return self._network.ports()

    @cached_property
    def capacities(self) -> np.ndarray:
        """Of the links, as fractions of line_rate."""
        return self._network.capacities()

    @property
    def line_rate(self) -> int:
        """Of the fastest link of a host, in bit/s."""
        return self._network.line_rate()

    @cached_property
    def _number_of_host(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.hosts)}

    def _host(self, host: Host) -> int:
        if not isinstance(host, str):
            return int(host)
        if host not in self._number_of_host:
            raise InputError(f"no host is called '{host}'{_weir.suggestion(host, self.hosts)}")
        return self._number_of_host[host]

    def _routes(self, flows: Iterable[tuple[Host, Host]]) -> list[tuple[np.ndarray, np.ndarray]]:
        return self._network.routes([(self._host(source), self._host(to)) for source, to in flows])

    def paths(self, flows: Iterable[tuple[Host, Host]]) -> list[np.ndarray]:
        """The links of each flow, for the functions of weir.rates: numbers of transmitting ports.

        flows: pairs of hosts, source and destination; an array with two columns will do.
        """
        return [ports for ports, _ in self._routes(flows)]

    def routes(self, flows: Iterable[tuple[Host, Host]] | None = None) -> pd.DataFrame:
        """A row for each link of each flow's route: source, destination, hop, port, lane.

        flows: pairs of hosts; all pairs where it is not given.
        """
        pairs = list(permutations(range(len(self.hosts)), 2)) if flows is None else list(flows)
        found = self._routes(pairs)
        lengths = [len(ports) for ports, _ in found]
        names = np.array([self.hosts[self._host(host)] for pair in pairs for host in pair], dtype=object)
        ends = names.reshape(-1, 2)
        return pd.DataFrame(
            {
                "source": np.repeat(ends[:, 0], lengths),
                "destination": np.repeat(ends[:, 1], lengths),
                "hop": np.concatenate([np.arange(length) for length in lengths]) if lengths else [],
                "port": [self.ports[port] for ports, _ in found for port in ports],
                "lane": np.concatenate([lanes for _, lanes in found]) if lengths else [],
            }
        )


def routes(
    experiment: Experiment | Network,
    flows: Iterable[tuple[Host, Host]] | None = None,
    *,
    set: Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """The routes that packets take by default: see Network.routes()."""
    network = experiment if isinstance(experiment, Network) else Network(experiment, set=set)
    return network.routes(flows)


def import_fabric(
    file: str | os.PathLike,
    tables: str | os.PathLike | None = None,
    *,
    paths: str | os.PathLike | None = None,
    sl2vl: str | os.PathLike | None = None,
    vlarb: str | os.PathLike | None = None,
    missing_sl: int | None = None,
) -> dict[str, dict[str, Any]]:
    """[topology] and [routing] of a real network, as a part of an experiment.

    file: the output of ibnetdiscover, or an edge list.
    tables: forwarding tables of an InfiniBand fabric, as dump_lfts prints them (default: up*/down*
        routing).
    paths: path records, as saquery PathRecord prints them, which tell the service level of every pair
        (default: all packets on one lane).
    sl2vl: SL2VL tables, from OpenSM's dump, saquery or smpquery (default: the VL is the service level).
    vlarb: VL arbitration tables, from saquery or smpquery; adds [vl_arbitration], [switch] and [host].
    missing_sl: service level of pairs without a path record (default: they are an error).

    All are read and checked: raises InputError with the line that is wrong. Put more beside it to
    run it: weir.run({**weir.import_fabric("net.txt"), "experiment": ..., "traffic": ...}).
    """
    path = os.path.abspath(os.fspath(file))
    if tables is None and paths is None and not _is_ibnetdiscover(path):
        text = _weir.edge_list_experiment(path, os.path.dirname(path))
    else:
        files = ["" if f is None else os.path.abspath(os.fspath(f)) for f in (tables, paths, sl2vl, vlarb)]
        text = _weir.fabric_experiment(path, *files, missing_sl, os.path.dirname(path))
    sections = tomllib.loads(text)
    for section in sections.values():
        for key in ("file", "paths", "sl2vl"):
            if key in section:
                section[key] = os.path.normpath(os.path.join(os.path.dirname(path), section[key]))
    return sections


def _is_ibnetdiscover(path: str) -> bool:
    """Whether the first statement is one of its, rather than of an edge list."""
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:
            first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    except OSError:
        return False  # reading it as an edge list says why
    return not first.startswith(("host", "switch", "link"))
