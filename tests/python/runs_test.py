"""weir.run(): the same numbers as the program, cases, sweeps, seeds, results folders."""

import math

import numpy as np
import pandas as pd
import pytest

import weir

HOT_SPOT = """
[experiment]
name = "hot-spot"
duration = "60 us"
warmup = "10 us"
[topology]
model = "k-ary-n-tree"
k = 4
n = 2
[routing]
model = "d-mod-k"
[metrics]
bin = "10 us"
[[traffic]]
name = "hot"
role = "hot"
sources = { count = 6, exclude = [0] }
destinations = { model = "fixed", host = 0 }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "4 KiB" }
[[traffic]]
name = "others"
role = "cold"
sources = "rest"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.4 }
sizes = { model = "fixed", size = "4 KiB" }
[[case]]
name = "one, queue"
set = { "queueing.model" = "fifo" }
[[case]]
name = "queue per output"
set = { "queueing.model" = "voqsw" }
[sweep]
"traffic.others.arrivals.load" = [0.2, 0.6]
"host.mtu" = ["1 KiB", "4 KiB"]
[replicate]
seeds = 2
"""


@pytest.fixture(scope="module")
def hot_spot(tmp_path_factory):
    path = tmp_path_factory.mktemp("hot") / "hot-spot.toml"
    path.write_text(HOT_SPOT)
    return path


@pytest.fixture(scope="module")
def results(hot_spot):
    return weir.run(hot_spot)


def test_numbers_are_those_of_the_program(hot_spot, results, program, tmp_path):
    program("run", hot_spot, "--quiet", "--no-report", "-o", tmp_path)
    for part in ("scalars", "series"):
        written = pd.read_csv(
            tmp_path / f"{part}.csv",
            keep_default_na=False,
            na_values={"value": "", "half_width": ""},
            float_precision="round_trip",
        )
        ours = getattr(results, part)
        assert len(ours) > 500
        pd.testing.assert_frame_equal(
            ours, written, check_exact=True, check_dtype=False, check_column_type=False
        )


def test_the_store_of_the_program_reads_the_same(hot_spot, results, program, tmp_path):
    program("run", hot_spot, "--quiet", "--no-report", "-o", tmp_path)
    stored = weir.read_results(tmp_path)
    pd.testing.assert_frame_equal(stored.scalars, results.scalars, check_exact=True)
    pd.testing.assert_frame_equal(stored.trees, results.trees, check_exact=True)
    assert list(stored.fingerprints) == list(results.fingerprints)


def test_a_results_folder_is_that_of_the_program(hot_spot, program, tmp_path):
    program("run", hot_spot, "--quiet", "--no-report", "-o", tmp_path / "program")
    first = weir.run(hot_spot, results_folder=tmp_path / "python", report=False)
    for name in ("scalars.csv", "series.csv", "results.json"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "program" / name).read_bytes()
    database = tmp_path / "python" / "results.sqlite"
    started = weir.read_results(database).runs["finished"].tolist()
    again = weir.run(hot_spot, results_folder=tmp_path / "python", report=False)
    assert weir.read_results(database).runs["finished"].tolist() == started  # nothing was repeated
    pd.testing.assert_frame_equal(again.scalars, first.scalars, check_exact=True)


def test_rows_say_of_which_run_they_are(results):
    assert results.swept == ["traffic.others.arrivals.load", "host.mtu"]
    assert len(results) == 2 * 2 * 2 * 2
    runs = results.runs
    assert set(runs["case"]) == {"one, queue", "queue per output"}
    assert set(runs["traffic.others.arrivals.load"]) == {0.2, 0.6}
    assert set(runs["host.mtu"]) == {"1 KiB", "4 KiB"}
    assert set(runs["seed"]) == {1, 2}
    assert (runs["status"] == "done").all()
    assert runs["fingerprint"].nunique() == len(results)
    assert (results.fingerprints.index.names) == ["case", *results.swept, "seed"]


def test_trees_grow_at_the_hot_host(results):
    trees = results.trees
    assert not trees.empty
    assert (trees["branches"].map(len) == trees["branch_depths"].map(len)).all()
    assert trees["time_ns"].max() <= 60_000


