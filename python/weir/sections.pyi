# Written by scripts/python-stubs.
from collections.abc import Hashable, Sequence
from os import PathLike
from typing import Any, Literal

def experiment(*, name: str | None = ..., kind: Literal["network", "queue", "rates", "simulation"] | None = ..., title: str | None = ..., description: str | None = ..., seed: int | None = ..., duration: str | None = ..., find: Any | None = ..., until: Any | None = ..., warmup: Literal["auto"] | None = ..., threads: int | None = ...) -> dict[str, Any]:
    """what to run, and for how long.

    name: short name of the experiment and of the folder of its results (default: the file's name)
    kind: what is done: simulation (packets are simulated), network (topology and routing are measured), rates (rates of the [[flow]]s are calculated), queue (a queueing model is solved), saturation (the load at which latency diverges is searched). Keys that only packets need, such as duration and queueing, are not used by the others (network | queue | rates | simulation) (default simulation)
    title: title of tables and plots, one line (default empty)
    description: what the experiment is about, for the report (default empty)
    seed: seed of all random streams (default 1)
    duration: simulated time; with `until`, the longest simulated time
    find: search for a load: "saturation", the load beyond which latency diverges, or a table (see experiment.find)
    until: when a run ends before `duration`: "drained", when all sources have ended and every packet is delivered; "workload", when all workloads are done; or a table (see experiment.until), when all messages of one traffic entry are delivered, or a mean is known well enough
    warmup: time at which measuring starts; "auto": where MSER-5 finds the end of the start-up, with confidence intervals (auto) (default 0 ps)
    threads: threads that simulate one run together, each a part of the network; 0: one a core. Results are the same to the bit, whatever their number (default 1)
    """

def experiment_until(*, delivered: str | None = ..., metric: str | None = ..., relative_half_width: float | None = ..., confidence: float | None = ...) -> dict[str, Any]:
    """end when the messages of one traffic entry are delivered, or a mean is known well enough; at the latest after the duration.

    delivered: name of the traffic entry whose last message ends the run: all of its sources have sent their `messages`, and these have arrived. Other traffic goes on until then
    metric: metric whose steady-state mean ends the run, as in latency_mean[cold]
    relative_half_width: half width of the confidence interval at which the run ends, over the mean (default 0.05)
    confidence: confidence level of that interval (default 0.95)
    """

def experiment_find(*, goal: Literal["saturation"] | None = ..., load: str | None = ..., low: float | None = ..., high: float | None = ..., resolution: float | None = ...) -> dict[str, Any]:
    """search for a load by several simulations of `duration`, all of them one run of the experiment.

    goal: goal of the search: saturation is the load beyond which latency diverges (saturation) (default saturation)
    load: dotted key of the load to vary, as in traffic.NAME.arrivals.load (default: the only one)
    low: load that is taken to be sustained; none at or below it is tried (default 0.0)
    high: highest load, which is tried first (default 1.0)
    resolution: distance between the loads that are tried; at most 12 simulations are made (default 0.01)
    """

def link(*, rate: str | None = ..., delay: str | None = ..., lengths: Any | None = ..., delay_per_metre: str | None = ..., perturbation: str | None = ...) -> dict[str, Any]:
    """links that the topology does not set itself.

    rate: data rate of each direction (default 100 Gbps)
    delay: propagation delay of each direction (default 30 ns)
    lengths: distribution of cable lengths in metres, in place of `delay`: { model = "uniform", shortest = 1.0, longest = 20.0 }; the seed draws each cable (see weir list lengths)
    delay_per_metre: propagation delay of a metre of drawn cable (default: 5 ns, light in glass or copper)
    perturbation: largest change of a cable's delay, drawn for every cable by the seed, so that ties fall otherwise in every replication. At most the delay of the shortest cable; cables of 0 ns become longer (default 0 ps)
    """

