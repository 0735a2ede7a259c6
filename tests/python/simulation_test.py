"""weir.Simulation: steps, counters, callbacks, sources and patterns written in Python."""

import gc
import signal
import weakref

import numpy as np
import pytest

import weir


def test_steps_give_the_trajectory_of_a_run(small):
    whole = weir.run(small)
    simulation = weir.Simulation(small)
    seen = []
    while not simulation.is_over:
        simulation.step("7 us")
        seen.append(simulation.now)
    assert seen[:2] == [7_000, 14_000] and seen[-1] == simulation.end == 100_000
    assert simulation.fingerprint == whole.fingerprints.iloc[0]
    ours = simulation.finish().scalars
    theirs = whole.scalars
    timed = ["wall_time", "wall_seconds"]
    for table in (ours, theirs):
        table.drop(table[table["metric"].isin(timed)].index, inplace=True)
    assert ours["value"].tolist() == pytest.approx(theirs["value"].tolist(), nan_ok=True, rel=0, abs=0)


def test_counters_and_tables_between_steps(small):
    simulation = weir.Simulation(small)
    simulation.run_until("50 us")
    counters = simulation.counters
    traffic = simulation.traffic().loc["all"]
    assert counters["packets_injected"] - counters["packets_delivered"] == counters["packets_in_flight"]
    assert traffic["packets_delivered"] == counters["packets_delivered"]
    assert traffic["latency_mean_ns"] > traffic["network_latency_mean_ns"] > 0
    ports = simulation.ports()
    assert set(ports.index) == {key for _, _, key in simulation.graph.edges(keys=True)}
    assert ports["busy_ns"].between(0, 50_000).all()
    assert ports["packets"].sum() == counters["packet_hops"]
    simulation.run()
    assert simulation.counters["packets_delivered"] > counters["packets_delivered"]


def test_callbacks_hear_of_everything_and_change_nothing(small):
    batches, samples = [], []

    def on_sample(simulation):
        samples.append((simulation.now, sum(map(len, batches)), simulation.counters["packets_delivered"]))

    simulation = weir.Simulation(small, on_sample=on_sample, on_deliveries=batches.append)
    simulation.run()
    rows = np.concatenate(batches)
    assert len(rows) == simulation.counters["packets_delivered"] > 1000
    assert [now for now, _, _ in samples] == [10_000 * k for k in range(1, 11)]
    assert all(heard == delivered for _, heard, delivered in samples)
    assert (np.diff(rows["time_ns"]) >= 0).all()
    assert (rows["latency_ns"] >= rows["network_latency_ns"]).all()
    assert set(rows["hops"]) == {1, 3} and rows["in_order"].all()
    mean = rows["latency_ns"].mean()
    assert simulation.traffic().loc["all", "latency_mean_ns"] == pytest.approx(mean, rel=1e-12)
    assert simulation.fingerprint == weir.run(small).fingerprints.iloc[0]


def test_a_callback_that_raises_ends_the_simulation(small):
    def on_sample(simulation):
        raise ZeroDivisionError("from a callback")

    simulation = weir.Simulation(small, on_sample=on_sample)
    with pytest.raises(ZeroDivisionError, match="from a callback"):
        simulation.run()
    with pytest.raises(weir.RunError, match="cannot go on"):
        simulation.step("1 us")


def test_a_simulation_that_was_interrupted_goes_on(small):
    class Stop(Exception):
        pass

    def stop(number, frame):
        raise Stop

    small["experiment"]["duration"] = "40 ms"
    simulation = weir.Simulation(small)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Stop):
            simulation.run()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert 0 < simulation.now < simulation.end
    simulation.run()
    assert simulation.is_over
    assert simulation.fingerprint == weir.run(small).fingerprints.iloc[0]


def test_a_finished_simulation_does_not_go_on(small):
    simulation = weir.Simulation(small)
    simulation.run()
    assert len(simulation.finish()) == 1
    with pytest.raises(weir.RunError, match="finished"):
        simulation.finish()


