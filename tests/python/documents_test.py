"""Documents with claims, figures of results, and real networks."""

import re

import pytest

import weir

SWITCH = """
topology = { model = "single-switch", hosts = 4 }
[experiment]
duration = "20 us"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "4 KiB" }
[[case]]
name = "fifo"
set = { "switch.voq" = false }
[[case]]
name = "voq"
set = { "switch.voq" = true }
[[plot]]
figure = "by-case"
metric = "efficiency"
x = "case"
format = ["svg"]
"""

CLAIMS = """
[document]
name = "tiny"
title = "a document for a test"
[[experiment]]
name = "load"
file = "load.toml"
purpose = "what it carries"
quick = { "replicate.seeds" = 5 }
[[claim]]
id = "B-1"
experiment = "load"
statement = "Queues at the outputs help"
source = "Fig. 2"
kind = "published"
expect = { above = 1 }
measure = "b / a"
values.a = { metric = "efficiency", case = "fifo" }
values.b = { metric = "efficiency", case = "voq" }
[[claim]]
id = "B-2"
experiment = "load"
statement = "Everything is carried ten times"
source = "Fig. 3"
kind = "published"
expect = { at_least = 10 }
values.a = { metric = "efficiency", case = "voq" }
"""


@pytest.fixture
def shelf(tmp_path):
    """A folder with one document."""
    folder = tmp_path / "shelf" / "tiny"
    folder.mkdir(parents=True)
    (folder / "claims.toml").write_text(CLAIMS)
    (folder / "load.toml").write_text(SWITCH)
    return folder.parent


def test_claims_are_run_and_judged(shelf, tmp_path):
    assert weir.documents(shelf) == {"tiny": "a document for a test"}
    found = weir.reproduce("tiny", results_folder=tmp_path / "kept", folder=shelf)
    claims = found.claims.set_index("claim")
    assert list(claims["verdict"]) == ["holds", "differs"]
    assert claims.loc["B-1", "lowest"] > 1
    assert claims.loc["B-2", "highest"] <= 1
    assert len(found.results) == 10
    point = found.points.iloc[0]
    assert (point["claim"], point["verdict"], point["draws"]) == ("B-1", "holds", 5)
    # Kept runs are not repeated.
    first = found.results.runs["started"]
    again = weir.reproduce("tiny/B-1", results_folder=tmp_path / "kept", folder=shelf)
    assert list(again.claims["claim"]) == ["B-1"]
    assert list(again.results.runs["started"]) == list(first)


def test_verdicts_are_those_of_the_program(shelf, tmp_path, program, monkeypatch):
    monkeypatch.setenv("WEIR_EXPERIMENTS", str(shelf))
    program("reproduce", "tiny", "-q", "--no-report", "--record", "-o", tmp_path / "out")
    recorded = weir.claims("tiny", folder=shelf)
    now = weir.reproduce("tiny", folder=shelf)
    assert list(recorded.claims["verdict"]) == list(now.claims["verdict"]) == ["holds", "differs"]
    assert list(now.claims["recorded"]) == ["holds", "differs"]
    assert list(recorded.points["measured"]) == pytest.approx(list(now.points["measured"]), rel=1e-5)
    with pytest.raises(ValueError, match="without their runs"):
        recorded.results


def test_what_there_is_not_is_named(shelf):
    for name, complaint in [
        ("tyny", "did you mean 'tiny'"),
        ("tiny/lod", "did you mean 'load'"),
        ("tiny/", "is missing after"),
    ]:
        with pytest.raises(weir.InputError, match=complaint):
            weir.reproduce(name, folder=shelf)
    with pytest.raises(weir.InputError, match="quick or full"):
        weir.reproduce("tiny", scale="slow", folder=shelf)
    with pytest.raises(weir.InputError, match="tiny"):
        weir.reproduce("tiny", values={"memory": "large"}, folder=shelf)


def test_shipped_documents_are_scored(program):
    assert "zdornov2009" in weir.documents()
    for name in weir.documents():
        table = weir.calibrate(name)
        if len(table) > 1:
            break
    adopted = table[table["is_adopted"]]
    assert len(adopted) == 1
    decided = table[["holds", "differs", "depends"]].sum(axis=1)
    assert (table["share"] * decided).round().equals(table["holds"].astype(float))


def test_figures_are_written(small, tmp_path):
    results = weir.run(small, sweep={"traffic.all.arrivals.load": [0.2, 0.6]})
    paths = weir.plot(
        results, "latency", folder=tmp_path / "new", metric="latency_mean", x="traffic.all.arrivals.load",
        format=["svg", "png"],
    )
    assert [path.name for path in paths] == ["latency.svg", "latency.png"]
    assert paths[0].read_text().startswith("<?xml")
    assert paths[1].read_bytes().startswith(b"\x89PNG")
    with pytest.raises(weir.InputError, match="did you mean 'latency_mean'"):
        weir.plot(results, "latency", folder=tmp_path, metric="latency_maen")
    with pytest.raises(weir.InputError, match="figure"):
        weir.plot(results, metric="latency_mean")


def test_figures_of_the_experiment_are_drawn(tmp_path):
    path = tmp_path / "switch.toml"
    path.write_text(SWITCH)
    results = weir.run(path)
    assert weir.plot(results, folder=tmp_path) == [tmp_path / "by-case.svg"]
    assert weir.plot(results, "by-case", folder=tmp_path) == [tmp_path / "by-case.svg"]
    with pytest.raises(weir.InputError, match="no plot 'other'"):
        weir.plot(results, "other", folder=tmp_path)


def test_real_networks_are_read(root, tmp_path, monkeypatch):
    fabric = root / "experiments/fabrics/rlft-54"
    monkeypatch.chdir(tmp_path)
    sections = weir.import_fabric(fabric / "topology.txt", fabric / "lfts.txt")
    assert sections["topology"] == {"model": "ibnetdiscover", "file": str(fabric / "topology.txt")}
    assert sections["routing"] == {
        "model": "linear-forwarding-tables",
        "file": str(fabric / "lfts.txt"),
    }
    assert weir.topology(sections).number_of_nodes() > 54
    assert weir.import_fabric(fabric / "topology.txt")["routing"] == {"model": "up-down"}
    # One pair has a path record; all others take the level of those that are missing.
    lids = re.findall(r"^\[1\]\(\w+\).*# lid (\d+) ", (fabric / "topology.txt").read_text(), re.M)
    (tmp_path / "paths.txt").write_text(f"PathRecord dump:\nslid..{lids[0]}\ndlid..{lids[1]}\nsl..2\n")
    files = {"tables": fabric / "lfts.txt", "paths": "paths.txt"}
    with pytest.raises(weir.InputError, match="no path record from"):
        weir.import_fabric(fabric / "topology.txt", **files)
    routing = weir.import_fabric(fabric / "topology.txt", **files, missing_sl=1)["routing"]
    assert routing["paths"] == str(tmp_path / "paths.txt")
    assert routing["missing_sl"] == 1


def test_edge_lists_are_read(tmp_path):
    path = tmp_path / "net.txt"
    path.write_text("# mine\nhost a\nhost b\nswitch s 2\nlink a s\nlink b s\n")
    sections = weir.import_fabric(path)
    assert sections["topology"] == {"model": "edge-list", "file": str(path)}
    assert weir.topology(sections).number_of_nodes() == 3
    path.write_text("host a\nhst b\n")
    with pytest.raises(weir.InputError, match="net.txt:2"):
        weir.import_fabric(path)
    with pytest.raises(weir.InputError, match="nowhere"):
        weir.import_fabric(tmp_path / "nowhere")