def switch(*, architecture: Literal["iq", "iq-single", "cioq", "oq"] | None = ..., speedup: float | None = ..., switching: Literal["cut-through", "store-and-forward"] | None = ..., arbiter: Literal["round-robin", "first-come", "random", "vl-weighted"] | None = ..., iterations: int | None = ..., routing_delay: str | None = ..., crossbar_delay: str | None = ..., voq: bool | None = ...) -> dict[str, Any]:
    """how switches forward packets.

    architecture: switch architecture: iq, input-queued, where any number of packets leave a buffer at once; iq-single, one packet at a time, matched by iSLIP; cioq, one packet at a time at `speedup` times the link rate into an egress buffer; oq, ideal output queues (default: cioq with an [isolation] model and with presets that need it, else iq) (iq | iq-single | cioq | oq) (default iq)
    speedup: crossbar rate over link rate, with cioq (default 1.0)
    switching: switching technique: with cut-through a packet may leave while it arrives; with store-and-forward it has to be complete (cut-through | store-and-forward) (default cut-through)
    arbiter: rule by which an output chooses among the inputs (round-robin | first-come | random | vl-weighted) (default round-robin)
    iterations: iterations of the iSLIP matching, with iq-single (default 3)
    routing_delay: time from the arrival of a header until the packet is ready at the ingress queue (default 0 ps)
    crossbar_delay: time for a packet to cross the switch from ingress to output (default 0 ps)
    voq: whether each buffer class has virtual output queues; without them it is one FIFO with head-of-line blocking. Some queueing schemes decide it themselves (default true)
    """

def buffer(*, ingress: str | None = ..., egress: str | None = ..., memory: Literal["split", "shared", "reserved"] | None = ..., reserved: str | None = ..., scope: Literal["port", "switch"] | None = ...) -> dict[str, Any]:
    """packet memory of every switch port.

    ingress: memory of an ingress port, for all its classes together (default 336 KiB)
    egress: memory of an egress port, with cioq (default 336 KiB)
    memory: how classes share the memory of a port: split evenly; shared by all; or reserved, `reserved` for each class and the rest shared. Some queueing schemes decide it themselves (split | shared | reserved) (default split)
    reserved: memory that each class has for itself, with memory = "reserved" (default 0 B)
    scope: who shares what is shared, with flow_control.model = "stop-and-go" or "pfc": port, the classes of an ingress port; or switch, those of all ports of a switch, which put their `ingress` together (port | switch) (default port)
    """

def flow_control(*, model: Literal["credits", "stop-and-go", "pfc"] | None = ..., stop: float | None = ..., go: float | None = ..., threshold: Literal["dynamic", "static"] | None = ..., alpha: float | None = ..., static_share: float | None = ..., headroom: str | None = ..., hysteresis: str | None = ..., verify_headroom: bool | None = ..., pause_frame: str | None = ..., pause_response: str | None = ...) -> dict[str, Any]:
    """how a receiver holds its sender back.

    model: flow control of a link: credits, bytes of free buffer for each class; stop-and-go, by thresholds; or pfc, priority flow control by pause frames of each class (credits | stop-and-go | pfc) (default credits)
    stop: filled share of a class at which the sender is stopped, with stop-and-go; where memory is shared, of what `threshold` lets a class take of it (default 0.75)
    go: filled share of a class at which the sender may go on, with stop-and-go; where memory is shared, of what `threshold` lets a class take of it (default 0.5)
    threshold: what a class may take of memory that is shared (buffer.memory = "shared" or "reserved") before its sender is stopped: dynamic, `alpha` times what is free, so that it falls when others take memory (Choudhury and Hahne 1998); or static, `static_share` of all of it (dynamic | static) (default dynamic)
    alpha: with threshold = "dynamic": multiple of the free shared memory that a class may have (default: 1). Switches offer powers of two, from 1/128 to 8 or 64
    static_share: with threshold = "static": share of the shared memory that a class may have (default: 1, all of it)
    headroom: bytes that a class keeps for what comes after a pause, with pfc: above the fill that pauses its sender where memory is split, else for itself beside what is shared; by default, for each cable, what may arrive after a pause in the worst case
    hysteresis: bytes below the fill that pauses at which the sender may resume, with pfc; by default two of the largest packets
    verify_headroom: with pfc: refuse too little headroom before the run; false: the run fails at the first packet that finds no room (default true)
    pause_frame: a pause frame on the wire, with pfc (default 64 B)
    pause_response: time that a sender takes from a pause frame's arrival to its effect, with pfc (default 0 ps)
    """