def test_a_simulation_is_given_back(small):
    simulation = weir.Simulation(small, on_sample=lambda one: None)
    gone = weakref.ref(simulation)
    del simulation
    gc.collect()
    assert gone() is None


def test_cases_and_other_kinds_are_refused(small):
    with pytest.raises(weir.InputError, match="has 4"):
        weir.Simulation(weir.shipped("quickstart.toml"))
    with pytest.raises(weir.InputError) as caught:
        weir.Simulation(small, set={"experiment.kind": "network"})
    assert caught.value.key == "experiment.kind"


def quiet(small):
    """The same experiment without traffic of its own."""
    del small["traffic"]
    return small


def test_messages_from_python_arrive_when_they_should(small):
    arrived = []

    def messages(host, rng, now):
        assert now == 0
        yield "1 us", 5, "4 KiB"
        yield 2_000, "h6", 4096

    source = weir.Source(messages, hosts=["h4"], name="mine", role="hot")
    simulation = weir.Simulation(quiet(small), sources=[source], on_deliveries=arrived.append)
    simulation.run()
    rows = np.concatenate(arrived)
    assert list(rows["destination"]) == [5, 6] and set(rows["source"]) == {4}
    assert list(np.round(rows["time_ns"] - rows["latency_ns"], 3)) == [1_000, 2_000]  # to the ps
    # Alone, and over one switch each: the same time for both.
    assert rows["latency_ns"][0] == rows["latency_ns"][1]
    assert simulation.classes == ["mine"]
    results = simulation.finish()
    assert "hot" in set(results.scalars["label"])


def test_a_generator_gets_the_present_time(small):
    times = []

    def messages(host, rng, now):
        for _ in range(5):
            now = yield now + 100, (host + 1) % 16, 256
            times.append(now)

    weir.Simulation(quiet(small), sources=[weir.Source(messages, hosts=[3])]).run()
    assert times == [100, 200, 300, 400, 500]


def test_closed_loops_fill_the_link(small):
    def messages(host, rng, now):
        while True:
            yield None, (host + 8) % 16, "4 KiB"

    source = weir.Source(messages, closed_loop=True)
    simulation = weir.Simulation(quiet(small), sources=[source])
    simulation.run()
    scalars = simulation.finish().scalars.set_index(["metric", "label"])["value"]
    # A permutation that d-mod-k carries without conflict: all but the headers is payload.
    assert scalars["efficiency", ""] > 0.95


def test_random_numbers_belong_to_the_seed_and_the_host(small):
    def messages(host, rng, now):
        at = 0.0
        while True:
            at += rng.exponential(1_000)
            yield at, (host + 1 + rng.below(15)) % 16, 1024

    def fingerprint(seed):
        simulation = weir.Simulation(
            small, set={"experiment.seed": seed}, sources=[weir.Source(messages)]
        )
        simulation.run()
        return simulation.fingerprint

    assert fingerprint(1) == fingerprint(1) != fingerprint(2)


def test_python_traffic_beside_that_of_the_file_leaves_it_alone(small):
    def messages(host, rng, now):
        yield "95 us", (host + 1) % 16, 64

    plain = weir.Simulation(small)
    both = weir.Simulation(small, sources=[weir.Source(messages)])
    for simulation in (plain, both):
        simulation.run()
    assert both.classes == ["all", "python"]
    count = "messages_generated"
    assert plain.traffic().loc["all", count] == both.traffic().loc["all", count]
    assert both.traffic().loc["python", count] == 16


@pytest.mark.parametrize(
    "yielded, complaint",
    [
        ((0, 3, 64), "cannot send to 3"),
        ((0, 16, 64), "cannot send to 16"),
        ((0, "h99", 64), "cannot send to h99"),
        ((0, 5, 0), "at least 1 byte"),
        ((0, 5, "4 Ki"), "size"),
        (("3 lightyears", 5, 64), "messages"),
        ((-1, 5, 64), "from 0 on"),
        ((0, 5), "must yield"),
        (5, "must yield"),
    ],
)
def test_messages_that_cannot_be(small, yielded, complaint):
    source = weir.Source(lambda host, rng, now: iter([yielded]), hosts=[3])
    with pytest.raises(weir.InputError, match=complaint):
        weir.Simulation(quiet(small), sources=[source]).run()


