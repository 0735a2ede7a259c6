# Written by scripts/python-stubs.
from collections.abc import Hashable, Sequence
from os import PathLike
from typing import Any, Literal

class admission:
    """whether a connection may send at all."""

    @staticmethod
    def link_by_link(*, budget: Literal["per-service-level", "one-for-all"] | None = ..., budgets: Sequence[float] | None = ..., retry: str | None = ..., attempts: int | None = ..., tables: Literal["configured", "connections"] | None = ..., high_vls: Sequence[int] | None = ..., entries_end: Literal["with-connections", "with-last-of-vl"] | None = ...) -> dict[str, Any]:
        """a probe reserves bandwidth on each link of the route, or is rejected; the last packet releases it.

        budget: what a budget covers: per-service-level, what each level may reserve of a link; one-for-all, what all may together (simple sum) (per-service-level | one-for-all) (default per-service-level)
        budgets: reservable shares of every link for service level 0, 1, ..., at most 1 in all; with one-for-all a single one (default: [1/3, 2/3]; [1])
        retry: time after which a rejected connection asks again (default 100 us)
        attempts: requests after which a connection is given up and its messages are refused; 0: it goes on asking (default 0)
        tables: VL arbitration tables of the links: configured, as [vl_arbitration] sets them; connections, which fill entries beside those as they are accepted and empty them as they end (configured | connections) (default configured)
        high_vls: VLs whose connections fill the high-priority table, with tables = "connections"; those of the others fill the low-priority one (default: [])
        entries_end: when an entry that connections have filled is free again: with-connections, when those that weigh in it have ended; with-last-of-vl, when all of its VL have (default: with-connections) (with-connections | with-last-of-vl)

        Source: yan2008admission; yan2012, section 3.2
        """

class agent:
    """flow control and notifications between neighbours."""

    @staticmethod
    def lecn(*, high: str | None = ..., low: str | None = ...) -> dict[str, Any]:
        """tells the neighbours of a switch which of its outputs are congested; they hold back what will take one.

        high: bytes that wait for an output in all ingress buffers of its switch, above which it is congested (default: what one input may hold for it)
        low: bytes below which it no longer is (default: half of high)

        Source: krishnan2004localized; lippens2010, section 4.1
        """

    @staticmethod
    def xon_xoff(*, xoff: str | None = ..., xon: str | None = ...) -> dict[str, Any]:
        """stops the sender of a buffer class above `xoff`, lets it go below `xon`.

        xoff: occupancy of a class that stops its sender (default: three quarters of the class)
        xon: occupancy of a class below which its sender may go again (default: two thirds of xoff)

        Source: lippens2010, section 4.1.2
        """

class arrivals:
    """Models of the kind arrivals."""

    @staticmethod
    def bernoulli(*, slot: str | None = ..., phase: Literal["aligned", "random"] | None = ..., load: float | None = ..., rate: str | None = ..., interval: str | None = ..., load_of: Literal["payload", "wire"] | None = ..., overload: bool | None = ...) -> dict[str, Any]:
        """In every slot a message with a fixed probability, whatever came before.

        slot: length of a slot (default: what the mean message occupies the host's link)
        phase: whether the slots of all sources begin together, or those of each source at a random point (aligned | random) (default aligned)
        load: offered load as a fraction of the host's link rate
        rate: offered load of one source as a data rate
        interval: mean time between two messages of a source
        load_of: bytes that load and rate count: payload, or wire (headers included) (payload | wire) (default payload)
        overload: whether a source may be offered more than its host's link can carry (default false)

        Source: karol1987input
        """

    @staticmethod
    def constant(*, phase: Literal["random", "aligned"] | None = ..., load: float | None = ..., rate: str | None = ..., interval: str | None = ..., load_of: Literal["payload", "wire"] | None = ..., overload: bool | None = ...) -> dict[str, Any]:
        """One message every interval.

        phase: whether the first message comes at a random point of the first interval, or at its beginning (random | aligned) (default random)
        load: offered load as a fraction of the host's link rate
        rate: offered load of one source as a data rate
        interval: mean time between two messages of a source
        load_of: bytes that load and rate count: payload, or wire (headers included) (payload | wire) (default payload)
        overload: whether a source may be offered more than its host's link can carry (default false)

        Source: ferrer2012, section 7.4
        """

    @staticmethod
    def generalized_exponential(*, scv: float, spacing: str | None = ..., load: float | None = ..., rate: str | None = ..., interval: str | None = ..., load_of: Literal["payload", "wire"] | None = ..., overload: bool | None = ...) -> dict[str, Any]:
        """Batches of geometric size that arrive as a Poisson process.

        scv: squared coefficient of variation of the times between messages (required)
        spacing: time between the messages of a batch (default 0 ps)
        load: offered load as a fraction of the host's link rate
        rate: offered load of one source as a data rate
        interval: mean time between two messages of a source
        load_of: bytes that load and rate count: payload, or wire (headers included) (payload | wire) (default payload)
        overload: whether a source may be offered more than its host's link can carry (default false)

        Source: kouvatsos1994entropy; yan2012, section 2.4.1
        """

    @staticmethod
    def once(*, count: int | None = ..., within: str | None = ...) -> dict[str, Any]:
        """A burst: all messages at one instant, once in every phase.

        count: number of messages of the burst (default 1)
        within: time after the start in which the instant of the burst is random; 0: at the start (default 0 ps)

        Source: ferrer2012, section 7.4
        """

    @staticmethod
    def poisson(*, load: float | None = ..., rate: str | None = ..., interval: str | None = ..., load_of: Literal["payload", "wire"] | None = ..., overload: bool | None = ...) -> dict[str, Any]:
        """Exponential times between messages.

        load: offered load as a fraction of the host's link rate
        rate: offered load of one source as a data rate
        interval: mean time between two messages of a source
        load_of: bytes that load and rate count: payload, or wire (headers included) (payload | wire) (default payload)
        overload: whether a source may be offered more than its host's link can carry (default false)

        Source: yan2012, section 2.4.1
        """

    @staticmethod
    def saturated() -> dict[str, Any]:
        """A next message whenever the host has room for it (a greedy source).

        Source: karol1987input
        """

class injection:
    """when the next packet of a host may leave."""

    @staticmethod
    def inter_packet_delay(*, phase: Literal["random", "aligned"] | None = ...) -> dict[str, Any]:
        """Packets of a flow that are size / rate apart; of the flows that may send, the one that could for the longest time goes first.

        phase: when sources that begin together send their first packets: random, within a period of each; or aligned, at once (random | aligned) (default random)

        Source: zdornov2009, section 5.2
        """

    @staticmethod
    def leaky_bucket(*, rate: str) -> dict[str, Any]:
        """A limit to the injection rate of every host.

        rate: highest injection rate of a host (required)

        Source: zdornov2009, section 5.2
        """

    @staticmethod
    def leaky_buckets_fifo(*, phase: Literal["random", "aligned"] | None = ...) -> dict[str, Any]:
        """A leaky bucket for each flow at its rate, with a common FIFO of the host behind them.

        phase: when sources that begin together send their first packets: random, within a period of each; or aligned, at once (random | aligned) (default random)

        Source: zdornov2009, section 5.2
        """

    @staticmethod
    def periodic_selection(*, phase: Literal["random", "aligned"] | None = ...) -> dict[str, Any]:
        """A packet each time that the rates of a host's flows add up to one, of the flow that is farthest behind its rate.

        phase: when sources that begin together send their first packets: random, within a period of each; or aligned, at once (random | aligned) (default random)

        Source: zdornov2009, section 5.2
        """

    @staticmethod
    def shaped_virtual_clock(*, phase: Literal["random", "aligned"] | None = ...) -> dict[str, Any]:
        """Packets of a flow that are size / rate apart; of the flows that may send, the one that is farthest behind its rate goes first.

        phase: when sources that begin together send their first packets: random, within a period of each; or aligned, at once (random | aligned) (default random)

        Source: zdornov2009, section 5.2
        """

class isolation:
    """queues that set packets of congested flows aside while there is congestion."""

    @staticmethod
    def fbicm(*, cfqs: int | None = ..., detect: str | None = ..., detect_ingress: str | None = ..., propagate: str | None = ..., xoff: str | None = ..., xon: str | None = ..., retry: str | None = ..., min_lifetime: str | None = ..., control_size: str | None = ..., injection_buffer: str | None = ..., drain_boost: int | None = ..., ingress: Literal["per-output", "single"] | None = ..., max_flows: int | None = ...) -> dict[str, Any]:
        """congested-flow queues for the destinations seen at congested outputs; for table-based routing.

        cfqs: set-aside queues, and look-up lines, for each class at each side of a port; fewer than the default where the memory does not hold them, which a note says (default 8)
        detect: fill of a normal egress queue (with switch.architecture = "iq", bytes that wait for an output at all inputs) above which the output is congested (default: 4 KiB, at least 8 packets, at most a quarter of the memory)
        detect_ingress: fill of a detection queue at ingress above which it is congested, where there are such queues
        propagate: fill of a set-aside queue above which it asks upstream (default: a quarter of `detect`, at least 2 packets, below `xoff`)
        xoff: fill of a set-aside queue above which it stops its sender (default: 1792 B, at least 4 packets, less in small memories)
        xon: fill of a set-aside queue below which its sender may go on (default: half of xoff)
        retry: shortest time until a refused request is repeated (default 2 us)
        min_lifetime: shortest time until an empty set-aside queue is given back (default 0 ps)
        control_size: size of a message over a link, which goes before all data; 0 B: messages take no bandwidth (default 8 B)
        injection_buffer: memory of the normal queue of a host's injection buffer (default 2 KiB)
        drain_boost: most packets of a leaf queue that is served before the others; 0: none is (default 0)
        ingress: normal queues at ingress: per-output, one for each output of the switch; or single (per-output | single) (default per-output)
        max_flows: destinations that a look-up line can hold; 0: any number (default 0)

        Source: escudero2008fbicm; escudero2010cost; lippens2010, section 4.3
        """

    @staticmethod
    def recn(*, saqs: int | None = ..., detect: str | None = ..., detect_ingress: str | None = ..., propagate: str | None = ..., xoff: str | None = ..., xon: str | None = ..., retry: str | None = ..., min_lifetime: str | None = ..., control_size: str | None = ..., injection_buffer: str | None = ..., drain_boost: int | None = ..., detection: Literal["egress", "both"] | None = ..., ingress: Literal["per-output", "single"] | None = ..., accept: Literal["less-specific", "all"] | None = ..., turn_pool: int | None = ..., explicit_routes: bool | None = ..., internal_stop: Literal["pair", "all"] | None = ...) -> dict[str, Any]:
        """set-aside queues for paths to congested outputs; detection at egress, notified hop by hop.

        saqs: set-aside queues, and look-up lines, for each class at each side of a port; fewer than the default where the memory does not hold them, which a note says (default 8)
        detect: fill of a normal egress queue (with switch.architecture = "iq", bytes that wait for an output at all inputs) above which the output is congested (default: 4 KiB, at least 8 packets, at most a quarter of the memory)
        detect_ingress: fill of a detection queue at ingress above which it is congested, where there are such queues
        propagate: fill of a set-aside queue above which it asks upstream (default: a quarter of `detect`, at least 2 packets, below `xoff`)
        xoff: fill of a set-aside queue above which it stops its sender (default: 1792 B, at least 4 packets, less in small memories)
        xon: fill of a set-aside queue below which its sender may go on (default: half of xoff)
        retry: shortest time until a refused request is repeated (default 2 us)
        min_lifetime: shortest time until an empty set-aside queue is given back (default 0 ps)
        control_size: size of a message over a link, which goes before all data; 0 B: messages take no bandwidth (default 8 B)
        injection_buffer: memory of the normal queue of a host's injection buffer (default 2 KiB)
        drain_boost: most packets of a leaf queue that is served before the others; 0: none is (default 0)
        detection: sides of a switch at which a normal queue can be found congested (egress | both) (default egress)
        ingress: normal queues at ingress: per-output, one for each output of the switch; or single (per-output | single) (default single)
        accept: requests that find a line for a point nearer on the same path: all are accepted, or less-specific ones only, which refuses them (less-specific | all) (default less-specific)
        turn_pool: bits of the header for the route; widened where routes are longer (default 31)
        explicit_routes: whether hosts write routes into the headers (default: unless switches look outputs up in tables)
        internal_stop: packets that a full set-aside queue at an output stops: those of its pair at each input, or all packets for it (a rule that fails, for comparison) (pair | all) (default pair)

        Source: duato2005recn; garcia2005recn; mora2007recniq; lippens2010, section 4.1
        """

    @staticmethod
    def recn_enhanced(*, saqs: int | None = ..., detect: str | None = ..., detect_ingress: str | None = ..., propagate: str | None = ..., xoff: str | None = ..., xon: str | None = ..., retry: str | None = ..., min_lifetime: str | None = ..., control_size: str | None = ..., injection_buffer: str | None = ..., drain_boost: int | None = ..., detection: Literal["egress", "both"] | None = ..., ingress: Literal["per-output", "single"] | None = ..., accept: Literal["less-specific", "all"] | None = ..., turn_pool: int | None = ..., explicit_routes: bool | None = ..., internal_stop: Literal["pair", "all"] | None = ...) -> dict[str, Any]:
        """RECN with detection at ingress, and lines for points behind other points.

        saqs: set-aside queues, and look-up lines, for each class at each side of a port; fewer than the default where the memory does not hold them, which a note says (default 8)
        detect: fill of a normal egress queue (with switch.architecture = "iq", bytes that wait for an output at all inputs) above which the output is congested (default: 4 KiB, at least 8 packets, at most a quarter of the memory)
        detect_ingress: fill of a detection queue at ingress above which it is congested, where there are such queues
        propagate: fill of a set-aside queue above which it asks upstream (default: a quarter of `detect`, at least 2 packets, below `xoff`)
        xoff: fill of a set-aside queue above which it stops its sender (default: 1792 B, at least 4 packets, less in small memories)
        xon: fill of a set-aside queue below which its sender may go on (default: half of xoff)
        retry: shortest time until a refused request is repeated (default 2 us)
        min_lifetime: shortest time until an empty set-aside queue is given back (default 0 ps)
        control_size: size of a message over a link, which goes before all data; 0 B: messages take no bandwidth (default 8 B)
        injection_buffer: memory of the normal queue of a host's injection buffer (default 2 KiB)
        drain_boost: most packets of a leaf queue that is served before the others; 0: none is (default 0)
        detection: sides of a switch at which a normal queue can be found congested (egress | both) (default both)
        ingress: normal queues at ingress: per-output, one for each output of the switch; or single (per-output | single) (default per-output)
        accept: requests that find a line for a point nearer on the same path: all are accepted, or less-specific ones only, which refuses them (less-specific | all) (default all)
        turn_pool: bits of the header for the route; widened where routes are longer (default 31)
        explicit_routes: whether hosts write routes into the headers (default: unless switches look outputs up in tables)
        internal_stop: packets that a full set-aside queue at an output stops: those of its pair at each input, or all packets for it (a rule that fails, for comparison) (pair | all) (default pair)

        Source: garcia2006recn; mora2007recniq; lippens2010, section 4.2
        """