def vl_arbitration(*, high: Any | None = ..., low: Any | None = ..., high_limit: int | None = ..., limit_unit: Literal["packet", "4096 B"] | None = ...) -> dict[str, Any]:
    """InfiniBand VL arbitration (switch.arbiter = "vl-weighted").

    high: high-priority table of at most 64 entries { vl = 0, weight = 4 }, weights from 0 to 255 in units of 64 bytes; or connections { vl = 0, share = 0.1 } of the link, which share entries of weight 255 (default [])
    low: low-priority table, written like the high-priority one (default [])
    high_limit: packets of high priority, or units of `limit_unit`, after which one of low priority gets its chance; 0: one packet, 255: no limit (default 255)
    limit_unit: what high_limit counts: packet; or 4096 B, the bytes of packets that have gone, as the InfiniBand architecture has it (packet | 4096 B) (default packet)
    """

def management(*, preset: Literal["ccfit", "dcqcn", "fimd", "hpcc", "ib-cca", "iocm", "mvcm", "none", "pfister", "pipd", "qcn", "renato", "swift", "timely", "traffic-classes"] | None = ...) -> dict[str, Any]:
    """congestion management as a whole.

    preset: marking, reaction and ACKs, or classes of service, as a publication combines them, for whatever the experiment does not set itself (see weir describe NAME) (ccfit | dcqcn | fimd | hpcc | ib-cca | iocm | mvcm | none | pfister | pipd | qcn | renato | swift | timely | traffic-classes) (default none)
    """

def host(*, mtu: str | None = ..., header: str | None = ..., source_queues: Literal["fifo", "per-class", "per-destination", "modulo", "shared-memory"] | None = ..., source_queue_count: int | None = ..., source_queue_packets: int | None = ..., source_memory: str | None = ..., backlog: str | None = ..., staged_packets: int | None = ..., saturation: Literal["per-queue", "head-of-line", "full-rate"] | None = ..., when_full: Literal["wait", "discard"] | None = ..., order: Literal["as-they-come", "reorder"] | None = ..., acks: Literal["none", "ideal", "in-band", "becn"] | None = ..., ack_size: str | None = ..., ack_service_level: int | None = ..., ack_delay: str | None = ..., ack_jitter: str | None = ...) -> dict[str, Any]:
    """host adapters: packets, source queues, acknowledgements.

    mtu: largest payload of a packet (default 4 KiB)
    header: bytes added to every packet on the wire (default 0 B)
    source_queues: queues for packets that may not be sent yet: fifo, a single one; per-class, one for each buffer class (always so with VL arbitration, unless per-destination); per-destination; modulo, `source_queue_count` of them by the destination's number; or shared-memory, a memory that all packets share and from which the oldest one that may go is sent (fifo | per-class | per-destination | modulo | shared-memory) (default fifo)
    source_queue_count: source queues of a host, with source_queues = "modulo"
    source_queue_packets: places of each source queue, with source_queues = "per-destination". A packet keeps its place until its ACK, so that no flow has more on their way; messages wait before the queue. 0: no bound (default, but for preset pfister; published: the largest dynamic window)
    source_memory: memory of a host for packets with their headers, with source_queues = "shared-memory"; messages wait before it in their order
    backlog: payload that a source queue can hold (default: no bound)
    staged_packets: packets that a saturated source keeps ready in its queue (default 8)
    saturation: what a saturated source does when the queue of its next message is full: per-queue, it generates messages for other queues, so that a blocked class or destination holds back nobody else; head-of-line, it waits, with all that comes after; full-rate, it generates at the rate of its link and counts what it cannot store as refused (per-queue | head-of-line | full-rate) (default per-queue)
    when_full: what happens to a message that finds its bounded source queue full (wait | discard) (default wait)
    order: what a host does with a packet that comes before an earlier one of its flow: as-they-come, it delivers it; reorder, it holds it until those before it are there, in memory without bound that metrics measure (its ACK goes at once) (as-they-come | reorder) (default as-they-come)
    acks: acknowledgements: in-band, a packet for each data packet; ideal, outside the network with the latency of an empty one; becn, a notification for each marked packet (none | ideal | in-band | becn) (default none)
    ack_size: size of an ACK on the wire (default 22 B)
    ack_service_level: service level of ACKs and notifications, which gives them a virtual lane with queueing.model = "service-level" and, by its weights, priority (default: that of their data)
    ack_delay: delay of an ideal ACK from the arrival of the packet's tail (default: the latency of the way back through an empty network)
    ack_jitter: largest random addition to the delay of an ideal ACK, uniform from 0 (default 0 ps)
    """