def test_hosts_that_are_not_there(small):
    for hosts in ([99], ["h99"], [], [1, 1]):
        with pytest.raises(weir.InputError) as caught:
            weir.Simulation(small, sources=[weir.Source(lambda *_: iter(()), hosts=hosts)])
        assert caught.value.key == "hosts"


def test_numbers_are_lent_for_the_life_of_a_source(small):
    kept = []

    def messages(host, rng, now):
        kept.append(rng)
        yield 0, 1, 64

    simulation = weir.Simulation(quiet(small), sources=[weir.Source(messages, hosts=[0])])
    simulation.run()
    assert 0 <= kept[0].unit() < 1
    del simulation
    gc.collect()
    with pytest.raises(RuntimeError, match="lent"):
        kept[0].unit()


def test_a_pattern_written_in_python(small):
    @weir.pattern("distance")
    def destination(source, hosts, rng, *, by: int = 1):
        """So many hosts further on."""
        return (source + by) % hosts

    assert weir.catalogue().model("pattern", "distance").purpose == "So many hosts further on."
    shift = weir.run(small, set={"traffic.all.destinations": {"model": "shift", "distance": 3}})
    ours = weir.run(small, set={"traffic.all.destinations": {"model": "distance", "by": 3}})
    assert list(ours.fingerprints) == list(shift.fingerprints)
    swept = weir.run(
        small,
        set={"traffic.all.destinations.model": "distance"},
        sweep={"traffic.all.destinations.by": [1, 3]},
    )
    assert swept.fingerprints.iloc[1] == shift.fingerprints.iloc[0]


def test_a_pattern_can_be_written_anew(small, tmp_path):
    where = {"traffic.all.destinations": {"model": "changing"}}

    @weir.pattern("changing")
    def first(source, hosts, rng):
        return (source + 1) % hosts

    one = weir.run(small, set=where, results_folder=tmp_path, report=False)

    @weir.pattern("changing")
    def second(source, hosts, rng):
        return (source + 2) % hosts

    two = weir.run(small, set=where, results_folder=tmp_path, report=False)
    assert one.runs["configuration_hash"][0] != two.runs["configuration_hash"][0]
    assert one.fingerprints.iloc[0] != two.fingerprints.iloc[0]


def test_random_patterns_are_the_same_for_any_number_of_jobs(small):
    @weir.pattern("any-other")
    def destination(source, hosts, rng):
        return (source + 1 + rng.below(hosts - 1)) % hosts

    where = {"traffic.all.destinations": {"model": "any-other"}}
    alone = weir.run(small, set=where, seeds=3, jobs=1)
    assert list(weir.run(small, set=where, seeds=3, jobs=3).fingerprints) == list(alone.fingerprints)


def test_patterns_that_cannot_be(small):
    @weir.pattern("to-itself")
    def destination(source, hosts, rng):
        return source

    with pytest.raises(weir.InputError, match="from host .* to "):
        weir.run(small, set={"traffic.all.destinations": {"model": "to-itself"}})

    @weir.pattern("raises")
    def broken(source, hosts, rng):
        raise ZeroDivisionError("from a pattern")

    with pytest.raises(ZeroDivisionError, match="from a pattern"):
        weir.run(small, set={"traffic.all.destinations": {"model": "raises"}}, seeds=2)
    with pytest.raises(weir.InputError, match="of weir itself"):
        weir.pattern("uniform")(destination)
    with pytest.raises(weir.InputError, match="needs a default"):
        weir.pattern("no-default")(lambda source, hosts, rng, *, by: 1)
