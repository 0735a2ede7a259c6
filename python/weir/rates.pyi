# Written by scripts/python-stubs.
from collections.abc import Hashable, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np

class Rates:
    rate: np.ndarray
    normalized: np.ndarray
    bottleneck: list[Any]
    exact: list[str]
    levels: int
    completion_time: float
    def __array__(self, dtype: Any = ...) -> np.ndarray: ...
    def __len__(self) -> int: ...

def afa(paths: Sequence[Sequence[Hashable]], capacities: Any = ..., *, weights: Any = ..., applications: Sequence[Hashable] | None = ..., seed: int = ...) -> Rates:
    """max-min fair applications, by links' sums.

    paths: for each flow the links that it takes
    capacities: of the links (default: 1 each)
    weights: of the flows (default: 1 each)
    applications: to which each flow belongs (default: all to one)
    seed: for those algorithms that choose at random

    Source: zdornov2009, section 4.3.2
    """

def afa_by_flows(paths: Sequence[Sequence[Hashable]], capacities: Any = ..., *, weights: Any = ..., applications: Sequence[Hashable] | None = ..., seed: int = ...) -> Rates:
    """max-min fair applications: ffa that stops an application with its first flow.

    paths: for each flow the links that it takes
    capacities: of the links (default: 1 each)
    weights: of the flows (default: 1 each)
    applications: to which each flow belongs (default: all to one)
    seed: for those algorithms that choose at random

    Source: zdornov2009, section 4.3.2
    """

def ffa(paths: Sequence[Sequence[Hashable]], capacities: Any = ..., *, weights: Any = ..., applications: Sequence[Hashable] | None = ..., seed: int = ...) -> Rates:
    """weighted max-min fair flows, by progressive filling.

    paths: for each flow the links that it takes
    capacities: of the links (default: 1 each)
    weights: of the flows (default: 1 each)
    applications: to which each flow belongs (default: all to one)
    seed: for those algorithms that choose at random

    Source: zdornov2009, section 4.2.2
    """

def global_minimum(paths: Sequence[Sequence[Hashable]], capacities: Any = ..., *, weights: Any = ..., applications: Sequence[Hashable] | None = ..., seed: int = ...) -> Rates:
    """one application: all flows the share of the heaviest link of the network.

    paths: for each flow the links that it takes
    capacities: of the links (default: 1 each)
    weights: of the flows (default: 1 each)
    applications: to which each flow belongs (default: all to one)
    seed: for those algorithms that choose at random

    Source: zdornov2009, section 2.2
    """

def pafa(paths: Sequence[Sequence[Hashable]], capacities: Any = ..., *, weights: Any = ..., applications: Sequence[Hashable] | None = ..., seed: int = ...) -> Rates:
    """max-min fair applications as a leader and a worker per link find them, to check afa with.

    paths: for each flow the links that it takes
    capacities: of the links (default: 1 each)
    weights: of the flows (default: 1 each)
    applications: to which each flow belongs (default: all to one)
    seed: for those algorithms that choose at random

    Source: zdornov2009, section 4.3.2
    """

def saa(paths: Sequence[Sequence[Hashable]], capacities: Any = ..., *, weights: Any = ..., applications: Sequence[Hashable] | None = ..., seed: int = ...) -> Rates:
    """one application: each flow its share of the heaviest link of its path.

    paths: for each flow the links that it takes
    capacities: of the links (default: 1 each)
    weights: of the flows (default: 1 each)
    applications: to which each flow belongs (default: all to one)
    seed: for those algorithms that choose at random

    Source: zdornov2009, section 4.1.2
    """

def saa_m(paths: Sequence[Sequence[Hashable]], capacities: Any = ..., *, weights: Any = ..., applications: Sequence[Hashable] | None = ..., seed: int = ...) -> Rates:
    """saa, then flows in random order take all that is free along their paths.

    paths: for each flow the links that it takes
    capacities: of the links (default: 1 each)
    weights: of the flows (default: 1 each)
    applications: to which each flow belongs (default: all to one)
    seed: for those algorithms that choose at random

    Source: zdornov2009, section 4.1.3
    """

max_min = ffa
max_min_applications = afa