def traffic(*, name: str, role: Literal["", "cold", "hot"] | None = ..., sources: Any | None = ..., service_level: int | None = ..., reserve: str | None = ..., rate: Literal["none", "calculated"] | None = ..., destinations: Any | None = ..., arrivals: Any | None = ..., sizes: Any | None = ..., connections: int | None = ..., start: str | None = ..., stop: str | None = ..., phases: Any | None = ..., messages: int | None = ..., start_after_packets: int | None = ..., trace: Any | None = ..., storage: Any | None = ..., incast: Any | None = ...) -> dict[str, Any]:
    """a class of traffic: who sends what to whom, and when.

    name: name of this class of traffic in results (required)
    role: role in the study: hot traffic makes the congestion, cold traffic does not ( | cold | hot) (default empty)
    sources: sources: "all", "rest" (hosts that are no source of another entry), a list of hosts, or a table (see traffic.sources) (default all)
    service_level: service level of the packets (default 0)
    reserve: rate for which every source asks before it sends, with an [admission] model (default: it does not ask)
    rate: calculated: every pair of hosts between which it sends is a flow, and its messages leave at the rate that [rates] or [protocol] finds for it, with an [injection] model that keeps rates (without one it means nothing); none: no rate of its own (default: none) (none | calculated)
    destinations: traffic pattern, as in { model = "uniform" }
    arrivals: arrival process, as in { model = "constant", load = 0.5 }
    sizes: payload of the messages, as in { model = "fixed", size = "4 KiB" }
    connections: connections (queue pairs) of a source to each destination, over which its messages are spread at random; each has an order, and with host.source_queues = "per-destination" a queue, window and rate of its own (default 1)
    start: time before which there is no message (default: 0)
    stop: time from which on there is no message (default: the end)
    phases: phases in place of start and stop: [{ start = ..., stop = ..., load = ... }, ...]
    messages: most messages of a source (default: no limit)
    start_after_packets: data packets received in the whole network after which this traffic begins (default 0)
    trace: recorded messages in place of sources, destinations, arrivals and sizes: { file = "app.trace" }
    storage: synthetic storage traffic in place of sources, destinations, arrivals and sizes: { load = 0.7 }
    incast: incasts in place of sources, destinations, arrivals and sizes: { fan_in = 32, size = "64 KB", load = 0.1 }
    """