class lengths:
    """Models of the kind lengths."""

    @staticmethod
    def list(*, metres: Sequence[float], shares: Sequence[float] | None = ...) -> dict[str, Any]:
        """One of a few lengths, as cables are sold.

        metres: lengths in metres (required)
        shares: share of the cables of each length, in any unit (default: all the same)

        Source: weir2026, docs/architecture.md
        """

    @staticmethod
    def normal(*, shortest: float, longest: float, mean: float, deviation: float) -> dict[str, Any]:
        """Normal distribution, cut off at the shortest and the longest.

        shortest: shortest cable, in metres (required)
        longest: longest cable, in metres (required)
        mean: mean before the cut, in metres (required)
        deviation: standard deviation before the cut, in metres (required)

        Source: weir2026, docs/architecture.md
        """

    @staticmethod
    def uniform(*, shortest: float, longest: float) -> dict[str, Any]:
        """Uniform distribution between the shortest and the longest.

        shortest: shortest cable, in metres (required)
        longest: longest cable, in metres (required)

        Source: weir2026, docs/architecture.md
        """

class marking:
    """which packets carry a congestion mark."""

    @staticmethod
    def ccfit(*, high: str | None = ..., low: str | None = ...) -> dict[str, Any]:
        """marks packets that leave by an output for which much is set aside at the inputs.

        high: bytes set aside at an input for an output above which that output is congested (default: 16 of the largest packets)
        low: bytes set aside at every input for an output at which its congestion ends (default: 8 of the largest packets)

        Source: escudero2011ccfit
        """

    @staticmethod
    def ecn_counters(*, scope: Literal["destinations-of-full-buffer", "all-outputs", "naive-full-buffer", "input-output"] | None = ..., threshold: float | None = ..., least_waiting: int | None = ...) -> dict[str, Any]:
        """marks packets that wait for the outputs wanted from an ingress buffer that became full.

        scope: which packets are marked: those for outputs that the full buffer wants, for all outputs, those in the buffer itself, or those for wanted outputs with at least least_waiting packets (destinations-of-full-buffer | all-outputs | naive-full-buffer | input-output) (default destinations-of-full-buffer)
        threshold: share of the ingress buffer that counts as full; 1: no room for another packet of the largest size (default 1.0)
        least_waiting: packets that wait for an output for it to mark, with scope = "input-output" (default 2)

        Source: yan2012, section 3.3.1
        """

    @staticmethod
    def fecn(*, threshold: int | None = ..., marking_rate: int | None = ..., packet_size: str | None = ..., victim_mask: Literal["none", "hosts", "all"] | None = ...) -> dict[str, Any]:
        """InfiniBand: marks packets that join the queue of an output which is the root of congestion.

        threshold: sensitivity from 0, never mark, to 15, most aggressive: a queue is congested beyond (16 - threshold)/16 of its buffer (default 15)
        marking_rate: mean number of packets that could be marked between two that are (default 0)
        packet_size: size below which packets are not marked (default 0 B)
        victim_mask: ports that mark even while they lack credit (none | hosts | all) (default hosts)

        Source: iba2015volume1, annex A10; gusat2005infiniband
        """

    @staticmethod
    def iopm(*, input_threshold: float | None = ..., output_threshold: float | None = ...) -> dict[str, Any]:
        """marks at congested ingress buffers (bit A) and, with bit B, at congested egress ones.

        input_threshold: filled share of an ingress buffer above which it marks (default 0.66)
        output_threshold: filled share of an egress buffer above which it validates marks (default 0.33)

        Source: ferrer2010iocm; ferrer2012, section 4.2.4
        """

    @staticmethod
    def ipm(*, threshold: float | None = ...) -> dict[str, Any]:
        """marks packets stored in an ingress buffer beyond a threshold.

        threshold: filled share of an ingress buffer above which it marks (default 0.66)

        Source: santos2002detection; ferrer2012, section 4.2.1
        """

    @staticmethod
    def mvpm(*, input_threshold: float | None = ..., output_threshold: float | None = ...) -> dict[str, Any]:
        """marks at congested ingress buffers (bit A), validates at congested egress ones (bit B).

        input_threshold: filled share of an ingress buffer above which it marks (default 0.66)
        output_threshold: filled share of an egress buffer above which it validates marks (default 0.33)

        Source: ferrer2007mvcm; ferrer2012, section 4.2.5
        """

    @staticmethod
    def opm(*, threshold: float | None = ...) -> dict[str, Any]:
        """marks packets stored in an egress buffer beyond a threshold.

        threshold: filled share of an egress buffer above which it marks (default 0.9)

        Source: ferrer2012, section 4.2.2
        """

    @staticmethod
    def qcn(*, set_point: str | None = ..., weight: float | None = ..., sample_base: str | None = ..., jitter: float | None = ..., message_size: str | None = ...) -> dict[str, Any]:
        """sets no bits: switches send messages to the sources of a queue that is too long or grows (quantized congestion notification), for reaction.model = "qcn".

        set_point: what a queue should hold (Q_eq) (default 26 KB)
        weight: of the growth of the queue since the last sample (w) (default 2.0)
        sample_base: bytes that join a queue between two samples while it is not congested; down to an eighth of it where it is (default 150 KB)
        jitter: share by which these bytes vary (default 0.15)
        message_size: of a message to a source, on the wire (default 64 B)

        Source: ieee2010qau, clause 30.2.1
        """

    @staticmethod
    def red(*, low: float | None = ..., high: float | None = ..., low_bytes: str | None = ..., high_bytes: str | None = ..., probability: float | None = ..., weight: float | None = ..., spread: Literal["even", "independent"] | None = ...) -> dict[str, Any]:
        """random early detection: marks the more packets the longer the average queue is.

        low: average share of the buffer below which nothing is marked (default 0.25)
        high: average share of the buffer from which on everything is marked (default 0.75)
        low_bytes: in place of low and high, with high_bytes: average queue below which nothing is marked (K_min of DCQCN)
        high_bytes: average queue from which on everything is marked (K_max of DCQCN)
        probability: probability of a mark just below `high`, were it independent of the last one (default 0.1)
        weight: of the newest packet in the average; 1: the queue itself (default 0.002)
        spread: how marks between the thresholds follow each other: even, at most 1/p packets apart; independent, each with probability p (even | independent) (default even)

        Source: floyd1993random
        """

    @staticmethod
    def rpm() -> dict[str, Any]:
        """marks all packets in the switch whose output is wanted from a full ingress buffer.

        Source: santos2003endtoend; ferrer2012, section 3.5.1
        """

    @staticmethod
    def telemetry(*, hops: int | None = ...) -> dict[str, Any]:
        """sets no bits: switches write rate, queue, bytes sent and time of the output into each data packet (INT), which its ACK brings back, for reaction.model = "hpcc".

        hops: switches that a packet has room for, 8 bytes each; default: those of the longest of the shortest paths

        Source: li2019hpcc
        """

class pattern:
    """Models of the kind pattern."""

    @staticmethod
    def bit_reverse() -> dict[str, Any]:
        """A host sends to the host with the bits of its number in reverse order.

        Source: dally2004principles, section 3.2
        """

    @staticmethod
    def complement() -> dict[str, Any]:
        """Host s sends to host N - 1 - s: all digits of its number complemented.

        Source: dally2004principles, section 3.2
        """

    @staticmethod
    def fixed(*, host: Any) -> dict[str, Any]:
        """All messages to one host (a hot spot or incast).

        host: host to which all messages go (required)

        Source: rocher2021, section 4.2.1; ferrer2012, section 7.4; lippens2010, section 5.1
        """

    @staticmethod
    def groups(*, size: int | None = ..., lists: Any | None = ..., jobs: str | PathLike[str] | None = ...) -> dict[str, Any]:
        """Every message to a random other host of the source's group.

        size: hosts of a group; hosts 0 to size - 1 are the first one, and so on
        lists: groups, as in [[0, 1], [2, 3, 4]]
        jobs: a group for each job in a file, with lines "NAME HOSTS" as squeue -h -o "%i %N" prints them

        Source: zdornov2009, section 6.5
        """

    @staticmethod
    def hot_spots(*, hosts: Any, choose: Literal["round-robin", "cycle", "random"] | None = ..., weights: Sequence[float] | None = ...) -> dict[str, Any]:
        """Messages to a few hosts.

        hosts: hosts that are hot spots (required)
        choose: choice of the hot spot: round-robin, source number r sends to hot spot r mod n; cycle, every source to all in turn; random, anew for every message (round-robin | cycle | random) (default round-robin)
        weights: how often each hot spot is chosen, in any proportion (with choose = "random"; default: equally)

        Source: rocher2021, section 4.2.1
        """

    @staticmethod
    def neighbour(*, dimensions: Sequence[int] | None = ...) -> dict[str, Any]:
        """In every dimension the next host, around the end.

        dimensions: sizes of the grid that the hosts form, fastest first (default: the mesh or torus that the topology is, or else one ring of all hosts)

        Source: dally2004principles, section 3.2
        """

    @staticmethod
    def permutation_file(*, file: str | PathLike[str]) -> dict[str, Any]:
        """A permutation from a file with lines 'source destination'.

        file: text file with lines 'source destination'; '#' begins a comment (required)

        Source: weir2026, docs/guide/experiment-files.md
        """

    @staticmethod
    def random_permutation(*, fixed_points: bool | None = ..., superposed: int | None = ..., among: Literal["all", "sources"] | None = ...) -> dict[str, Any]:
        """Every host sends to one host and receives from one; or to several, by superposition.

        fixed_points: whether hosts may be their own image; such hosts are silent (default false)
        superposed: number of independent permutations, which a source's messages take in turn (default 1)
        among: hosts that are permuted: all, or the sources alone (all | sources) (default all)

        Source: zdornov2009, section 6.2
        """

    @staticmethod
    def shift(*, distance: int) -> dict[str, Any]:
        """Host s sends to host (s + distance) mod N.

        distance: distance to the destination, around the end (required)

        Source: zahavi2010shift; zdornov2009, section 6.2
        """

    @staticmethod
    def tornado(*, dimensions: Sequence[int] | None = ...) -> dict[str, Any]:
        """In every dimension of size k the host ceil(k / 2) - 1 further, around the end.

        dimensions: sizes of the grid that the hosts form, fastest first (default: the mesh or torus that the topology is, or else one ring of all hosts)

        Source: dally2004principles, section 3.2
        """

    @staticmethod
    def transpose() -> dict[str, Any]:
        """Hosts in a square: the one at row i, column j sends to the one at row j, column i.

        Source: dally2004principles, section 3.2
        """

    @staticmethod
    def uniform(*, among: Any | None = ..., exclude: Any | None = ...) -> dict[str, Any]:
        """Every message to a random host other than its source.

        among: hosts that are destinations (default: all)
        exclude: hosts that are no destinations

        Source: rocher2021, section 4.2.1; ferrer2012, section 7.4
        """

