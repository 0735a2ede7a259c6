# Written by scripts/python-stubs.
from collections.abc import Hashable, Sequence
from os import PathLike
from typing import Any, Literal

class Measures(dict[str, Any]):
    half_widths: dict[str, Any]

def arrival_job_threshold(*, arrival_rate: float, arrival_scv: float | None = ..., service_scv: float | None = ..., rates: Sequence[float], capacity: int, thresholds: Sequence[int], mode: Literal["above", "at-or-above"] | None = ..., boundary: Literal["exact", "published"] | None = ..., simulate: int = ..., states: int = ..., seed: int = ..., jobs: int | None = ...) -> Measures:
    """AJT: one more shared lane each time the newest one holds more than its threshold.

    arrival_rate: packets that arrive in a unit of time (required)
    arrival_scv: squared coefficient of variation of the times between arrivals, at least 1: arrivals in batches of (scv + 1) / 2 on average (default 1.0)
    service_scv: squared coefficient of variation of the service times, at least 1 (default 1.0)
    rates: service rate with 1, 2, ... lanes (required)
    capacity: packets that one lane holds; k times that with k lanes (required)
    thresholds: thresholds of lane 1, 2, ..., in packets of that lane; one fewer than rates (required)
    mode: when the next level begins: above, with the packet above the threshold; at-or-above, with the packet that reaches it (above | at-or-above) (default above)
    boundary: weight of the full queue: exact, or as published (equation 2.10), which is right for Poisson arrivals only (exact | published) (default exact)

    Source: yan2008job; yan2012, section 5.3

    simulate: arrivals to simulate beside the model (default 0: none)
    states: for how many n the probability of n packets is told (default 0)
    seed: of the simulation
    jobs: calculations at a time (default: one a core)
    """

def credit_tandem(*, arrival_rate: float, rate_1: float, rate_2: float, capacity_1: int, capacity_2: int, method: Literal["automatic", "elimination", "matrix-analytic", "sparse"] | None = ..., credit_delay: float | None = ..., simulate: int = ..., states: int = ..., seed: int = ..., jobs: int | None = ...) -> Measures:
    """Two stations with credits between them, as a Markov chain.

    arrival_rate: packets that arrive in a unit of time (required)
    rate_1: service rate of the upstream station (required)
    rate_2: service rate of the downstream station (required)
    capacity_1: packets that the upstream station holds, the one in service included (required)
    capacity_2: packets that the downstream station holds, the one in service included: the credits (required)
    method: method that solves the chain; automatic: elimination up to 400 states (automatic | elimination | matrix-analytic | sparse) (default automatic)
    credit_delay: time until a credit is back, in the simulation; in the chain it is 0 (default 0.0)

    Source: yan2006credit; yan2012, section 4.2

    simulate: arrivals to simulate beside the model (default 0: none)
    states: for how many n the probability of n packets is told (default 0)
    seed: of the simulation
    jobs: calculations at a time (default: one a core)
    """

def entry_threshold(*, arrival_rate: float, arrival_scv: float | None = ..., service_scv: float | None = ..., own_rate: float, borrowed_rate: float, capacity: int, threshold: int | None = ..., threshold_entries: int | None = ..., packets_per_entry: int | None = ..., mode: Literal["above", "at-or-above"] | None = ..., boundary: Literal["exact", "published"] | None = ..., simulate: int = ..., states: int = ..., seed: int = ..., jobs: int | None = ...) -> Measures:
    """ET: a virtual lane borrows an empty one while it holds more packets than a threshold.

    arrival_rate: packets that arrive in a unit of time (required)
    arrival_scv: squared coefficient of variation of the times between arrivals, at least 1: arrivals in batches of (scv + 1) / 2 on average (default 1.0)
    service_scv: squared coefficient of variation of the service times, at least 1 (default 1.0)
    own_rate: service rate of one lane (required)
    borrowed_rate: service rate with the borrowed lane (required)
    capacity: packets that one lane holds; twice that with the borrowed one (required)
    threshold: packets above which a lane borrows, from 0 to the capacity of one lane
    threshold_entries: entries of the arbitration table that make the threshold, in place of `threshold`
    packets_per_entry: packets that an entry is worth
    mode: when the next level begins: above, with the packet above the threshold; at-or-above, with the packet that reaches it (above | at-or-above) (default above)
    boundary: weight of the full queue: exact, or as published (equation 2.10), which is right for Poisson arrivals only (exact | published) (default exact)

    Source: yan2007entry; yan2012, section 5.2

    simulate: arrivals to simulate beside the model (default 0: none)
    states: for how many n the probability of n packets is told (default 0)
    seed: of the simulation
    jobs: calculations at a time (default: one a core)
    """