def traffic_sources(*, of: Any | None = ..., same_as: str | None = ..., range: Sequence[int] | None = ..., jobs: str | PathLike[str] | None = ..., job: str | None = ..., exclude: Any | None = ..., modulo: Sequence[int] | None = ..., fraction: float | None = ..., count: int | None = ..., choose: Literal["spread", "random", "first", "last"] | None = ...) -> dict[str, Any]:
    """hosts that send.

    of: hosts to choose from: "all", "rest" or a list of hosts (numbers, names, "n[01-16]") (default all)
    same_as: name of the entry whose sources these are, in place of `of`
    range: hosts [first, last], in place of `of`
    jobs: hosts of the jobs in a file, in place of `of`: lines "NAME HOSTS", as squeue -h -o "%i %N" prints them
    job: the only one of these jobs
    exclude: hosts that are no sources
    modulo: [divisor, remainder]: only hosts whose number has that remainder
    fraction: number of hosts to choose, as a share of all hosts of the network, rounded to the nearest number
    count: number of hosts to choose
    choose: which hosts are chosen: spread evenly, random (by the seed), the first or the last ones (spread | random | first | last)
    """

def traffic_phases(*, start: str, stop: str | None = ..., load: float | None = ...) -> dict[str, Any]:
    """a time with a load of its own.

    start: beginning of the phase (required)
    stop: end of the phase (default: none)
    load: offered load as a fraction of the host's link rate (default: that of arrivals)
    """

def traffic_trace(*, file: str | PathLike[str], compression: float | None = ...) -> dict[str, Any]:
    """recorded messages.

    file: file whose first line is 'time[ns] source destination bytes' (or 'time_ns,src,dst,bytes'), followed by one message a line (required)
    compression: factor by which all times are divided: 20 makes the traffic 20 times as dense (default 1.0)
    """

def traffic_storage(*, disks: Any | None = ..., hosts: Any | None = ..., load: float | None = ..., overload: bool | None = ..., compression: float | None = ..., burst: float | None = ..., burst_tail: float | None = ..., gap: str | None = ..., idle_tail: float | None = ..., cap: float | None = ..., sizes: Any | None = ..., reads: float | None = ..., request: str | None = ..., service: str | None = ..., zipf: float | None = ...) -> dict[str, Any]:
    """synthetic storage traffic, a substitute for disk traces.

    disks: hosts that are disks: a share of all hosts, those numbered last, or a list (default 0.25)
    hosts: list of the hosts that make I/Os (default: all but the disks)
    load: payload offered to the links of all disks together, in their busier direction, as a share of what they can carry, after compression (default 0.7)
    overload: whether a disk or host may be offered more than its link can carry (default false)
    compression: factor by which all times are divided: gap, service, and with the same load also the length of bursts (default 20.0)
    burst: mean number of I/Os in a burst of a host (default 20.0)
    burst_tail: Pareto exponent of the number of I/Os in a burst, more than 1 (default 1.4)
    gap: mean time between two I/Os of a burst, before compression (default 200 us)
    idle_tail: Pareto exponent of the time between two bursts, more than 1; the mean follows from the load (default 1.2)
    cap: multiple of their mean at which bursts and idle times are cut off (default 100.0)
    sizes: distribution of the data of an I/O (default { model = "empirical", sizes = ["2 KiB", "8 KiB", "64 KiB"], weights = [0.4, 0.45, 0.15] })
    reads: share of the I/Os that read (default 0.6)
    request: size of the message that asks a disk for a read (default 64 B)
    service: time from the arrival of a read's request to its data, before compression (default 2 ms)
    zipf: exponent of the popularity of disks: the k-th most popular gets a share in proportion to k^-zipf; 0: all the same (default 0.15)
    """

def traffic_incast(*, fan_in: int, senders: Any | None = ..., destinations: Any | None = ..., size: str | None = ..., total: str | None = ..., load: float | None = ..., interval: str | None = ..., times: Sequence[str] | None = ..., epochs: Literal["poisson", "constant"] | None = ..., within: str | None = ..., overload: bool | None = ...) -> dict[str, Any]:
    """many-to-one traffic by fan-in, with hosts drawn anew for each incast.

    fan_in: number of hosts that send in an incast (required)
    senders: hosts of which the senders of an incast are drawn (default: all)
    destinations: hosts of which the destination of an incast is drawn; one host: always that one (default: all)
    size: payload of each sender's message
    total: payload of all messages of an incast together, in place of `size`
    load: payload offered to the links of all possible destinations together, as a share of what they can carry
    interval: mean time between two incasts, in place of `load`
    times: times of the incasts from the start of the traffic on, as in ["0 us", "50 us"], in place of `load`
    epochs: times between incasts: poisson, exponential; constant, all the same, the first incast at the start (poisson | constant) (default poisson)
    within: time after an incast in which each of its senders begins at random; 0: all at once (default 0 ps)
    overload: whether a destination or sender may be offered more than its link can carry (default false)
    """