class protocol:
    """how agents in switches and hosts find the rates of flows."""

    @staticmethod
    def dafa(*, leader: str | None = ..., barrier: str | None = ..., start_within: str | None = ..., late: int | None = ..., changes: Any | None = ..., limit: str | None = ..., preempt: bool | None = ..., announce: Literal["packet", "set-up"] | None = ..., control_size: str | None = ..., control_processing: str | None = ..., broadcast_size: str | None = ..., broadcast_processing: str | None = ..., reduction: str | None = ...) -> dict[str, Any]:
        """distributed application-fair algorithm, anew whenever an application starts or ends.

        leader: switch or host that goes through the iterations (default: the last switch; in trees a root) (default empty)
        barrier: time from the last answer to an application's announcements until its nodes know of it (default 15 us)
        start_within: time within which flows (applications) start, at random (default 10 ns)
        late: number of flows (applications), drawn at random, that start together when the others have settled; the calculation that follows is the one that is measured (default 0)
        changes: flows (applications) that start and end while it runs (see protocol.changes)
        limit: time at which whatever has not settled is given up (default 10 ms)
        preempt: whether control packets interrupt data on the wire, in simulations; without it they wait for the end of the packet (default true)
        announce: what carries the message by which a flow announces itself: a control packet once its path is there, or the packet that sets the path up, at no cost of its own (flow_routing.set_up = "packets") (packet | set-up) (default packet)
        control_size: size of a control packet (default 40 B)
        control_processing: processing time of a control packet at the output of a switch, on the way of its flow (default 60 ns)
        broadcast_size: size of a packet with a round number (default 8 B)
        broadcast_processing: processing time of a broadcast packet at the input of a switch (default 30 ns)
        reduction: time to reduce the answers of a switch's neighbours to one (DAFA) (default 200 ns)

        Source: zdornov2009, section 4.3.3
        """

    @staticmethod
    def dafa_star(*, leader: str | None = ..., start_within: str | None = ..., late: int | None = ..., changes: Any | None = ..., limit: str | None = ..., preempt: bool | None = ..., announce: Literal["packet", "set-up"] | None = ..., control_size: str | None = ..., control_processing: str | None = ..., broadcast_size: str | None = ..., broadcast_processing: str | None = ..., reduction: str | None = ...) -> dict[str, Any]:
        """distributed application-fair algorithm for applications that are known beforehand.

        leader: switch or host that goes through the iterations (default: the last switch; in trees a root) (default empty)
        start_within: time within which flows (applications) start, at random (default 10 ns)
        late: number of flows (applications), drawn at random, that start together when the others have settled; the calculation that follows is the one that is measured (default 0)
        changes: flows (applications) that start and end while it runs (see protocol.changes)
        limit: time at which whatever has not settled is given up (default 10 ms)
        preempt: whether control packets interrupt data on the wire, in simulations; without it they wait for the end of the packet (default true)
        announce: what carries the message by which a flow announces itself: a control packet once its path is there, or the packet that sets the path up, at no cost of its own (flow_routing.set_up = "packets") (packet | set-up) (default packet)
        control_size: size of a control packet (default 40 B)
        control_processing: processing time of a control packet at the output of a switch, on the way of its flow (default 60 ns)
        broadcast_size: size of a packet with a round number (default 8 B)
        broadcast_processing: processing time of a broadcast packet at the input of a switch (default 30 ns)
        reduction: time to reduce the answers of a switch's neighbours to one (DAFA) (default 200 ns)

        Source: zdornov2009, section 4.3.3
        """

    @staticmethod
    def dffa(*, during_calculation: Literal["hold", "follow"] | None = ..., probe_retry: float | None = ..., start_within: str | None = ..., late: int | None = ..., changes: Any | None = ..., limit: str | None = ..., preempt: bool | None = ..., announce: Literal["packet", "set-up"] | None = ..., control_size: str | None = ..., control_processing: str | None = ..., broadcast_size: str | None = ..., broadcast_processing: str | None = ..., reduction: str | None = ...) -> dict[str, Any]:
        """distributed flow-fair algorithm, anew in a round whenever a flow starts or ends.

        during_calculation: what sources send during a calculation: hold, their last result (a new flow what it has collected so far); follow, all flows what they have collected so far (hold | follow) (default hold)
        probe_retry: round trips from a negative answer to the next question for the round (default 0.5)
        start_within: time within which flows (applications) start, at random (default 10 ns)
        late: number of flows (applications), drawn at random, that start together when the others have settled; the calculation that follows is the one that is measured (default 0)
        changes: flows (applications) that start and end while it runs (see protocol.changes)
        limit: time at which whatever has not settled is given up (default 10 ms)
        preempt: whether control packets interrupt data on the wire, in simulations; without it they wait for the end of the packet (default true)
        announce: what carries the message by which a flow announces itself: a control packet once its path is there, or the packet that sets the path up, at no cost of its own (flow_routing.set_up = "packets") (packet | set-up) (default packet)
        control_size: size of a control packet (default 40 B)
        control_processing: processing time of a control packet at the output of a switch, on the way of its flow (default 60 ns)
        broadcast_size: size of a packet with a round number (default 8 B)
        broadcast_processing: processing time of a broadcast packet at the input of a switch (default 30 ns)
        reduction: time to reduce the answers of a switch's neighbours to one (DAFA) (default 200 ns)

        Source: zdornov2009, section 4.2.3
        """

    @staticmethod
    def dffa_star(*, optimized: bool | None = ..., start_within: str | None = ..., late: int | None = ..., changes: Any | None = ..., limit: str | None = ..., preempt: bool | None = ..., announce: Literal["packet", "set-up"] | None = ..., control_size: str | None = ..., control_processing: str | None = ..., broadcast_size: str | None = ..., broadcast_processing: str | None = ..., reduction: str | None = ...) -> dict[str, Any]:
        """distributed flow-fair algorithm for flows that are known beforehand.

        optimized: whether taking a share collects the next one at once, instead of in turn (default true)
        start_within: time within which flows (applications) start, at random (default 10 ns)
        late: number of flows (applications), drawn at random, that start together when the others have settled; the calculation that follows is the one that is measured (default 0)
        changes: flows (applications) that start and end while it runs (see protocol.changes)
        limit: time at which whatever has not settled is given up (default 10 ms)
        preempt: whether control packets interrupt data on the wire, in simulations; without it they wait for the end of the packet (default true)
        announce: what carries the message by which a flow announces itself: a control packet once its path is there, or the packet that sets the path up, at no cost of its own (flow_routing.set_up = "packets") (packet | set-up) (default packet)
        control_size: size of a control packet (default 40 B)
        control_processing: processing time of a control packet at the output of a switch, on the way of its flow (default 60 ns)
        broadcast_size: size of a packet with a round number (default 8 B)
        broadcast_processing: processing time of a broadcast packet at the input of a switch (default 30 ns)
        reduction: time to reduce the answers of a switch's neighbours to one (DAFA) (default 200 ns)

        Source: zdornov2009, section 4.2.3
        """

    @staticmethod
    def periodic_dffa(*, idle_period: str | None = ..., quiet_probes: int | None = ..., backoff_min: float | None = ..., backoff_max: float | None = ..., backoff_limit: float | None = ..., attempts: int | None = ..., period: str | None = ..., calm: str | None = ..., leader: str | None = ..., start_within: str | None = ..., late: int | None = ..., changes: Any | None = ..., limit: str | None = ..., preempt: bool | None = ..., announce: Literal["packet", "set-up"] | None = ..., control_size: str | None = ..., control_processing: str | None = ..., broadcast_size: str | None = ..., broadcast_processing: str | None = ..., reduction: str | None = ...) -> dict[str, Any]:
        """DFFA from time to time, SAA-M in between.

        idle_period: time between probes of a flow that has found nothing to do lately (default 20 us)
        quiet_probes: probes in a row without effect until a flow probes at idle_period (default 3)
        backoff_min: shortest wait after a failed reservation, in round trips (default 1.0)
        backoff_max: longest wait after the first failed reservation, in round trips; 0: none (default 8.0)
        backoff_limit: longest wait, up to which every further failure doubles it, in round trips (default 64.0)
        attempts: failures in a row until a flow waits for a change (default 16)
        period: time from one calculation by DFFA to the next (default 500 us)
        calm: time after its result at which a rate that grows does so; as long again until the flow asks for what is left over (default 100 us)
        leader: switch or host that begins the rounds (default: the last switch) (default empty)
        start_within: time within which flows (applications) start, at random (default 10 ns)
        late: number of flows (applications), drawn at random, that start together when the others have settled; the calculation that follows is the one that is measured (default 0)
        changes: flows (applications) that start and end while it runs (see protocol.changes)
        limit: time at which whatever has not settled is given up (default 10 ms)
        preempt: whether control packets interrupt data on the wire, in simulations; without it they wait for the end of the packet (default true)
        announce: what carries the message by which a flow announces itself: a control packet once its path is there, or the packet that sets the path up, at no cost of its own (flow_routing.set_up = "packets") (packet | set-up) (default packet)
        control_size: size of a control packet (default 40 B)
        control_processing: processing time of a control packet at the output of a switch, on the way of its flow (default 60 ns)
        broadcast_size: size of a packet with a round number (default 8 B)
        broadcast_processing: processing time of a broadcast packet at the input of a switch (default 30 ns)
        reduction: time to reduce the answers of a switch's neighbours to one (DAFA) (default 200 ns)

        Source: zdornov2009, section 4.2.3
        """

    @staticmethod
    def saa(*, probe_period: str | None = ..., data_packet: str | None = ..., start_within: str | None = ..., late: int | None = ..., changes: Any | None = ..., limit: str | None = ..., preempt: bool | None = ..., announce: Literal["packet", "set-up"] | None = ..., control_size: str | None = ..., control_processing: str | None = ..., broadcast_size: str | None = ..., broadcast_processing: str | None = ..., reduction: str | None = ...) -> dict[str, Any]:
        """single application assignment: every flow announces itself and asks for its heaviest link.

        probe_period: time from an answer to the next probe (default 2 us)
        data_packet: size of data packets that carry the fields at the flow's rate (piggy-backed probing) in place of probes; 0 B: probes (default 0 B)
        start_within: time within which flows (applications) start, at random (default 10 ns)
        late: number of flows (applications), drawn at random, that start together when the others have settled; the calculation that follows is the one that is measured (default 0)
        changes: flows (applications) that start and end while it runs (see protocol.changes)
        limit: time at which whatever has not settled is given up (default 10 ms)
        preempt: whether control packets interrupt data on the wire, in simulations; without it they wait for the end of the packet (default true)
        announce: what carries the message by which a flow announces itself: a control packet once its path is there, or the packet that sets the path up, at no cost of its own (flow_routing.set_up = "packets") (packet | set-up) (default packet)
        control_size: size of a control packet (default 40 B)
        control_processing: processing time of a control packet at the output of a switch, on the way of its flow (default 60 ns)
        broadcast_size: size of a packet with a round number (default 8 B)
        broadcast_processing: processing time of a broadcast packet at the input of a switch (default 30 ns)
        reduction: time to reduce the answers of a switch's neighbours to one (DAFA) (default 200 ns)

        Source: zdornov2009, section 4.1.2
        """

    @staticmethod
    def saa_m(*, idle_period: str | None = ..., quiet_probes: int | None = ..., backoff_min: float | None = ..., backoff_max: float | None = ..., backoff_limit: float | None = ..., attempts: int | None = ..., start_within: str | None = ..., late: int | None = ..., changes: Any | None = ..., limit: str | None = ..., preempt: bool | None = ..., announce: Literal["packet", "set-up"] | None = ..., control_size: str | None = ..., control_processing: str | None = ..., broadcast_size: str | None = ..., broadcast_processing: str | None = ..., reduction: str | None = ...) -> dict[str, Any]:
        """SAA, then flows reserve and claim what is left along their paths.

        idle_period: time between probes of a flow that has found nothing to do lately (default 20 us)
        quiet_probes: probes in a row without effect until a flow probes at idle_period (default 3)
        backoff_min: shortest wait after a failed reservation, in round trips (default 1.0)
        backoff_max: longest wait after the first failed reservation, in round trips; 0: none (default 8.0)
        backoff_limit: longest wait, up to which every further failure doubles it, in round trips (default 64.0)
        attempts: failures in a row until a flow waits for a change (default 16)
        start_within: time within which flows (applications) start, at random (default 10 ns)
        late: number of flows (applications), drawn at random, that start together when the others have settled; the calculation that follows is the one that is measured (default 0)
        changes: flows (applications) that start and end while it runs (see protocol.changes)
        limit: time at which whatever has not settled is given up (default 10 ms)
        preempt: whether control packets interrupt data on the wire, in simulations; without it they wait for the end of the packet (default true)
        announce: what carries the message by which a flow announces itself: a control packet once its path is there, or the packet that sets the path up, at no cost of its own (flow_routing.set_up = "packets") (packet | set-up) (default packet)
        control_size: size of a control packet (default 40 B)
        control_processing: processing time of a control packet at the output of a switch, on the way of its flow (default 60 ns)
        broadcast_size: size of a packet with a round number (default 8 B)
        broadcast_processing: processing time of a broadcast packet at the input of a switch (default 30 ns)
        reduction: time to reduce the answers of a switch's neighbours to one (DAFA) (default 200 ns)

        Source: zdornov2009, section 4.1.3
        """