def ge(*, arrival_rate: float, arrival_scv: float | None = ..., service_rate: float, service_scv: float | None = ..., capacity: int | None = ..., boundary: Literal["exact", "published"] | None = ..., simulate: int = ..., states: int = ..., seed: int = ..., jobs: int | None = ...) -> Measures:
    """GE/GE/1/N: bursty arrivals and services, one server, room for N packets.

    arrival_rate: packets that arrive in a unit of time (required)
    arrival_scv: squared coefficient of variation of the times between arrivals, at least 1: arrivals in batches of (scv + 1) / 2 on average (default 1.0)
    service_rate: packets served in a unit of time (required)
    service_scv: squared coefficient of variation of the service times, at least 1 (default 1.0)
    capacity: packets in the system, the one in service included (default: no bound)
    boundary: weight of the full queue: exact, or as published (equation 2.10), which is right for Poisson arrivals only (exact | published) (default exact)

    Source: kouvatsos1988gg1; yan2012, section 2.4

    simulate: arrivals to simulate beside the model (default 0: none)
    states: for how many n the probability of n packets is told (default 0)
    seed: of the simulation
    jobs: calculations at a time (default: one a core)
    """

def lane_sharing(*, arrival_rates: Sequence[float], arrival_scv: float | None = ..., service_scv: float | None = ..., rates: Sequence[float], capacity: int, thresholds: Sequence[int], lenders: Sequence[int], simulate: int = ..., states: int = ..., seed: int = ..., jobs: int | None = ...) -> Measures:
    """VLs of a port that lend each other lanes (ET, AJT): measures of VL 0. In the equations a lane is free whenever VL 0 wants one; in the simulation VL 0 waits its turn.

    arrival_rates: packets that arrive at VL 0, 1, ... in a unit of time; 0: none (required)
    arrival_scv: squared coefficient of variation of the times between arrivals, at least 1: arrivals in batches of (scv + 1) / 2 on average (default 1.0)
    service_scv: squared coefficient of variation of the service times, at least 1 (default 1.0)
    rates: service rate with 1, 2, ... lanes (required)
    capacity: packets that one lane holds; k times that with k lanes (required)
    thresholds: thresholds of lane 1, 2, ..., in packets of that lane; one fewer than rates (required)
    lenders: VLs that may be lent while they are idle (required)

    Source: yan2012, sections 5.2.1 and 5.3.1

    simulate: arrivals to simulate beside the model (default 0: none)
    states: for how many n the probability of n packets is told (default 0)
    seed: of the simulation
    jobs: calculations at a time (default: one a core)
    """

def poisson(*, arrival_rate: float, service_rate: float, service_scv: float | None = ..., simulate: int = ..., states: int = ..., seed: int = ..., jobs: int | None = ...) -> Measures:
    """M/G/1 without bound: Poisson arrivals, any services (M/D/1: service_scv = 0; M/M/1: 1).

    arrival_rate: packets that arrive in a unit of time (required)
    service_rate: packets served in a unit of time (required)
    service_scv: squared coefficient of variation of the service times, at least 0 (default 1.0)

    Source: pollaczek1930aufgabe; khintchine1932queue

    simulate: arrivals to simulate beside the model (default 0: none)
    states: for how many n the probability of n packets is told (default 0)
    seed: of the simulation
    jobs: calculations at a time (default: one a core)
    """