def failure(*, links: Sequence[str] | None = ..., random: int | None = ..., at: str, until: str | None = ...) -> dict[str, Any]:
    """cables that are out of service for a time.

    links: ports whose cables fail, in both directions: ["s3[4]"] (default [])
    random: number of cables between switches that fail besides, drawn by the seed (default 0)
    at: time at which the cables go down (required)
    until: time at which the cables are up again (default: never)
    """

def metrics(*, bin: str | None = ..., links: bool | None = ..., link_series: bool | None = ..., per_flow: bool | None = ..., waiting: bool | None = ..., victim_wait: str | None = ..., slowdown: bool | None = ..., sizes: Sequence[str] | None = ..., intervals: bool | None = ..., disturbed_from: str | None = ..., disturbed_until: str | None = ..., recovery_before: str | None = ..., recovery_level: float | None = ..., recovery_hold: str | None = ..., root_queued: str | None = ..., root_utilization: float | None = ..., branch_wait: float | None = ..., tree_records: int | None = ..., set_aside_events: int | None = ..., set_aside_events_from: str | None = ..., frames: int | None = ...) -> dict[str, Any]:
    """what to measure.

    bin: width of a bin of all series, and sampling period of whatever is sampled (default: about a hundredth of the duration, but 1 us where that is less)
    links: whether to keep series of groups of links, sampled buffers and congestion trees; without them there are means over the measuring window (default true)
    link_series: whether to keep series of single links, too, which are most of what a run leaves behind: of all up to 256 ports, else of those that wait most (default false)
    per_flow: whether to keep rates for each flow too, for 8 bytes a flow (default false)
    waiting: whether to measure how long packets of cold classes stand in queues that hot traffic holds up, and to count victims by that, whatever routes they take; needs a class with role = "cold" (default false)
    victim_wait: with waiting = true: a packet that waits behind hot traffic no longer than that in all its queues together makes nobody a victim (default 0 ps)
    slowdown: whether to measure completion times of messages and their slowdowns, for some 4 bytes a flow and time for every message (default false)
    sizes: largest payloads of size classes for which slowdowns and completion times are told besides, ascending, as in ["10 KB", "100 KB"]; larger messages are a class of their own (default: sizes are not told apart)
    intervals: whether to give 95 % confidence intervals of steady-state means, and "not stationary" where there is no steady state (always given with `until` or a detected warm-up) (default false)
    disturbed_from: time at which something, such as an incast, begins to disturb the network, from which on the recovery of the efficiency is measured (default: not measured)
    disturbed_until: time at which the disturbance ends; nothing later counts (default: the end of the run)
    recovery_before: length of the time before the disturbance with which the efficiency is compared (default 2 ms)
    recovery_level: share of the efficiency before the disturbance at which it counts as recovered (default 0.95)
    recovery_hold: time for which the efficiency has to stay recovered (default 3 ms)
    root_queued: bytes waiting for an output above which it may be the root of a congestion tree (default 8 KiB)
    root_utilization: least share of time for which the link of a root sends (default 0.9)
    branch_wait: least share of time for which a branch of a congestion tree waits for credit (default 0.1)
    tree_records: number of congestion trees that are kept in full (default 20000)
    set_aside_events: number of events of set-aside queues that are kept one by one, with an [isolation] model (default 2000)
    set_aside_events_from: time from which on events of set-aside queues are kept (default 0 ps)
    frames: number of states of all links over time that the report page can replay; where there are more samples they are averaged; 0: none (default 200)
    """