class queue:
    """a queueing model to solve (experiment.kind = "queue")."""

    @staticmethod
    def arrival_job_threshold(*, arrival_rate: float, arrival_scv: float | None = ..., service_scv: float | None = ..., rates: Sequence[float], capacity: int, thresholds: Sequence[int], mode: Literal["above", "at-or-above"] | None = ..., boundary: Literal["exact", "published"] | None = ..., simulate: int | None = ..., states: int | None = ...) -> dict[str, Any]:
        """AJT: one more shared lane each time the newest one holds more than its threshold.

        arrival_rate: packets that arrive in a unit of time (required)
        arrival_scv: squared coefficient of variation of the times between arrivals, at least 1: arrivals in batches of (scv + 1) / 2 on average (default 1.0)
        service_scv: squared coefficient of variation of the service times, at least 1 (default 1.0)
        rates: service rate with 1, 2, ... lanes (required)
        capacity: packets that one lane holds; k times that with k lanes (required)
        thresholds: thresholds of lane 1, 2, ..., in packets of that lane; one fewer than rates (required)
        mode: when the next level begins: above, with the packet above the threshold; at-or-above, with the packet that reaches it (above | at-or-above) (default above)
        boundary: weight of the full queue: exact, or as published (equation 2.10), which is right for Poisson arrivals only (exact | published) (default exact)
        simulate: number of arrivals that are simulated beside the model, a tenth of them as warm-up; 0: none (default 0)
        states: number of states n from 0 on for which the probability of n packets is written; 0: none (default 0)

        Source: yan2008job; yan2012, section 5.3
        """

    @staticmethod
    def credit_tandem(*, arrival_rate: float, rate_1: float, rate_2: float, capacity_1: int, capacity_2: int, method: Literal["automatic", "elimination", "matrix-analytic", "sparse"] | None = ..., credit_delay: float | None = ..., simulate: int | None = ..., states: int | None = ...) -> dict[str, Any]:
        """Two stations with credits between them, as a Markov chain.

        arrival_rate: packets that arrive in a unit of time (required)
        rate_1: service rate of the upstream station (required)
        rate_2: service rate of the downstream station (required)
        capacity_1: packets that the upstream station holds, the one in service included (required)
        capacity_2: packets that the downstream station holds, the one in service included: the credits (required)
        method: method that solves the chain; automatic: elimination up to 400 states (automatic | elimination | matrix-analytic | sparse) (default automatic)
        credit_delay: time until a credit is back, in the simulation; in the chain it is 0 (default 0.0)
        simulate: number of arrivals that are simulated beside the model, a tenth of them as warm-up; 0: none (default 0)
        states: number of states n from 0 on for which the probability of n packets is written; 0: none (default 0)

        Source: yan2006credit; yan2012, section 4.2
        """

    @staticmethod
    def entry_threshold(*, arrival_rate: float, arrival_scv: float | None = ..., service_scv: float | None = ..., own_rate: float, borrowed_rate: float, capacity: int, threshold: int | None = ..., threshold_entries: int | None = ..., packets_per_entry: int | None = ..., mode: Literal["above", "at-or-above"] | None = ..., boundary: Literal["exact", "published"] | None = ..., simulate: int | None = ..., states: int | None = ...) -> dict[str, Any]:
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
        simulate: number of arrivals that are simulated beside the model, a tenth of them as warm-up; 0: none (default 0)
        states: number of states n from 0 on for which the probability of n packets is written; 0: none (default 0)

        Source: yan2007entry; yan2012, section 5.2
        """

    @staticmethod
    def ge(*, arrival_rate: float, arrival_scv: float | None = ..., service_rate: float, service_scv: float | None = ..., capacity: int | None = ..., boundary: Literal["exact", "published"] | None = ..., simulate: int | None = ..., states: int | None = ...) -> dict[str, Any]:
        """GE/GE/1/N: bursty arrivals and services, one server, room for N packets.

        arrival_rate: packets that arrive in a unit of time (required)
        arrival_scv: squared coefficient of variation of the times between arrivals, at least 1: arrivals in batches of (scv + 1) / 2 on average (default 1.0)
        service_rate: packets served in a unit of time (required)
        service_scv: squared coefficient of variation of the service times, at least 1 (default 1.0)
        capacity: packets in the system, the one in service included (default: no bound)
        boundary: weight of the full queue: exact, or as published (equation 2.10), which is right for Poisson arrivals only (exact | published) (default exact)
        simulate: number of arrivals that are simulated beside the model, a tenth of them as warm-up; 0: none (default 0)
        states: number of states n from 0 on for which the probability of n packets is written; 0: none (default 0)

        Source: kouvatsos1988gg1; yan2012, section 2.4
        """

    @staticmethod
    def lane_sharing(*, arrival_rates: Sequence[float], arrival_scv: float | None = ..., service_scv: float | None = ..., rates: Sequence[float], capacity: int, thresholds: Sequence[int], lenders: Sequence[int], simulate: int | None = ..., states: int | None = ...) -> dict[str, Any]:
        """VLs of a port that lend each other lanes (ET, AJT): measures of VL 0. In the equations a lane is free whenever VL 0 wants one; in the simulation VL 0 waits its turn.

        arrival_rates: packets that arrive at VL 0, 1, ... in a unit of time; 0: none (required)
        arrival_scv: squared coefficient of variation of the times between arrivals, at least 1: arrivals in batches of (scv + 1) / 2 on average (default 1.0)
        service_scv: squared coefficient of variation of the service times, at least 1 (default 1.0)
        rates: service rate with 1, 2, ... lanes (required)
        capacity: packets that one lane holds; k times that with k lanes (required)
        thresholds: thresholds of lane 1, 2, ..., in packets of that lane; one fewer than rates (required)
        lenders: VLs that may be lent while they are idle (required)
        simulate: number of arrivals that are simulated beside the model, a tenth of them as warm-up; 0: none (default 0)
        states: number of states n from 0 on for which the probability of n packets is written; 0: none (default 0)

        Source: yan2012, sections 5.2.1 and 5.3.1
        """

    @staticmethod
    def poisson(*, arrival_rate: float, service_rate: float, service_scv: float | None = ..., simulate: int | None = ..., states: int | None = ...) -> dict[str, Any]:
        """M/G/1 without bound: Poisson arrivals, any services (M/D/1: service_scv = 0; M/M/1: 1).

        arrival_rate: packets that arrive in a unit of time (required)
        service_rate: packets served in a unit of time (required)
        service_scv: squared coefficient of variation of the service times, at least 0 (default 1.0)
        simulate: number of arrivals that are simulated beside the model, a tenth of them as warm-up; 0: none (default 0)
        states: number of states n from 0 on for which the probability of n packets is written; 0: none (default 0)

        Source: pollaczek1930aufgabe; khintchine1932queue
        """

class queueing:
    """which queue of a buffer a packet joins; where none is named, fifo with switch.voq = false and beside [isolation]."""

    @staticmethod
    def dbbm(*, queues: int | None = ...) -> dict[str, Any]:
        """queue = destination mod Q in every buffer, each with its own credits.

        queues: number of queues Q, at most the hosts (default 3)

        Source: nachiondo2005dbbm; nachiondo2010dbbm; rocher2021, section 2.3
        """

    @staticmethod
    def fifo() -> dict[str, Any]:
        """one first-in first-out queue at every input, with head-of-line blocking.

        Source: karol1987input; lippens2010, section 1.2
        """

    @staticmethod
    def flow_hash(*, queues: int | None = ...) -> dict[str, Any]:
        """a few FIFOs in every buffer (4Q), chosen by a hash of the destination, each with its own credits.

        queues: number of FIFOs (default 4)

        Source: weir2026, docs/mechanisms/virtual-lanes.md
        """

    @staticmethod
    def flow2sl(*, queues: int | None = ...) -> dict[str, Any]:
        """queue = (group of source + group of destination) mod Q, hosts in Q groups of consecutive numbers, each queue with its own credits.

        queues: number of queues Q, at most the hosts (default 3)

        Source: escudero2014flow2sl; rocher2021, section 2.3
        """

    @staticmethod
    def service_level(*, vls: int | None = ..., sl_to_vl: Sequence[int] | None = ...) -> dict[str, Any]:
        """InfiniBand virtual lanes by service level, each with its own credits.

        vls: number of VLs; with 16 the last one, VL 15, is for management: switch.arbiter = "vl-weighted" serves it before its tables (default 4)
        sl_to_vl: VL of each of the 16 service levels (default: SL mod vls, never VL 15)

        Source: iba2015volume1, section 7.6; yan2012, section 2.3
        """

    @staticmethod
    def vftree(*, queues: int | None = ...) -> dict[str, Any]:
        """queue by the leaf switches of source and destination, pairs dealt out over Q queues, each with its own credits.

        queues: number of queues Q, at most the pairs of leaf switches (default 3)

        Source: guay2011vftree; rocher2021, section 2.3
        """

    @staticmethod
    def voqnet(*, queue: str | None = ...) -> dict[str, Any]:
        """a queue per destination host with its own credits: no HOL blocking at all.

        queue: memory of a queue; where all of them need more than a side of a port has, the side gets more (default: an equal share) (default 0 B)

        Source: lippens2010, section 5.2
        """

    @staticmethod
    def voqsw(*, flow_control: Literal["shared", "per-queue"] | None = ...) -> dict[str, Any]:
        """a queue per output of the switch at every input.

        flow_control: shared: one memory and one credit account for all queues of a port; per-queue: a fixed part of the memory and credits for each, and an egress queue for each output of the next switch (shared | per-queue) (default shared)

        Source: gomez2003voqsw; lippens2010, section 5.1
        """

class reaction:
    """what a source does on feedback."""

    @staticmethod
    def aimd(*, factor: float | None = ..., start: Literal["least", "full"] | None = ..., least_rate: float | None = ..., recovery: Literal["per-ack", "elapsed-time"] | None = ..., window_kind: Literal["static", "none"] | None = ..., window: int | None = ...) -> dict[str, Any]:
        """additive increase, multiplicative decrease: a marked ACK divides the rate of its flow by the factor, and it grows by (factor - 1) least_rate^2 a packet time.

        factor: factor m of the decrease (n in FIMD) (default 4.0)
        start: rate of a new flow: least_rate, or the link's (least | full) (default least)
        least_rate: lowest rate R_min of a flow, over that of the link (default 0.00390625)
        recovery: what raises the rate: per-ack, every unmarked ACK; elapsed-time, time (per-ack | elapsed-time) (default per-ack)
        window_kind: bound on the packets of a flow without ACK: static, at most `window`; none, any number (static | none) (default static)
        window: packets of a static window (default 8)

        Source: chiu1989aimd; santos2003endtoend; yan2012, section 3.3.3
        """

    @staticmethod
    def by_service_level(*, parts: Any) -> dict[str, Any]:
        """another reaction for each service level; messages of a level without one do not wait.

        parts: tables with service_levels, model and the keys of that model: [{ service_levels = [0], model = "fimd" }, { service_levels = [1], model = "pipd", factor = 4.0 }] (required)

        Source: yan2012, section 3.4
        """

    @staticmethod
    def congestion_control_table(*, table: Any | None = ..., slot: str | None = ..., slot_rule: Literal["share-over-ports", "share"] | None = ..., hot_spot_degree: float | None = ..., switch_ports: int | None = ..., length: int | None = ..., increase: int | None = ..., limit: int | None = ..., minimum: int | None = ..., timer: str | None = ..., timer_factor: float | None = ..., recover_by_acks: bool | None = ..., scope: Literal["flow", "service-level"] | None = ..., window_kind: Literal["static", "none"] | None = ..., window: int | None = ...) -> dict[str, Any]:
        """InfiniBand's table of delays between packets: marked ACKs move the index up, a timer moves it down.

        table: delays between packets by index: "linear" (index times slot), or a list of times that do not decrease (default linear)
        slot: slot of a linear table (default: packet time T, or by slot_rule where hot_spot_degree is given)
        slot_rule: slot of a table made for a hot spot: share-over-ports, T x hot_spot_degree / switch_ports, so that as many marks as the switch has ports bring a source to its share of the hot link; share, T x hot_spot_degree, so that one mark does (share-over-ports | share) (default share-over-ports)
        hot_spot_degree: number of sources that a hot spot has at a time
        switch_ports: ports P of a switch (default: those of the switch of host 0)
        length: entries of a linear table; 0: no bound (default 128)
        increase: increase of the index by a marked ACK (CCTI_Increase) (default 1)
        limit: largest index (CCTI_Limit; default: the last entry)
        minimum: least index (CCTI_Min) (default 0)
        timer: time after which every index goes down by one (CCTI_Timer); 0: never (default: timer_factor x T x hot_spot_degree where that is given; else 153600 ns, or 0 with recover_by_acks)
        timer_factor: timer of a table made for a hot spot, in T x hot_spot_degree: so far apart are the ACKs of a source at its share of a full hot link, so that the timer must be much longer, or it takes back what marks add; 0: no timer (chosen by weir) (default 32.0)
        recover_by_acks: whether an unmarked ACK lowers the index too (default false)
        scope: what has an index of its own: a flow, or a service level of a host (flow | service-level) (default flow)
        window_kind: bound on the packets of a flow without ACK: static, at most `window`; none, any number (static | none) (default none)
        window: packets of a static window (default 2)

        Source: iba2015volume1, annex A10; pfister2005cca
        """

    @staticmethod
    def dcqcn(*, notification_gap: str | None = ..., gain: float | None = ..., alpha_timer: str | None = ..., timer: str | None = ..., byte_counter: str | None = ..., fast_stages: int | None = ..., additive: float | None = ..., hyper: float | None = ..., least_rate: float | None = ...) -> dict[str, Any]:
        """a rate for each flow: a notification cuts it by a share that follows how often they come, a timer and a byte counter bring it back in stages.

        notification_gap: a destination sends no notification to a flow within this time after one (N) (default 50 us)
        gain: weight of the newest notification in alpha (g) (default 0.00390625)
        alpha_timer: time without notification after which alpha falls (K) (default 55 us)
        timer: time that is a stage of recovery (default 55 us)
        byte_counter: bytes of a flow, on the wire, that are a stage of recovery (default 10 MB)
        fast_stages: stages of fast recovery, in which half of what was cut comes back each (default 5)
        additive: what the target grows by at a later stage, over the rate of the link (default 0.001)
        hyper: what it grows by once timer and bytes are both beyond fast recovery, over the rate of the link, times the stages since (default 0.01)
        least_rate: lowest rate of a flow, over that of the link (default 0.001)

        Source: zhu2015dcqcn
        """

    @staticmethod
    def dynamic_window(*, window_kind: Literal["dynamic", "static", "none"] | None = ..., window: float | None = ..., fractional: bool | None = ..., slots: Literal["geometric", "unlimited", "linear", "off"] | None = ..., slot: str | None = ..., slot_factor: float | None = ..., slot_steps: int | None = ..., count_first_step: bool | None = ..., slot_removal: Literal["all", "one"] | None = ..., wait_from: Literal["ack", "injection"] | None = ..., recovery: Literal["immediate", "progressive"] | None = ..., empty: Literal["acknowledged", "injected"] | None = ..., scope: Literal["flow", "host"] | None = ..., hops: int | None = ..., hop_time: str | None = ...) -> dict[str, Any]:
        """marks make the window of a flow smaller, then make it wait for slots between its packets (MVCM, IOCM).

        window_kind: bound on the packets of a flow without ACK: dynamic, a window that marks make smaller, down to one packet; static, a window that they do not change; none, any number (dynamic | static | none) (default dynamic)
        window: packets of a full window DW_max (default: the next integer of omega, the largest packets that fill the round trip of the longest path)
        fractional: mean of the full windows of flows, each of which is the integer below or above it (default: omega) (default false)
        slots: how long a flow waits when its window is one packet and marks go on: geometric, 1, k, k^2, ... slots up to n steps; unlimited, the same without bound; linear, 1, 2, 3, ... slots; off, not at all (geometric | unlimited | linear | off) (default geometric)
        slot: length of a waiting slot (default: RTT_min of the largest packet on the longest path)
        slot_factor: factor k between the steps (default: the hosts of a first-stage switch)
        slot_steps: most steps n (default: the stages of the network; linear: no bound)
        count_first_step: whether the step from 0 to 1 slot counts as one of them (default true)
        slot_removal: what an unmarked ACK takes away: all slots, or one step (all | one) (default all)
        wait_from: from when a wait counts: ack, the flow's latest ACK; injection, its latest packet (default: ack; without window: injection) (ack | injection)
        recovery: recovery of a flow: immediate, one whose queue was empty begins afresh with its next packet; progressive, only unmarked ACKs bring it back (immediate | progressive) (default immediate)
        empty: when a queue counts as empty: when all packets of its flow are acknowledged, or injected (acknowledged | injected) (default acknowledged)
        scope: what has a window and a wait of its own: a flow, which is a pair of hosts, or all that a host sends (flow | host) (default flow)
        hops: switches h of the longest path (default: measured)
        hop_time: time of a hop, t_hop (default: routing, crossbar and the link of a host)

        Source: ferrer2012, sections 5.2, 6.2.2 and 6.3.2
        """

    @staticmethod
    def fimd(*, factor: float | None = ..., start: Literal["least", "full"] | None = ..., least_rate: float | None = ..., recovery: Literal["per-ack", "elapsed-time"] | None = ..., window_kind: Literal["static", "none"] | None = ..., window: int | None = ...) -> dict[str, Any]:
        """fast increase, multiplicative decrease: a marked ACK divides the rate of its flow by the factor, and it grows by that factor in 1 / least_rate packet times.

        factor: factor m of the decrease (n in FIMD) (default 4.0)
        start: rate of a new flow: least_rate, or the link's (least | full) (default least)
        least_rate: lowest rate R_min of a flow, over that of the link (default 0.00390625)
        recovery: what raises the rate: per-ack, every unmarked ACK; elapsed-time, time (per-ack | elapsed-time) (default per-ack)
        window_kind: bound on the packets of a flow without ACK: static, at most `window`; none, any number (static | none) (default static)
        window: packets of a static window (default 8)

        Source: santos2003endtoend; yan2012, section 3.3.2
        """

    @staticmethod
    def hpcc(*, target: float | None = ..., stages: int | None = ..., flows: int | None = ..., round_trip: str | None = ..., least_rate: float | None = ...) -> dict[str, Any]:
        """a window and a rate for each flow, from what switches say of the links on the way (marking.model = "telemetry").

        target: share of the fullest link that is used (eta) (default 0.95)
        stages: round trips of additive increase before the window is set by the utilization again (maxStage) (default 5)
        flows: flows that one link is expected to have: all of them together grow by what the target leaves (N) (default 10)
        round_trip: of the largest packet and its ACK in an empty network (T); default: on the longest default route
        least_rate: lowest rate of a flow, over its link's (default 0.001)

        Source: li2019hpcc, section 3
        """

    @staticmethod
    def lipd(*, slot: str | None = ..., scope: Literal["flow", "host"] | None = ..., start: Literal["least", "full"] | None = ..., least_rate: float | None = ..., recovery: Literal["per-ack", "elapsed-time"] | None = ..., window_kind: Literal["static", "none"] | None = ..., window: int | None = ...) -> dict[str, Any]:
        """linear inter-packet delay: a marked ACK adds a slot between the packets of its flow.

        slot: length of a waiting slot (default: time of the largest packet on a host's link)
        scope: what has a window and a wait of its own: a flow, which is a pair of hosts, or all that a host sends (flow | host) (default flow)
        start: rate of a new flow: least_rate, or the link's (least | full) (default least)
        least_rate: lowest rate R_min of a flow, over that of the link (default 0.00390625)
        recovery: what raises the rate: per-ack, every unmarked ACK; elapsed-time, time (per-ack | elapsed-time) (default per-ack)
        window_kind: bound on the packets of a flow without ACK: static, at most `window`; none, any number (static | none) (default static)
        window: packets of a static window (default 8)

        Source: santos2003endtoend; ferrer2012, section 3.5.1
        """

    @staticmethod
    def pipd(*, factor: float | None = ..., rate_unit: float | None = ..., start: Literal["least", "full"] | None = ..., least_rate: float | None = ..., recovery: Literal["per-ack", "elapsed-time"] | None = ..., window_kind: Literal["static", "none"] | None = ..., window: int | None = ...) -> dict[str, Any]:
        """power increase, power decrease: a marked ACK takes the root of the rate of its flow, an ACK without mark a power of it.

        factor: factor m: exponent of the increase, root of the decrease (default 4.0)
        rate_unit: unit of rates in packets/s, on which the powers depend: 1 as published, 1000 for a range of rates between least and full, 483.558994 for MB/s with packets of 2068 B at 1 GB/s (default 1.0)
        start: rate of a new flow: least_rate, or the link's (least | full) (default least)
        least_rate: lowest rate R_min of a flow, over that of the link (default 0.00390625)
        recovery: what raises the rate: per-ack, every unmarked ACK; elapsed-time, time (per-ack | elapsed-time) (default per-ack)
        window_kind: bound on the packets of a flow without ACK: static, at most `window`; none, any number (static | none) (default static)
        window: packets of a static window (default 8)

        Source: yan2006pipd; yan2012, section 3.3.3
        """

    @staticmethod
    def qcn(*, gain: float | None = ..., deepest_cut: float | None = ..., timer: str | None = ..., byte_counter: str | None = ..., fast_stages: int | None = ..., additive: float | None = ..., hyper: float | None = ..., least_rate: float | None = ...) -> dict[str, Any]:
        """a rate for each flow: messages from switches (marking.model = "qcn") cut it by as much as they say, a timer and a byte counter bring it back in stages.

        gain: share of the rate that one unit of feedback takes (G_d) (default 0.0078125)
        deepest_cut: largest share of the rate that one message takes (default 0.5)
        timer: time that is a stage of recovery (default 15 ms)
        byte_counter: bytes of a flow, on the wire, that are a stage of recovery (default 150 KB)
        fast_stages: stages of fast recovery, in which half of what was cut comes back each (default 5)
        additive: what the target grows by at a later stage, over the rate of the link (default 0.0005)
        hyper: what it grows by once timer and bytes are both beyond fast recovery, over the rate of the link, times the stages since (default 0.005)
        least_rate: lowest rate of a flow, over that of the link (default 0.001)

        Source: ieee2010qau
        """

    @staticmethod
    def static_window(*, window: int | None = ..., scope: Literal["flow", "host"] | None = ...) -> dict[str, Any]:
        """at most `window` packets of a flow on their way without ACK.

        window: packets of a flow that may be on their way without ACK (default 2)
        scope: what has a window and a wait of its own: a flow, which is a pair of hosts, or all that a host sends (flow | host) (default flow)

        Source: ferrer2012, sections 5.2.1 and 5.3.1
        """

    @staticmethod
    def swift(*, base_target: str | None = ..., hop_target: str | None = ..., scaling_range: str | None = ..., scaling_from: float | None = ..., scaling_to: float | None = ..., endpoint_target: str | None = ..., increase: float | None = ..., decrease: float | None = ..., deepest_cut: float | None = ..., least_window: float | None = ..., most_window: float | None = ..., start_window: float | None = ...) -> dict[str, Any]:
        """a window for each flow that keeps the delay of its ACKs at a target; below one packet it is paced.

        base_target: target delay without switches; default: of an empty network, and a queue of eight packets
        hop_target: what each switch on the way adds; default: its delay there and back
        scaling_range: most that small windows add to the target; default: four idle round trips
        scaling_from: window that has all of it (default 0.1)
        scaling_to: window from which on it is nothing (default 100.0)
        endpoint_target: target of the time until a destination sends the ACK; default: an idle round trip
        increase: packets in a round trip below the target (default 1.0)
        decrease: share of the relative excess by which a window is cut (beta) (default 0.8)
        deepest_cut: most of a window that one cut takes (default 0.5)
        least_window: smallest window, packets (default 0.001)
        most_window: largest window, packets (default 256.0)
        start_window: window of a new flow, packets; default: what its link sends in an idle round trip

        Source: kumar2020swift, section 3
        """

    @staticmethod
    def timely(*, variant: Literal["original", "patched"] | None = ..., pacing: Literal["packet", "segment"] | None = ..., segment: str | None = ..., least_round_trip: str | None = ..., low_threshold: str | None = ..., high_threshold: str | None = ..., reference: str | None = ..., additive: float | None = ..., decrease: float | None = ..., deepest_cut: float | None = ..., gain: float | None = ..., hyper_after: int | None = ..., hyper_factor: float | None = ..., start_rate: float | None = ..., least_rate: float | None = ...) -> dict[str, Any]:
        """a rate for each flow that follows the gradient of its round-trip times, sampled once a segment.

        variant: between the thresholds: original, the gradient alone; patched, the gradient weighs an increase against a decrease by the distance from 'reference' (original | patched) (default original)
        pacing: what goes at the rate of the flow: packet, every packet; segment, segments, whose packets go at the rate of the link (packet | segment) (default packet)
        segment: bytes of a flow, on the wire, of which one sample is taken (default 16 KB)
        least_round_trip: to which gradients are related (D_minRTT); default: what a sample is in an empty network, on the longest default route
        low_threshold: below it a rate grows whatever the gradient (T_low); default: least_round_trip and a queue of 37.5 KB
        high_threshold: above it a rate falls whatever the gradient (T_high); default: least_round_trip and a queue of 600 KB
        reference: round trip below which the patch raises rates (RTT_ref); default: low_threshold
        additive: what a rate grows by at a sample, over that of the link (delta) (default 0.001)
        decrease: share of the gradient, of the excess or of the error by which a rate falls (beta); default: 0.8, patched 0.008
        deepest_cut: most of a rate that one sample takes (default 0.5)
        gain: weight of the newest change in its moving average (alpha) (default 0.875)
        hyper_after: samples with a negative gradient, one after another, from which on the increase is hyperactive (default 5)
        hyper_factor: how much larger it is then (N) (default 5.0)
        start_rate: rate of a new flow, over that of the link; default: one part in as many as the host has flows that send
        least_rate: lowest rate of a flow, over its link's (default 0.001)

        Source: mittal2015timely, section 4; zhu2016ecn, section 4
        """

class routing:
    """which outputs a packet may take; where no model is named, by the routing that the topology has of itself."""

    @staticmethod
    def d_mod_k(*, up: Literal["destination", "source", "hash"] | None = ..., allow_cycles: bool | None = ...) -> dict[str, Any]:
        """Fat trees: up port by a digit of the destination, so that every down link serves one host.

        up: what chooses the up port: a digit of the destination (D-mod-K), a digit of the source (S-mod-K), or a hash of both (destination | source | hash) (default destination)
        allow_cycles: whether to run although the channel dependencies have a cycle, so that the network may deadlock (default false)

        Source: zahavi2010dmodk; gomez2007fattrees; rocher2021, sections 2.1 and 4.1
        """

    @staticmethod
    def destination_tag(*, allow_cycles: bool | None = ...) -> dict[str, Any]:
        """Unidirectional butterflies: the output of each stage is a digit of the host.

        allow_cycles: whether to run although the channel dependencies have a cycle, so that the network may deadlock (default false)

        Source: ferrer2012, section 7.3
        """

    @staticmethod
    def dimension_order(*, allow_cycles: bool | None = ...) -> dict[str, Any]:
        """Meshes and tori: one dimension after the other, the shorter way; two VCs on rings.

        allow_cycles: whether to run although the channel dependencies have a cycle, so that the network may deadlock (default false)

        Source: dally1987deadlock; dally2004principles, chapter 8
        """

    @staticmethod
    def dragonfly_minimal(*, allow_cycles: bool | None = ...) -> dict[str, Any]:
        """Dragonflies: a local, a global, a local cable; two VCs.

        allow_cycles: whether to run although the channel dependencies have a cycle, so that the network may deadlock (default false)

        Source: kim2008dragonfly
        """

    @staticmethod
    def dragonfly_non_minimal(*, allow_cycles: bool | None = ...) -> dict[str, Any]:
        """Dragonflies: minimal paths, and those through another group that begin with a global cable; three VCs.

        allow_cycles: whether to run although the channel dependencies have a cycle, so that the network may deadlock (default false)

        Source: kim2008dragonfly
        """

    @staticmethod
    def linear_forwarding_tables(*, file: str | PathLike[str], paths: str | PathLike[str] | None = ..., sl2vl: str | PathLike[str] | None = ..., missing_sl: int | None = ..., allow_cycles: bool | None = ...) -> dict[str, Any]:
        """The forwarding tables that a subnet manager gave the switches, as dump_lfts printed them, with the service levels and virtual lanes of its layers.

        file: file with the output of dump_lfts or dump_fts (required)
        paths: file with path records, which tell the service level of every pair: output of saquery PathRecord, or OpenSM's opensm-path-records.dump (default: all packets on one lane)
        sl2vl: file with SL2VL tables: OpenSM's opensm-sl2vl.dump, or output of saquery SL2VL or smpquery sl2vl (default: the VL is the service level)
        missing_sl: service level of pairs without a path record (default: each pair must have one)
        allow_cycles: whether to run although the channel dependencies have a cycle, so that the network may deadlock (default false)

        Source: rdmacore2023diags, dump_fts(8); iba2015volume1, sections 7.6.6 and 14.2.5.6
        """

    @staticmethod
    def shortest_path(*, tie_break: Literal["balanced", "destination", "lowest-port"] | None = ..., allow_cycles: bool | None = ...) -> dict[str, Any]:
        """Any graph: shortest paths from full tables. May deadlock where the graph has rings.

        tie_break: choice of the default route among equally short paths: the cable with the fewest pairs of hosts so far, by the destination's number, or the lowest port (balanced | destination | lowest-port) (default balanced)
        allow_cycles: whether to run although the channel dependencies have a cycle, so that the network may deadlock (default false)

        Source: dally2004principles, chapter 8
        """

    @staticmethod
    def turnaround(*, up: Literal["destination", "source"] | None = ..., allow_cycles: bool | None = ...) -> dict[str, Any]:
        """Perfect-shuffle bidirectional MINs: up to the first stage above the destination, then down.

        up: whose digits choose the up ports: the destination's or the source's (destination | source) (default destination)
        allow_cycles: whether to run although the channel dependencies have a cycle, so that the network may deadlock (default false)

        Source: ferrer2012, section 7.3
        """

    @staticmethod
    def up_down(*, root: str | None = ..., tie_break: Literal["balanced", "destination", "lowest-port"] | None = ..., allow_cycles: bool | None = ...) -> dict[str, Any]:
        """up*/down* on any full-duplex graph: never up after down, so deadlock-free; shortest such paths.

        root: name or number of the root switch; most-connected; or top-stage, where the topology has stages: all switches of the last one (default most-connected)
        tie_break: choice of the default route among equally short paths: the cable with the fewest pairs of hosts so far, by the destination's number, or the lowest port (balanced | destination | lowest-port) (default balanced)
        allow_cycles: whether to run although the channel dependencies have a cycle, so that the network may deadlock (default false)

        Source: schroeder1991autonet
        """

class selection:
    """which of the allowed outputs a packet takes."""

    @staticmethod
    def adaptive_threshold(*, threshold: float | None = ..., isolation: Literal["none", "afi"] | None = ...) -> dict[str, Any]:
        """Adaptive: the default route while the buffer behind it is filled up to a threshold, else the output with most credit.

        threshold: filled share of the buffer class behind the default output above which packets leave it (default 0.75)
        isolation: what becomes of diverted packets: afi, they get a buffer class of their own, one more than the queueing scheme has, and keep to default routes; none, they mix with others (none | afi) (default none)

        Source: mellanox2021adaptive; rocher2021, sections 2.2 and 4.1
        """

    @staticmethod
    def arn(*, isolation: Literal["none", "afi"] | None = ..., high: float | None = ..., low: float | None = ..., free: float | None = ..., persistence: str | None = ..., persistence_test: Literal["endpoints", "continuous"] | None = ..., persistence_queue: Literal["high", "low"] | None = ..., threshold_scope: Literal["class", "port"] | None = ..., refresh: str | None = ..., switch_lifetime: str | None = ..., host_lifetime: str | None = ..., failure_lifetime: str | None = ..., least_gap: str | None = ..., notification_size: str | None = ..., adapted_roots: Literal["keep", "skip"] | None = ..., hosts: Literal["mark", "mark-adapted", "ignore"] | None = ..., table_entries: int | None = ...) -> dict[str, Any]:
        """Adaptive routing notifications: switches find roots of congestion and tell those upstream, which divert the flows responsible.

        isolation: what becomes of diverted packets: afi, they get a buffer class of their own, one more than the queueing scheme has, and keep to default routes; none, they mix with others (none | afi) (default none)
        high: HCDTh: filled share of its buffer class above which a virtual output queue makes its output suspect (default 0.81)
        low: LCDTh: filled share of its buffer class below which the queue of a suspect output does not count any longer (default 0.63)
        free: FCTh: free share of the buffer class behind a suspect output above which the output is a root, not a branch (default 0.78)
        persistence: CRT: time for which both conditions have to last before the output is declared a root (default 5 ms)
        persistence_test: when both conditions are tested: endpoints, when that time begins and when it ends; continuous, there is room behind the output all the time (endpoints | continuous) (default endpoints)
        persistence_queue: length of the queue when that time ends: above `high` again, or not yet below `low` since it was (high | low) (default high)
        threshold_scope: whole of which the shares of queues are taken: the buffer class, or the port's buffer (class | port) (default class)
        refresh: interval at which a root renews the entries about it (default 100 us)
        switch_lifetime: lifetime of entries in switches that are not renewed (default 3 ms)
        host_lifetime: lifetime of entries in hosts that are not renewed (default 10 ms)
        failure_lifetime: lifetime of entries about links that are down, which are tried again after it (default 1 s)
        least_gap: shortest time between two notifications of the same entry through the same port; 0: one for every packet (default 10 us)
        notification_size: size of a notification on the wire (default 64 B)
        adapted_roots: treatment of a root whose responsible packet is adapted: keep an entry that no switch acts on, so that hosts hear of it; or skip it, as the published pseudo-code does (keep | skip) (default keep)
        hosts: what hosts do when a notification reaches them: mark, packets of that flow are adapted from the start (with isolation); mark-adapted, also where the root is further up and its responsible packet was adapted; ignore (mark | mark-adapted | ignore) (default mark)
        table_entries: entries of a switch's table, of which the one renewed longest ago makes way; 0: no limit (default 0)

        Source: haramaty2014arn; rocher2021, sections 3.1 to 3.6
        """

    @staticmethod
    def bxi(*, larger_than: str | None = ..., outputs: int | None = ...) -> dict[str, Any]:
        """Adaptive, as in BXI v2: packets of large messages take the least filled of the default output and a few random ones.

        larger_than: size of messages up to which packets keep to the default route and in order (default 0 B)
        outputs: number of other outputs that are drawn (default 2)

        Source: vigneras2016bxi; rocher2021, table 1
        """

    @staticmethod
    def ecmp(*, salt: Literal["per-switch", "same"] | None = ...) -> dict[str, Any]:
        """Oblivious: equal-cost multi-path; a hash of source, destination and connection chooses among the allowed outputs, for all packets of a connection alike.

        salt: what goes into the hash besides: per-switch, a number of the switch; same, one number everywhere: flows that one stage sends the same way stay together at the next (polarization) (per-switch | same) (default per-switch)

        Source: hopps2000ecmp
        """

    @staticmethod
    def fixed() -> dict[str, Any]:
        """Deterministic: always the default route of the routing function.

        Source: rocher2021, section 2.1
        """

    @staticmethod
    def flowlet(*, gap: str | None = ..., entries: int | None = ...) -> dict[str, Any]:
        """Oblivious: flowlet switching; a connection keeps its output until it pauses, then takes any of the allowed ones at random.

        gap: time without a packet of the connection at the switch after which it may take another output; longer than what paths differ in delay keeps packets in order (default 20 us)
        entries: connections that the table of a switch tells apart, of 16 bytes each; those whose hashes fall together share an entry (default 1024)

        Source: vanini2017letflow
        """

    @staticmethod
    def most_credits() -> dict[str, Any]:
        """Adaptive: the allowed output whose next buffer has most credit; ties random.

        Source: rocher2021, section 2.1
        """

    @staticmethod
    def omni_path(*, policy: Literal["random", "greedy", "greedy-random"] | None = ..., threshold: float | None = ...) -> dict[str, Any]:
        """Adaptive, as in Omni-Path: while the output of a destination is busy, its switch moves the destination to another one.

        policy: random: any other allowed output; greedy: the one with most credit; greedy-random: any other one that is not busy (random | greedy | greedy-random) (default greedy)
        threshold: filled share of the buffer class behind an output above which it is busy (default 0.75)

        Source: intel2015omnipath; rocher2021, table 1
        """

    @staticmethod
    def random() -> dict[str, Any]:
        """Oblivious: any allowed output with equal probability, whatever the traffic.

        Source: rocher2021, section 2.1
        """

    @staticmethod
    def slingshot(*, paths: int | None = ..., at: Literal["source", "every"] | None = ..., lead: str | None = ...) -> dict[str, Any]:
        """Adaptive, as in Slingshot: the first switch takes the output with the shortest request queues of up to four paths.

        paths: number of paths compared, the default route among them; the others are drawn at random from those that the routing lists (default 4)
        at: switches that choose: source, only that of the source, then default routes; every, all of them (source | every) (default source)
        lead: bytes by which less waits for another output than for the default one for it to be taken, where paths are longer (default 0 B)

        Source: desensi2020slingshot; rocher2021, table 1
        """

    @staticmethod
    def spray(*, order: Literal["random", "round-robin"] | None = ...) -> dict[str, Any]:
        """Oblivious: packet spraying; each packet takes another of the allowed outputs, whatever its connection.

        order: random, every packet any output with equal probability; round-robin, one after the other at each switch, whatever the destination (random | round-robin) (default random)

        Source: dixit2013spraying
        """

    @staticmethod
    def two_choices(*, by: Literal["queued", "credits"] | None = ...) -> dict[str, Any]:
        """Adaptive: the better of two allowed outputs drawn at random (power of two choices).

        by: what makes an output the better one: queued, fewer bytes wait for it in the switch; credits, it has more credit for the next buffer (queued | credits) (default queued)

        Source: mitzenmacher2001choices; wang2018choices; rocher2021, section 1
        """

class sizes:
    """Models of the kind sizes."""

    @staticmethod
    def bert_large_gradients(*, ranks: int | None = ..., number: int | None = ..., scale: float | None = ...) -> dict[str, Any]:
        """The same of a language model: the 391 tensors of BERT-Large, 1.34 GB in all, five of eight of them at most 16 KB; mean 3.43 MB.

        ranks: ranks of a ring all-reduce, each message of which is one of so many parts of a tensor; 1: whole tensors (default 1)
        number: bytes of a number; 2: half precision (default 4)
        scale: factor of all sizes (default 1.0)

        Source: devlin2019bert, section 3; weir2026, docs/guide/experiment-files.md
        """

    @staticmethod
    def bimodal(*, small: str, large: str, large_probability: float | None = ...) -> dict[str, Any]:
        """Two sizes.

        small: payload of a small message (required)
        large: payload of a large message (required)
        large_probability: share of the large messages (default 0.5)

        Source: ferrer2012, section 7.4
        """

    @staticmethod
    def data_mining(*, scale: float | None = ...) -> dict[str, Any]:
        """Flows of a data-mining cluster: half of them one packet of 1460 B, 95 % of the bytes in those above 35 MB; mean 7.47 MB.

        scale: factor of all sizes: with 0.1 the same mix of small and large passes in a tenth of the time (default 1.0)

        Source: greenberg2009vl2, section 3.2; alizadeh2013pfabric, section 5
        """

    @staticmethod
    def empirical(*, sizes: Sequence[str] | None = ..., weights: Sequence[float] | None = ..., file: str | PathLike[str] | None = ..., interpolate: bool | None = ...) -> dict[str, Any]:
        """Measured sizes: a list with weights, or a cumulative distribution from a file.

        sizes: payloads, as in ["2 KB", "64 KB"]
        weights: how often each size comes, in any proportion (default: equally often)
        file: file with lines 'bytes share': the share of messages of at most so many bytes, ascending to 1
        interpolate: whether all sizes between two lines of the file come, equally often; without it only those of the lines do (default false)

        Source: lippens2010, section 5.1
        """

    @staticmethod
    def fixed(*, size: str) -> dict[str, Any]:
        """All messages have one size.

        size: payload of a message (required)

        Source: ferrer2012, section 7.4; rocher2021, section 4.1
        """

    @staticmethod
    def geometric(*, mean: str, unit: str | None = ...) -> dict[str, Any]:
        """Whole units, after each of which another one follows with a fixed probability; many small units: nearly exponential.

        mean: mean payload (required)
        unit: unit of which payloads are multiples (default 1 B)

        Source: meisling1958discrete
        """

    @staticmethod
    def hadoop(*, scale: float | None = ...) -> dict[str, Any]:
        """Flows of a Hadoop cluster: half of them at most 700 B; mean 120 KB.

        scale: factor of all sizes: with 0.1 the same mix of small and large passes in a tenth of the time (default 1.0)

        Source: roy2015inside, section 5.1; li2019hpcc, section 5.1
        """

    @staticmethod
    def resnet_50_gradients(*, ranks: int | None = ..., number: int | None = ..., scale: float | None = ...) -> dict[str, Any]:
        """Tensors that all-reduces of data-parallel training sum up, one by one: the 161 of ResNet-50, 102 MB in all, two thirds of them at most 8 KB; mean 635 KB.

        ranks: ranks of a ring all-reduce, each message of which is one of so many parts of a tensor; 1: whole tensors (default 1)
        number: bytes of a number; 2: half precision (default 4)
        scale: factor of all sizes (default 1.0)

        Source: he2016resnet, table 1; weir2026, docs/guide/experiment-files.md
        """

    @staticmethod
    def storage(*, scale: float | None = ...) -> dict[str, Any]:
        """Messages of a storage cluster at Alibaba in 2019: half of them below 6.4 KB; mean 41 KB.

        scale: factor of all sizes: with 0.1 the same mix of small and large passes in a tenth of the time (default 1.0)

        Source: li2019hpcc, section 5.1
        """

    @staticmethod
    def web_search(*, scale: float | None = ...) -> dict[str, Any]:
        """Flows of a web search cluster: half of them below 73 KB, 95 % of the bytes in those above 1 MB; mean 1.71 MB.

        scale: factor of all sizes: with 0.1 the same mix of small and large passes in a tenth of the time (default 1.0)

        Source: alizadeh2010dctcp, section 2.2; li2019hpcc, section 5.1
        """

class topology:
    """the network."""

    @staticmethod
    def bmin_perfect_shuffle(*, hosts: int, k: int, n: int, stage_rates: Sequence[str] | None = ..., stage_delays: Sequence[str] | None = ...) -> dict[str, Any]:
        """Bidirectional multistage network, k-ary perfect shuffle between n stages of hosts/k switches.

        hosts: hosts, a multiple of k (required)
        k: arity: ports down and ports up (required)
        n: stages (required)
        stage_rates: rate of the cables below each stage, host cables first (default: as [link])
        stage_delays: propagation delay of the cables below each stage, host cables first (default: as [link])

        Source: ferrer2012, section 7.3
        """

    @staticmethod
    def congestion_spreading() -> dict[str, Any]:
        """Sources s1..s4 on sw1; s5, s6 and destinations d1, d2 on sw2. s1, s2 send to d1, the others to d2.

        Source: zdornov2009, figure 1.1
        """

    @staticmethod
    def dragonfly(*, p: int, a: int, h: int, g: int | None = ..., host_rate: str | None = ..., host_delay: str | None = ..., local_rate: str | None = ..., local_delay: str | None = ..., global_rate: str | None = ..., global_delay: str | None = ...) -> dict[str, Any]:
        """Groups of fully joined routers, every two groups joined by global cables.

        p: hosts per router (required)
        a: routers per group (required)
        h: global cables per router (required)
        g: groups (default: as many as can be, a*h + 1)
        host_rate: rate of the host cables (default: as [link])
        host_delay: delay of the host cables (default: as [link])
        local_rate: rate of the cables within groups (default: as [link])
        local_delay: delay of the cables within groups (default: as [link])
        global_rate: rate of the cables between groups (default: as [link])
        global_delay: delay of the cables between groups (default: as [link])

        Source: kim2008dragonfly
        """

    @staticmethod
    def edge_list(*, file: str | PathLike[str]) -> dict[str, Any]:
        """Any network, from a file with a line for each host, switch and link.

        file: file with the list, in the format that weir topology --export edge-list writes (required)

        Source: weir2026, docs/guide/experiment-files.md
        """

    @staticmethod
    def ibnetdiscover(*, file: str | PathLike[str], delay: str | None = ..., rate_of_unknown_speed: str | None = ..., exclude: Sequence[str] | None = ...) -> dict[str, Any]:
        """A real InfiniBand fabric, from the output of ibnetdiscover; its link speeds set the rates.

        file: file with the output of ibnetdiscover (required)
        delay: propagation delay of every cable, instead of the link's
        rate_of_unknown_speed: data rate of links whose speed the file shows as ???
        exclude: pieces of names of adapters to leave out, as "Aggregation Node" (default [])

        Source: rdmacore2023diags, ibnetdiscover(8)
        """

    @staticmethod
    def k_ary_n_tree(*, k: int, n: int, stage_rates: Sequence[str] | None = ..., stage_delays: Sequence[str] | None = ...) -> dict[str, Any]:
        """k-ary n-tree: k^n hosts below n stages of k^(n-1) switches.

        k: down ports of a switch (required)
        n: stages of switches (required)
        stage_rates: rate of the cables below each stage, host cables first (default: as [link])
        stage_delays: propagation delay of the cables below each stage, host cables first (default: as [link])

        Source: petrini1997trees; zdornov2009, section 6.1
        """

    @staticmethod
    def line(*, switches: int, hosts_per_switch: Sequence[int] | None = ..., host_rate: str | None = ..., host_delay: str | None = ...) -> dict[str, Any]:
        """Switches in a row with hosts on each: parking lots, chains of bottlenecks, hop counts.

        switches: switches in the row (required)
        hosts_per_switch: hosts on each switch: one number for all, or one per switch (default [1])
        host_rate: rate of the host cables (default: as [link])
        host_delay: delay of the host cables (default: as [link])

        Source: zdornov2009, section 1.3
        """

    @staticmethod
    def mesh(*, sizes: Sequence[int], hosts_per_switch: int | None = ..., host_rate: str | None = ..., host_delay: str | None = ...) -> dict[str, Any]:
        """Mesh of any number of dimensions (k-ary n-mesh).

        sizes: switches per dimension (required)
        hosts_per_switch: hosts on every switch (default 1)
        host_rate: rate of the host cables (default: as [link])
        host_delay: delay of the host cables (default: as [link])

        Source: dally2004principles, chapter 5
        """

    @staticmethod
    def modified_k_ary_n_tree(*, k: int, n: int, width: int | None = ..., horizontal_rate: str | None = ..., horizontal_delay: str | None = ..., stage_rates: Sequence[str] | None = ..., stage_delays: Sequence[str] | None = ...) -> dict[str, Any]:
        """k-ary n-tree whose switches with the same descendants are also joined in a line.

        k: radix: down ports of a switch (required)
        n: stages (required)
        width: parallel horizontal cables between neighbours (default 2)
        horizontal_rate: rate of the horizontal cables (default: as [link])
        horizontal_delay: delay of the horizontal cables (default: as [link])
        stage_rates: rate of the cables below each stage, host cables first (default: as [link])
        stage_delays: propagation delay of the cables below each stage, host cables first (default: as [link])

        Source: zdornov2009, section 6.2
        """

    @staticmethod
    def pgft(*, children: Sequence[int], parents: Sequence[int], parallel: Sequence[int], stage_rates: Sequence[str] | None = ..., stage_delays: Sequence[str] | None = ...) -> dict[str, Any]:
        """Parallel-ports generalized fat tree PGFT(h; m; w; p).

        children: m_1..m_h: children of a switch of each stage, leaf stage first (required)
        parents: w_1..w_h: parents of a node of each stage, hosts first (w_1 = 1) (required)
        parallel: p_1..p_h: parallel cables per parent, hosts first (p_1 = 1) (required)
        stage_rates: rate of the cables below each stage, host cables first (default: as [link])
        stage_delays: propagation delay of the cables below each stage, host cables first (default: as [link])

        Source: zahavi2011rlft; rocher2021, section 2.1
        """

    @staticmethod
    def recn_min(*, hosts: int, stage_rates: Sequence[str] | None = ..., stage_delays: Sequence[str] | None = ...) -> dict[str, Any]:
        """Bidirectional MIN of 8-port switches: 64 and 256 hosts as 4-ary trees; 512 and 2048 with doubled cables to the last of 5 and 6 stages.

        hosts: 64 (3 stages, 48 switches), 256 (4, 256), 512 (5, 640) or 2048 (6, 3072) (required)
        stage_rates: rate of the cables below each stage, host cables first (default: as [link])
        stage_delays: propagation delay of the cables below each stage, host cables first (default: as [link])

        Source: lippens2010, section 5.1
        """

    @staticmethod
    def rlft(*, ports: int, stages: int, stage_rates: Sequence[str] | None = ..., stage_delays: Sequence[str] | None = ...) -> dict[str, Any]:
        """Real-life fat tree of equal P-port switches: 2 (P/2)^n hosts, constant bisection.

        ports: ports of a switch (even): half down, half up; all down at the top (required)
        stages: stages of switches (required)
        stage_rates: rate of the cables below each stage, host cables first (default: as [link])
        stage_delays: propagation delay of the cables below each stage, host cables first (default: as [link])

        Source: zahavi2011rlft; rocher2021, section 2.1
        """

    @staticmethod
    def shared_link() -> dict[str, Any]:
        """Sources x1, x2, x3 on X; y1, y2 and sinks z (the hot one), v on Y; x3 to v is the victim.

        Source: ferrer2012, figures 3.4 and 3.5
        """

    @staticmethod
    def single_switch(*, hosts: int) -> dict[str, Any]:
        """One switch; host i on port i.

        hosts: hosts, one a port (required)

        Source: karol1987input
        """

    @staticmethod
    def torus(*, sizes: Sequence[int], hosts_per_switch: int | None = ..., host_rate: str | None = ..., host_delay: str | None = ...) -> dict[str, Any]:
        """Torus of any number of dimensions (k-ary n-cube); a dimension of size 2 has single cables.

        sizes: switches per dimension (required)
        hosts_per_switch: hosts on every switch (default 1)
        host_rate: rate of the host cables (default: as [link])
        host_delay: delay of the host cables (default: as [link])

        Source: dally2004principles, chapter 5
        """

    @staticmethod
    def two_hosts() -> dict[str, Any]:
        """Two hosts joined by one cable, without a switch.

        Source: weir2026, docs/guide/experiment-files.md
        """

    @staticmethod
    def two_switches(*, remote: int | None = ..., victims: int | None = ..., local: int | None = ..., middle_rate: str | None = ..., middle_delay: str | None = ...) -> dict[str, Any]:
        """Remote and victim sources on A; local sources, the congested sink c1 and victim sinks on B.

        remote: sources ar1.. on A, for flows to the congested sink (default 2)
        victims: sources av1.. on A and as many sinks bv1.. on B (default 1)
        local: sources bl1.. on B, for flows to the congested sink (default 2)
        middle_rate: rate of the cable between the switches (default: as [link])
        middle_delay: delay of the cable between the switches (default: as [link])

        Source: yan2012, section 3.4
        """

    @staticmethod
    def umin_butterfly(*, k: int, n: int, stage_rates: Sequence[str] | None = ..., stage_delays: Sequence[str] | None = ...) -> dict[str, Any]:
        """Unidirectional multistage network: k^n hosts, butterfly wiring, every path crosses n switches.

        k: arity: input and output channels of a switch (required)
        n: stages (required)
        stage_rates: rate of the cables below each stage, host cables first (default: as [link])
        stage_delays: propagation delay of the cables below each stage, host cables first (default: as [link])

        Source: ferrer2012, section 7.3
        """

    @staticmethod
    def xgft(*, children: Sequence[int], parents: Sequence[int], stage_rates: Sequence[str] | None = ..., stage_delays: Sequence[str] | None = ...) -> dict[str, Any]:
        """Extended generalized fat tree XGFT(h; m; w): any children and parents per stage.

        children: m_1..m_h: children of a switch of each stage, leaf stage first (required)
        parents: w_1..w_h: parents of a node of each stage, hosts first (w_1 = 1) (required)
        stage_rates: rate of the cables below each stage, host cables first (default: as [link])
        stage_delays: propagation delay of the cables below each stage, host cables first (default: as [link])

        Source: ohring1995xgft; rocher2021, section 2.1
        """

class vl_sharing:
    """VLs of a port that lend each other their service."""

    @staticmethod
    def arrival_job_threshold(*, rates: Sequence[str], thresholds: Sequence[int], capacity: int | None = ..., lenders: Sequence[int], pools: Literal["one", "by-table"] | None = ..., ports: Literal["hosts", "switches"] | None = ..., service_scv: float | None = ...) -> dict[str, Any]:
        """AJT: a VL borrows one more idle VL each time the newest lane holds more than its threshold.

        rates: rate of a VL with 1, 2, ... lanes: ["8 Gbps", "16 Gbps"] (required)
        thresholds: thresholds of lane 1, 2, ..., in packets of that lane; one fewer than rates (required)
        capacity: packets that a VL with one lane holds at a host, k times that with k lanes (default: host.backlog alone)
        lenders: VLs that may be lent while they are idle (required)
        pools: who lends to whom: one, everybody to everybody; by-table, VLs of the high-priority arbitration table among themselves and the others likewise (one | by-table) (default one)
        ports: ports whose VLs share lanes (hosts | switches) (default hosts)
        service_scv: squared coefficient of variation of service times, drawn at each port: generalized exponential with the time of the packet's bytes as mean (default: that time itself)

        Source: yan2008job; yan2012, section 5.3
        """

    @staticmethod
    def entry_threshold(*, own_rate: str, borrowed_rate: str, threshold: int | None = ..., threshold_entries: int | None = ..., packets_per_entry: int | None = ..., capacity: int | None = ..., lenders: Sequence[int], pools: Literal["one", "by-table"] | None = ..., ports: Literal["hosts", "switches"] | None = ..., service_scv: float | None = ...) -> dict[str, Any]:
        """ET: a VL borrows an idle one while it holds more than a threshold of packets, or while its connections fill as many entries of the arbitration table.

        own_rate: rate of one lane (required)
        borrowed_rate: rate of both lanes (required)
        threshold: packets above which a VL borrows
        threshold_entries: entries of the arbitration table that make the threshold, in place of `threshold`: those that connections of the VL fill at the port (admission.tables), or each worth packets_per_entry
        packets_per_entry: packets that an entry is worth
        capacity: packets that a VL with one lane holds at a host, k times that with k lanes (default: host.backlog alone)
        lenders: VLs that may be lent while they are idle (required)
        pools: who lends to whom: one, everybody to everybody; by-table, VLs of the high-priority arbitration table among themselves and the others likewise (one | by-table) (default one)
        ports: ports whose VLs share lanes (hosts | switches) (default hosts)
        service_scv: squared coefficient of variation of service times, drawn at each port: generalized exponential with the time of the packet's bytes as mean (default: that time itself)

        Source: yan2007entry; yan2012, section 5.2
        """

    @staticmethod
    def one_lane(*, host_rate: str | None = ..., switch_rate: str | None = ..., capacity: int | None = ..., service_scv: float | None = ...) -> dict[str, Any]:
        """every VL has a lane of its own and borrows none.

        host_rate: rate of a lane at hosts' ports (default: no lanes there)
        switch_rate: rate of a lane at switches' ports (default: no lanes there)
        capacity: packets that a VL with one lane holds at a host, k times that with k lanes (default: host.backlog alone)
        service_scv: squared coefficient of variation of service times, drawn at each port: generalized exponential with the time of the packet's bytes as mean (default: that time itself)

        Source: yan2006credit; yan2012, section 4.2
        """

class workload:
    """a parallel program: what its ranks compute and send, each step when the ones before it are done."""

    @staticmethod
    def all_to_all(*, bytes: str, order: Literal["steps", "at-once"] | None = ..., rounds: int | None = ..., compute: str | None = ..., name: str, role: Literal["none", "cold", "hot"] | None = ..., ranks: int | None = ..., mapping: Any | None = ..., exclude: Any | None = ..., start: str | None = ..., overhead: str | None = ..., rendezvous: str | None = ..., service_level: int | None = ...) -> dict[str, Any]:
        """every rank sends a message to every other one.

        bytes: size of each message (required)
        order: order of the exchanges: steps, each waits for the one before; at-once, all of a round are begun together (steps | at-once) (default steps)
        rounds: number of rounds, one after the other (default 1)
        compute: time for which every rank computes before each round, in whole ns (default 0 ps)
        name: name of the workload in its messages and metrics (required)
        role: role in the study, as that of [[traffic]]: packets of cold workloads may be victims of hot traffic, and their numbers are reported as such (none | cold | hot) (default none)
        ranks: processes of the program (default: one for each host that is not excluded; a file has its own number)
        mapping: host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, the same on shuffled hosts; or a list (default linear)
        exclude: hosts that get no rank
        start: time at which the workload begins (default 0 ps)
        overhead: time for which every send and receive keeps the CPU of its rank busy (o of LogGP) (default 0 ps)
        rendezvous: size above which a send is done only when its receive has taken the message (default: never; a send is done when the host has the message)
        service_level: service level of the packets (default 0)

        Source: thakur2005collectives; rocher2021, section 4.2.2
        """

    @staticmethod
    def chakra(*, file: str | PathLike[str], groups: str | PathLike[str] | None = ..., all_reduce: Literal["ring", "recursive-doubling"] | None = ..., operations_per_ns: float | None = ..., name: str, role: Literal["none", "cold", "hot"] | None = ..., ranks: int | None = ..., mapping: Any | None = ..., exclude: Any | None = ..., start: str | None = ..., overhead: str | None = ..., rendezvous: str | None = ..., service_level: int | None = ...) -> dict[str, Any]:
        """execution traces of MLCommons Chakra, one file a rank: computations, messages, collective operations.

        file: name of the traces up to .RANK.et (protobuf, gzipped or not) or .RANK.json, as in 'traces/step' for traces/step.0.et (required)
        groups: JSON file with the ranks of each group that pg_name names, as in {"1": [0, 1]}; none: those that the traces name themselves
        all_reduce: how ALL_REDUCE is done: ring, recursive-doubling (ring | recursive-doubling) (default ring)
        operations_per_ns: num_ops that a rank does in a ns, for computations without duration; 0: these are errors (default 0.0)
        name: name of the workload in its messages and metrics (required)
        role: role in the study, as that of [[traffic]]: packets of cold workloads may be victims of hot traffic, and their numbers are reported as such (none | cold | hot) (default none)
        ranks: processes of the program (default: one for each host that is not excluded; a file has its own number)
        mapping: host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, the same on shuffled hosts; or a list (default linear)
        exclude: hosts that get no rank
        start: time at which the workload begins (default 0 ps)
        overhead: time for which every send and receive keeps the CPU of its rank busy (o of LogGP) (default 0 ps)
        rendezvous: size above which a send is done only when its receive has taken the message (default: never; a send is done when the host has the message)
        service_level: service level of the packets (default 0)

        Source: sridharan2023chakra
        """

    @staticmethod
    def gather(*, bytes: str, root: int | None = ..., rounds: int | None = ..., compute: str | None = ..., name: str, role: Literal["none", "cold", "hot"] | None = ..., ranks: int | None = ..., mapping: Any | None = ..., exclude: Any | None = ..., start: str | None = ..., overhead: str | None = ..., rendezvous: str | None = ..., service_level: int | None = ...) -> dict[str, Any]:
        """all ranks send a message to one rank, together: an incast.

        bytes: size of each message (required)
        root: rank that receives the messages (default 0)
        rounds: number of rounds, one after the other (default 1)
        compute: time for which every rank computes before each round, in whole ns (default 0 ps)
        name: name of the workload in its messages and metrics (required)
        role: role in the study, as that of [[traffic]]: packets of cold workloads may be victims of hot traffic, and their numbers are reported as such (none | cold | hot) (default none)
        ranks: processes of the program (default: one for each host that is not excluded; a file has its own number)
        mapping: host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, the same on shuffled hosts; or a list (default linear)
        exclude: hosts that get no rank
        start: time at which the workload begins (default 0 ps)
        overhead: time for which every send and receive keeps the CPU of its rank busy (o of LogGP) (default 0 ps)
        rendezvous: size above which a send is done only when its receive has taken the message (default: never; a send is done when the host has the message)
        service_level: service level of the packets (default 0)

        Source: thakur2005collectives
        """

    @staticmethod
    def goal(*, file: str | PathLike[str], name: str, role: Literal["none", "cold", "hot"] | None = ..., ranks: int | None = ..., mapping: Any | None = ..., exclude: Any | None = ..., start: str | None = ..., overhead: str | None = ..., rendezvous: str | None = ..., service_level: int | None = ...) -> dict[str, Any]:
        """a schedule in GOAL, the text of LogGOPSim and its schedule generators, or what its txt2bin makes of it.

        file: file in GOAL, text or binary (required)
        name: name of the workload in its messages and metrics (required)
        role: role in the study, as that of [[traffic]]: packets of cold workloads may be victims of hot traffic, and their numbers are reported as such (none | cold | hot) (default none)
        ranks: processes of the program (default: one for each host that is not excluded; a file has its own number)
        mapping: host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, the same on shuffled hosts; or a list (default linear)
        exclude: hosts that get no rank
        start: time at which the workload begins (default 0 ps)
        overhead: time for which every send and receive keeps the CPU of its rank busy (o of LogGP) (default 0 ps)
        rendezvous: size above which a send is done only when its receive has taken the message (default: never; a send is done when the host has the message)
        service_level: service level of the packets (default 0)

        Source: hoefler2009goal; hoefler2010loggopsim
        """

    @staticmethod
    def otf2(*, file: str | PathLike[str], ring_from: str | None = ..., collective_sizes: Literal["score-p", "buffer"] | None = ..., uneven: Literal["error", "even"] | None = ..., name: str, role: Literal["none", "cold", "hot"] | None = ..., ranks: int | None = ..., mapping: Any | None = ..., exclude: Any | None = ..., start: str | None = ..., overhead: str | None = ..., rendezvous: str | None = ..., service_level: int | None = ...) -> dict[str, Any]:
        """OTF2 archive of an MPI program, as Score-P records it: messages and collective operations, and the time between calls of MPI as computation.

        file: anchor file of the archive, as in 'run/traces.otf2' (required)
        ring_from: size of the vector from which an all-reduce goes in rings; smaller ones are done by recursive doubling (default 10 KB)
        collective_sizes: what sizes of ALLREDUCE, ALLGATHER and REDUCE_SCATTER count: score-p, what a rank has for each member of the communicator; buffer, its buffer once (score-p | buffer) (default score-p)
        uneven: what becomes of ALLTOALLV and ALLTOALLW, of which a trace has only sums: error; even, each rank sends the same to all others (error | even) (default error)
        name: name of the workload in its messages and metrics (required)
        role: role in the study, as that of [[traffic]]: packets of cold workloads may be victims of hot traffic, and their numbers are reported as such (none | cold | hot) (default none)
        ranks: processes of the program (default: one for each host that is not excluded; a file has its own number)
        mapping: host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, the same on shuffled hosts; or a list (default linear)
        exclude: hosts that get no rank
        start: time at which the workload begins (default 0 ps)
        overhead: time for which every send and receive keeps the CPU of its rank busy (o of LogGP) (default 0 ps)
        rendezvous: size above which a send is done only when its receive has taken the message (default: never; a send is done when the host has the message)
        service_level: service level of the packets (default 0)

        Source: eschweiler2012otf2; thakur2005collectives
        """

    @staticmethod
    def recursive_doubling_all_reduce(*, bytes: str, rounds: int | None = ..., compute: str | None = ..., name: str, role: Literal["none", "cold", "hot"] | None = ..., ranks: int | None = ..., mapping: Any | None = ..., exclude: Any | None = ..., start: str | None = ..., overhead: str | None = ..., rendezvous: str | None = ..., service_level: int | None = ...) -> dict[str, Any]:
        """sum over all ranks by exchanges at distances 1, 2, 4, ...

        bytes: size of the vector that every rank has, and of each message (required)
        rounds: number of rounds, one after the other (default 1)
        compute: time for which every rank computes before each round, in whole ns (default 0 ps)
        name: name of the workload in its messages and metrics (required)
        role: role in the study, as that of [[traffic]]: packets of cold workloads may be victims of hot traffic, and their numbers are reported as such (none | cold | hot) (default none)
        ranks: processes of the program (default: one for each host that is not excluded; a file has its own number)
        mapping: host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, the same on shuffled hosts; or a list (default linear)
        exclude: hosts that get no rank
        start: time at which the workload begins (default 0 ps)
        overhead: time for which every send and receive keeps the CPU of its rank busy (o of LogGP) (default 0 ps)
        rendezvous: size above which a send is done only when its receive has taken the message (default: never; a send is done when the host has the message)
        service_level: service level of the packets (default 0)

        Source: thakur2005collectives
        """

    @staticmethod
    def ring_all_gather(*, bytes: str, rounds: int | None = ..., compute: str | None = ..., name: str, role: Literal["none", "cold", "hot"] | None = ..., ranks: int | None = ..., mapping: Any | None = ..., exclude: Any | None = ..., start: str | None = ..., overhead: str | None = ..., rendezvous: str | None = ..., service_level: int | None = ...) -> dict[str, Any]:
        """every rank gets the data of all others, passed on in a ring of n - 1 steps.

        bytes: size of the data that every rank has at first, and of each message (required)
        rounds: number of rounds, one after the other (default 1)
        compute: time for which every rank computes before each round, in whole ns (default 0 ps)
        name: name of the workload in its messages and metrics (required)
        role: role in the study, as that of [[traffic]]: packets of cold workloads may be victims of hot traffic, and their numbers are reported as such (none | cold | hot) (default none)
        ranks: processes of the program (default: one for each host that is not excluded; a file has its own number)
        mapping: host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, the same on shuffled hosts; or a list (default linear)
        exclude: hosts that get no rank
        start: time at which the workload begins (default 0 ps)
        overhead: time for which every send and receive keeps the CPU of its rank busy (o of LogGP) (default 0 ps)
        rendezvous: size above which a send is done only when its receive has taken the message (default: never; a send is done when the host has the message)
        service_level: service level of the packets (default 0)

        Source: thakur2005collectives
        """

    @staticmethod
    def ring_all_reduce(*, bytes: str, rounds: int | None = ..., compute: str | None = ..., name: str, role: Literal["none", "cold", "hot"] | None = ..., ranks: int | None = ..., mapping: Any | None = ..., exclude: Any | None = ..., start: str | None = ..., overhead: str | None = ..., rendezvous: str | None = ..., service_level: int | None = ...) -> dict[str, Any]:
        """sum over all ranks in a ring of 2(n - 1) steps.

        bytes: size of the vector that every rank has; a message carries 1/n of it (required)
        rounds: number of rounds, one after the other (default 1)
        compute: time for which every rank computes before each round, in whole ns (default 0 ps)
        name: name of the workload in its messages and metrics (required)
        role: role in the study, as that of [[traffic]]: packets of cold workloads may be victims of hot traffic, and their numbers are reported as such (none | cold | hot) (default none)
        ranks: processes of the program (default: one for each host that is not excluded; a file has its own number)
        mapping: host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, the same on shuffled hosts; or a list (default linear)
        exclude: hosts that get no rank
        start: time at which the workload begins (default 0 ps)
        overhead: time for which every send and receive keeps the CPU of its rank busy (o of LogGP) (default 0 ps)
        rendezvous: size above which a send is done only when its receive has taken the message (default: never; a send is done when the host has the message)
        service_level: service level of the packets (default 0)

        Source: patarasuk2009ring
        """

    @staticmethod
    def training(*, steps: int | None = ..., compute: str, gradient: str | None = ..., buckets: int | None = ..., all_reduce: Literal["ring", "recursive-doubling"] | None = ..., name: str, role: Literal["none", "cold", "hot"] | None = ..., ranks: int | None = ..., mapping: Any | None = ..., exclude: Any | None = ..., start: str | None = ..., overhead: str | None = ..., rendezvous: str | None = ..., service_level: int | None = ...) -> dict[str, Any]:
        """data-parallel training of a neural network: every rank computes, then the gradients of all ranks are summed up, step after step (Inception-like).

        steps: number of training steps (default 1)
        compute: time for which every rank computes in a step, in whole ns (required)
        gradient: size of the gradient that every rank has; Inception-v3: some 24 million numbers of 4 bytes, 95 MB (default 95 MB)
        buckets: number of parts of the gradient; each is summed up as soon as its part of the computation is over, while that goes on (default 1)
        all_reduce: collective operation that sums the gradients up (ring | recursive-doubling) (default ring)
        name: name of the workload in its messages and metrics (required)
        role: role in the study, as that of [[traffic]]: packets of cold workloads may be victims of hot traffic, and their numbers are reported as such (none | cold | hot) (default none)
        ranks: processes of the program (default: one for each host that is not excluded; a file has its own number)
        mapping: host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, the same on shuffled hosts; or a list (default linear)
        exclude: hosts that get no rank
        start: time at which the workload begins (default 0 ps)
        overhead: time for which every send and receive keeps the CPU of its rank busy (o of LogGP) (default 0 ps)
        rendezvous: size above which a send is done only when its receive has taken the message (default: never; a send is done when the host has the message)
        service_level: service level of the packets (default 0)

        Source: rocher2021, section 4.2.2
        """

    @staticmethod
    def transpose(*, rows: int, columns: int, bytes: str, order: Literal["steps", "at-once"] | None = ..., rounds: int | None = ..., compute: str | None = ..., name: str, role: Literal["none", "cold", "hot"] | None = ..., ranks: int | None = ..., mapping: Any | None = ..., exclude: Any | None = ..., start: str | None = ..., overhead: str | None = ..., rendezvous: str | None = ..., service_level: int | None = ...) -> dict[str, Any]:
        """a block-cyclic matrix is transposed: ranks exchange blocks in pairs, all pairs at once (PTRANS-like).

        rows: rows of the grid of ranks (required)
        columns: columns of the grid of ranks; with lcm(rows, columns) = l a round has l * l / ranks steps (required)
        bytes: size of each block (required)
        order: order of the exchanges: steps, each waits for the one before; at-once, all of a round are begun together (steps | at-once) (default steps)
        rounds: number of rounds, one after the other (default 1)
        compute: time for which every rank computes before each round, in whole ns (default 0 ps)
        name: name of the workload in its messages and metrics (required)
        role: role in the study, as that of [[traffic]]: packets of cold workloads may be victims of hot traffic, and their numbers are reported as such (none | cold | hot) (default none)
        ranks: processes of the program (default: one for each host that is not excluded; a file has its own number)
        mapping: host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, the same on shuffled hosts; or a list (default linear)
        exclude: hosts that get no rank
        start: time at which the workload begins (default 0 ps)
        overhead: time for which every send and receive keeps the CPU of its rank busy (o of LogGP) (default 0 ps)
        rendezvous: size above which a send is done only when its receive has taken the message (default: never; a send is done when the host has the message)
        service_level: service level of the packets (default 0)

        Source: luszczek2006hpcc; rocher2021, section 4.2.2
        """

