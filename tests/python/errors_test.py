"""Mistakes have a place, Ctrl-C works, and other Python threads go on."""

import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import weir


def test_a_mistake_in_a_file_has_its_place(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(
        '[experiment]\nduration = "1 ms"\n[topology]\nmodel = "k-ary-n-tree"\nk = 4\nn = 2\nm = 1\n'
        '[[traffic]]\nname = "all"\ndestinations = "uniform"\narrivals = "saturated"\n'
        'sizes = { model = "fixed", size = "4 KiB" }\n'
    )
    with pytest.raises(weir.InputError) as caught:
        weir.run(path)
    error = caught.value
    assert (error.file, error.line, error.key) == (str(path), 7, "topology.m")
    assert error.column == 1
    assert str(error) == f"{path}:7:1: topology.m: {error.message}"
    assert isinstance(error, ValueError)


def test_a_mistake_in_a_dict_has_its_key(small):
    small["topology"]["k"] = "four"
    with pytest.raises(weir.InputError) as caught:
        weir.run(small)
    assert (caught.value.file, caught.value.line, caught.value.key) == ("<experiment>", None, "topology.k")
    assert "must be" in caught.value.message


def test_all_mistakes_come_at_once(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(
        '[experiment]\nduration = "1"\n[topology]\nmodel = "k-ary-n-tree"\nk = 4\nn = 2\nm = 1\n'
        '[host]\nmtu = 4096\n[[traffic]]\nname = "all"\ndestinations = "unifrom"\n'
        'arrivals = "saturated"\nsizes = { model = "fixed", size = "4 KiB" }\n'
    )
    for work in (weir.check, weir.run):
        with pytest.raises(weir.InputError) as caught:
            work(path)
        error = caught.value
        places = [(one.line, one.key) for one in error.problems]
        assert places == [
            (2, "experiment.duration"),
            (7, "topology.m"),
            (9, "host.mtu"),
            (12, "traffic[0].destinations.model"),
        ]
        assert str(error).splitlines() == [str(one) for one in error.problems]
        assert (error.line, error.key) == places[0]
    again = pickle.loads(pickle.dumps(error))
    assert [str(one) for one in again.problems] == [str(one) for one in error.problems]


def test_one_mistake_is_its_own_list(small):
    small["topology"]["k"] = "four"
    with pytest.raises(weir.InputError) as caught:
        weir.check(small)
    assert caught.value.problems == [caught.value]


def test_a_mistake_in_set_says_so(small):
    with pytest.raises(weir.InputError) as caught:
        weir.run(small, set={"queueing.modle": "fifo"})
    assert (caught.value.file, caught.value.key) == ("set", "queueing.modle")
    assert "did you mean 'model'" in caught.value.message


@pytest.mark.parametrize(
    "value, complaint",
    [(float("nan"), "finite"), (1 << 70, "64 bits"), (object(), "type object"), ({1: 2}, "no string")],
)
def test_values_that_no_file_could_hold(small, value, complaint):
    with pytest.raises(weir.InputError, match=complaint) as caught:
        weir.run(small, set={"topology.k": value})
    assert caught.value.key == "topology.k"


def test_check_finds_mistakes_of_all_runs(small):
    cases = [{"name": "right", "set": {}}, {"name": "wrong", "set": {"queueing.model": "voqs"}}]
    with pytest.raises(weir.InputError, match="did you mean 'voqsw'"):
        weir.check(small, set={"case": cases})
    assert weir.check(small, set={"case": cases[:1], "replicate.seeds": 3}) == 3


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(weir.InputError) as caught:
        weir.run(tmp_path / "nothing.toml")
    assert caught.value.file == str(tmp_path / "nothing.toml")


def test_an_error_survives_pickling(small):
    with pytest.raises(weir.InputError) as caught:
        weir.run(small, set={"topology.k": -1})
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.key, copy.message) == (str(caught.value), caught.value.key, caught.value.message)


# A ring without datelines, allowed to deadlock.
RING = {
    "experiment": {"name": "ring", "duration": "1 ms"},
    "topology": {"model": "torus", "sizes": [8]},
    "routing": {"model": "shortest-path", "allow_cycles": True},
    "switch": {"voq": False},
    "buffer": {"ingress": "8 KiB"},
    "traffic": [
        {
            "name": "around",
            "destinations": "uniform",
            "arrivals": "saturated",
            "sizes": {"model": "fixed", "size": "4 KiB"},
        }
    ],
}


def test_a_deadlock_is_a_run_error_that_keeps_what_ended():
    with pytest.raises(weir.RunError, match="(?i)deadlock") as caught:
        weir.run(RING, sweep={"traffic.around.messages": [1, 1000]})
    results = caught.value.results
    assert len(results) == 2
    assert list(results.runs["status"]) == ["done", "failed"]
    assert "deadlock" in results.runs["error"][1].lower()


def test_one_mistake_of_all_runs_has_its_place(small):
    small["topology"] = {"model": "torus", "sizes": [4]}
    with pytest.raises(weir.InputError, match="d-mod-k") as caught:
        weir.run(small, seeds=2)  # it is for trees, which shows only when the network is there
    assert (caught.value.file, caught.value.key) == ("<experiment>", "routing.model")
    with pytest.raises(weir.InputError, match="d-mod-k") as caught:
        weir.run(small)
    assert (caught.value.file, caught.value.key) == ("<experiment>", "routing.model")


ENDLESS = """
import sys, weir
experiment = {
    "experiment": {"duration": "100 s"},
    "topology": {"model": "k-ary-n-tree", "k": 4, "n": 2},
    "routing": "d-mod-k",
    "metrics": {"bin": "100 ms"},
    "traffic": [{
        "name": "all", "destinations": "uniform", "arrivals": "saturated",
        "sizes": {"model": "fixed", "size": "4 KiB"},
    }],
}
"""


@pytest.mark.parametrize(
    "call",
    [
        "weir.run(experiment, jobs=2, seeds=2)",
        "weir.Simulation(experiment).run()",
        "weir.Simulation(experiment, on_deliveries=len).run()",
    ],
)
def test_ctrl_c_ends_a_run_soon(call):
    script = ENDLESS + textwrap.dedent(
        f"""
        import time
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("stopped at", time.time(), flush=True)
        """
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(3)  # the run has begun; its first steps are as long as they are
        sent = time.time()
        process.send_signal(signal.SIGINT)
        answer = process.stdout.readline().split()
        process.wait(60)
    assert answer[:2] == ["stopped", "at"]
    assert process.returncode == 0
    assert float(answer[2]) - sent < 3  # hardly a tenth of one where nothing else is to do


def test_other_threads_go_on_during_a_run(small):
    small["experiment"]["duration"] = "100 ms"
    count = 0
    is_over = False

    def work():
        nonlocal count
        while not is_over:
            count += 1
            time.sleep(0.001)

    other = threading.Thread(target=work)
    other.start()
    begin = time.perf_counter()
    before = count
    weir.run(small, jobs=1)
    seconds = time.perf_counter() - begin
    during = count - before
    is_over = True
    other.join()
    assert seconds > 0.2  # otherwise the test says nothing
    assert during > 20 * seconds


def test_runs_in_several_threads_at_a_time(small):
    expected = list(weir.run(small).fingerprints)
    found = []
    threads = [threading.Thread(target=lambda: found.append(list(weir.run(small).fingerprints))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