def network(*, pair: Sequence[int] | None = ..., path_pairs: int | None = ..., routes: bool | None = ...) -> dict[str, Any]:
    """what to measure of a network (experiment.kind = "network").

    pair: source and destination whose route and latencies are told besides, as in [0, 5]
    path_pairs: number of pairs of hosts whose allowed paths are counted, spread evenly over all pairs (default 10000)
    routes: whether to follow the route of every pair of hosts; without it there are no paths, balance and latencies, which take hours beyond 30,000 hosts (default true)
    """

def flow_routing(*, policy: Literal["static", "ascent", "forced-dir", "free-dir", "tables"] | None = ..., tables: str | PathLike[str] | None = ..., max_hops: Any | None = ..., metric: Literal["flows", "weight"] | None = ..., tie: Literal["random", "dp-first"] | None = ..., order: Literal["random", "listed"] | None = ..., set_up: Literal["before", "packets"] | None = ..., prc_size: Any | None = ..., flow: Literal["idle", "message"] | None = ..., tear_down: Literal["packet", "last-packet"] | None = ..., packet_size: str | None = ...) -> dict[str, Any]:
    """how flows find their paths.

    policy: how flows choose ports: static, default routes; ascent, the port with the fewest flows on the way up; forced-dir and free-dir, also on the way down, by horizontal cables toward the farther end of the line, or to either side; tables, as the tables in a file say, in any network (static | ascent | forced-dir | free-dir | tables) (default static)
    tables: file with the groups of alternate ports of every switch, for policy = "tables", in the format that weir topology --export flow-tables writes
    max_hops: most horizontal hops in each level of the tree, or "unlimited" (default 8)
    metric: load that a port selector compares: the number of flows on a port, or the sum of their weights (with set_up = "packets": bytes that wait when a flow is set up) (flows | weight) (default flows)
    tie: choice among equally loaded ports on the way up: random, or dp-first, the default port if it is one of them (random | dp-first) (default random)
    order: order in which flows are set up one after another: random, or as they are listed in [[flow]] (random | listed) (default random)
    set_up: how paths are found: before, for the [[flow]]s and before anything else; packets, for all flows by packets in the simulated network, to which the keys below belong (before | packets) (default before)
    prc_size: entries of the route cache of each input port, or "unlimited" (default unlimited)
    flow: extent of a flow: with idle it ends when no message of its connection waits; with message every message is a flow (idle | message) (default idle)
    tear_down: how a flow is torn down: by a packet after the ACK of the last data packet, or by that data packet itself (packet | last-packet) (default packet)
    packet_size: size of set-up and tear-down packets and of their answers (default 40 B)
    """

def rates(*, algorithm: Literal["afa", "afa-by-flows", "ffa", "global-minimum", "pafa", "saa", "saa-m", "none"] | None = ..., reserve: float | None = ..., barrier: str | None = ..., reserve_of: Any | None = ...) -> dict[str, Any]:
    """how to calculate the rates of flows.

    algorithm: algorithm that calculates the rates (see weir list rates); none: they are not calculated, in simulations (afa | afa-by-flows | ffa | global-minimum | pafa | saa | saa-m | none) (default ffa)
    reserve: share alpha of every link that is left to traffic without assigned rates (default 0.0)
    barrier: time that a barrier takes between two phases of [[flow]]s, from the last delivery of one to the start of the next (default: 0 s)
    reserve_of: share that is left to other traffic on single links, by transmitting port: { "s3[4]" = 0.25 } (default {})
    """

def protocol_changes(*, every: str, count: int | None = ..., present: float | None = ..., from_: str | None = ...) -> dict[str, Any]:
    """flows or applications that start and end while it runs.

    every: interval at which one flow starts and one ends, both drawn at random (required)
    count: number of changes (default 10)
    present: share of the flows that is there at any time (default 0.5)
    from_: time of the first change (default 100 us)
    """