def test_summary_has_the_mean_of_the_seeds_and_student_s_interval(results):
    summary = results.summary("efficiency", "throughput[hot]")
    assert len(summary) == 8
    scalars = results.scalars
    chosen = scalars[
        (scalars["case"] == "one, queue")
        & (scalars["traffic.others.arrivals.load"] == 0.2)
        & (scalars["host.mtu"] == "1 KiB")
        & (scalars["metric"] == "throughput")
        & (scalars["label"] == "hot")
    ]["value"]
    row = summary.loc[("one, queue", 0.2, "1 KiB")]
    assert row["throughput[hot]", "mean"] == pytest.approx(chosen.mean(), rel=1e-12)
    # Of two values: t(0.975, 1 degree of freedom) = 12.706.
    half_width = 12.7062047 * chosen.std(ddof=1) / math.sqrt(2)
    assert row["throughput[hot]", "±"] == pytest.approx(half_width, rel=1e-6)


def test_summary_has_no_more_levels_than_it_needs(results, small):
    assert results.summary("efficiency").index.names == ["case", *results.swept]
    assert weir.run(small).summary("efficiency").index.tolist() == ["small"]


def test_summary_refuses_what_no_run_has(results):
    with pytest.raises(KeyError, match="efficiencies"):
        results.summary("efficiencies")


def test_a_dict_gives_the_numbers_of_a_file(small, program, tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(
        """
        routing = "d-mod-k"
        experiment = { name = "small", duration = "100 us", warmup = "10 us" }
        topology = { model = "k-ary-n-tree", k = 4, n = 2 }
        metrics.bin = "10 us"
        [[traffic]]
        name = "all"
        destinations = { model = "uniform" }
        arrivals = { model = "poisson", load = 0.5 }
        sizes = { model = "fixed", size = "4 KiB" }
        """
    )
    pd.testing.assert_frame_equal(weir.run(small).scalars, weir.run(path).scalars, check_exact=True)


def test_values_of_numpy_and_tuples_and_none(small):
    plain = weir.run(small, set={"topology.k": 4, "traffic.all.arrivals.load": 0.25})
    small["topology"].update(k=np.int64(4), n=np.int32(2))
    small["switch"] = {"voq": None}
    small["traffic"] = tuple(small["traffic"])
    load = "traffic.all.arrivals.load"
    numpy = weir.run(small, set={load: np.float32(0.25)})
    assert list(numpy.fingerprints) == list(plain.fingerprints)
    swept = weir.run(small, set={f"sweep.{load}": pd.Series([0.25])})
    assert list(swept.fingerprints) == list(plain.fingerprints)


def test_set_sweep_and_seeds_are_laid_over_the_experiment(small):
    results = weir.run(small, set={"queueing": "fifo"}, sweep={"traffic.all.arrivals.load": (0.1, 0.3)}, seeds=3)
    assert len(results) == 6
    assert results.configuration["queueing"]["model"] == "fifo"
    load = results.summary("throughput")["throughput", "mean"]
    # Everything that is offered is delivered: 16 hosts, of 100 Gbit/s each, send a share of that.
    assert load.loc[0.3] / load.loc[0.1] == pytest.approx(3, rel=0.25)


def test_the_configuration_runs_again(small):
    results = weir.run(small, sweep={"traffic.all.arrivals.load": [0.1, 0.3]})
    again = weir.run(results.configuration)
    assert list(again.fingerprints) == list(results.fingerprints)
    assert results.configuration["buffer"]["ingress"]  # a default that nobody wrote


def test_any_number_of_jobs_gives_the_same(small):
    sweep = {"traffic.all.arrivals.load": [0.1, 0.3, 0.5, 0.7]}
    alone = weir.run(small, sweep=sweep, jobs=1)
    assert list(weir.run(small, sweep=sweep, jobs=3).fingerprints) == list(alone.fingerprints)


def test_an_include_is_sought_in_the_current_folder(small, tmp_path, monkeypatch):
    (tmp_path / "base.toml").write_text('[host]\nmtu = "1 KiB"\n[experiment]\nduration = "9 ms"\n')
    monkeypatch.chdir(tmp_path)
    configuration = weir.run({"include": ["base.toml"], **small}).configuration
    assert configuration["host"]["mtu"] == "1 KiB"
    assert configuration["experiment"]["duration"] == "100 us"  # the dict's own keys win


def test_shipped_experiments_are_found(root):
    assert weir.shipped() == root / "experiments"
    assert weir.check(weir.shipped("quickstart.toml")) == 4
    with pytest.raises(weir.InputError, match="quickstart.toml"):
        weir.shipped("quickstat.toml")


def test_results_show_themselves(results, small):
    assert repr(results) == "<weir.Results of hot-spot: 16 runs>"
    assert "efficiency" in results._repr_html_()


def test_notes_of_all_runs_come_once(small):
    notes = weir.run(small, set={"traffic.all.arrivals": "saturated"}, seeds=2).notes
    assert [note.split(":")[0] for note in notes] == ["many ties", "systematic ties"]