def flow(*, name: str | None = ..., role: Literal["", "cold", "hot"] | None = ..., source: Any | None = ..., destination: Any | None = ..., destinations: Any | None = ..., sources: Any | None = ..., per_source: Any | None = ..., file: str | PathLike[str] | None = ..., fragmented: Any | None = ..., weight: float | None = ..., application: str | None = ..., size: str | None = ..., sizes: Any | None = ..., start: str | None = ..., stop: str | None = ..., phase: int | None = ..., service_level: int | None = ..., path: Any | None = ..., connection: Literal["own", "shared"] | None = ..., connections: int | None = ...) -> dict[str, Any]:
    """flows that get a rate, a single one or many: the short form of a [[traffic]] with `rate` that sends all the time or one message.

    name: name of this class of traffic in results; tables of one name are one class (default: flows)
    role: role in the study: hot traffic makes the congestion, cold traffic does not ( | cold | hot)
    source: number or name of the source host, for a single flow
    destination: number or name of the destination host, for a single flow
    destinations: traffic pattern that gives every source its destinations, for many flows, as in { model = "random-permutation" }
    sources: hosts that have flows: "all", "rest" (hosts that are no source of another entry), a list of hosts, or a table (see traffic.sources) (default: all hosts)
    per_source: number of flows of each source; [1, 5]: drawn from these for each (default 1)
    file: file with flows, in lines 'source destination' with an optional weight and application name
    fragmented: applications on scattered groups of hosts (see flow.fragmented)
    weight: size or priority of each flow (default 1.0)
    application: name of the application to which the flows belong; that of the class where it has one (default all)
    size: payload of a flow of weight 1, in simulations (default: flows never end)
    sizes: payload of the flows, drawn for each, as in { model = "web-search" }, in place of `size`
    start: time at which the flows start, from the start of their phase, in simulations and for protocols (default: 0 s)
    stop: time from which on flows without size send nothing, from the start of their phase (default: the end)
    phase: number of the phase to which the flows belong, in simulations: it begins when all data of the phase before is there and rates.barrier has passed (default: 1)
    service_level: service level of the packets, in simulations (default: 0)
    path: ports by which the packets of a single flow leave the switches on their way, as in ["s0[4]", "s4[1]", "s1[1]"] (default: by routing or flow_routing)
    connection: own: each flow is a connection of its own, with its own path, source queue, rate and statistics; shared: flows between the same two hosts are one, in simulations (default: own for a single flow, shared for many) (own | shared)
    connections: connections of a source to each destination, each with a flow of its own, as those of [[traffic]], in place of `connection`
    """

def flow_fragmented(*, applications: int | None = ..., fragments: int | None = ..., permutations: Any | None = ...) -> dict[str, Any]:
    """applications on scattered groups of hosts.

    applications: number of applications, all with the same number of hosts (default 32)
    fragments: number of groups of neighbours into which an application's hosts are split (default 1)
    permutations: number of superposed random permutations of an application's hosts; [1, 5]: drawn from these for each (default [1, 5])
    """

def results(*, export: Literal["csv", "json"] | None = ..., report: bool | None = ..., columns: Sequence[str] | None = ...) -> dict[str, Any]:
    """what to write.

    export: formats of files to write beside the database (csv | json) (default ["csv", "json"])
    report: whether to write report.html beside the results (default true)
    columns: metrics of the summary table, as in latency_p99[cold] (default: a choice of those that the runs have)
    """

def case(*, name: str, group: str | None = ..., set: Any | None = ...) -> dict[str, Any]:
    """a variant of the experiment.

    name: name of this variant in tables and plots (required)
    group: group of the case; every case of a group is combined with every case of the other groups (default "")
    set: keys that the case changes: { "queueing.model" = "dbbm", "queueing.queues" = 3 } (default {})
    """

def replicate(*, seeds: int | None = ...) -> dict[str, Any]:
    """repetitions with other random numbers, for intervals across seeds.

    seeds: number of runs of every case and point, with the seeds experiment.seed, the next one, and so on (default 1)
    """
