"""Results.counters(): port counters of a real fabric beside simulated links, as `weir counters`."""

import io

import numpy as np
import pandas as pd
import pytest

import weir

# Two switches; n1 and n2 send to n4 behind the second one as fast as they can.
HOSTS = {"n1": 1, "n2": 2, "n3": 3, "n4": 1}


def fabric():
    lines = ['Switch\t4 "S-1"\t# "sw1" base port 0 lid 11 lmc 0']
    lines += [f'[{port}]\t"H-a{name[1]}"[1](b)\t# "{name}" lid {name[1]} 4xHDR'
              for name, port in HOSTS.items() if name != "n4"]
    lines += ['[4]\t"S-2"[4]\t# "sw2" lid 12 4xHDR']
    lines += ['Switch\t4 "S-2"\t# "sw2" base port 0 lid 12 lmc 0']
    lines += ['[1]\t"H-a4"[1](b)\t# "n4" lid 4 4xHDR', '[4]\t"S-1"[4]\t# "sw1" lid 11 4xHDR']
    for name, port in HOSTS.items():
        switch = 2 if name == "n4" else 1
        lines += [f'Ca\t1 "H-a{name[1]}"\t# "{name}"']
        lines += [f'[1](b)\t"S-{switch}"[{port}]\t# lid {name[1]} lmc 0 "sw{switch}" '
                  f"lid {10 + switch} 4xHDR"]
    return "\n".join(lines) + "\n"


def counters(scale):
    """Words sent and ticks waited of each port, by LID and number."""
    ports = {(1, 1): (1000, 500), (2, 1): (1000, 500), (11, 4): (2000, 0), (12, 1): (2000, 0)}
    ports |= {(3, 1): (0, 0), (4, 1): (0, 0), (11, 1): (0, 0), (11, 2): (0, 0), (11, 3): (0, 0)}
    ports |= {(12, 4): (0, 0)}
    return "".join(
        f"# Port counters: Lid {lid} port {port} (CapMask: 0x5A00)\n"
        f"PortSelect:......................{port}\n"
        f"PortXmitData:....................{words * scale}\n"
        f"PortXmitWait:....................{ticks * scale}\n"
        for (lid, port), (words, ticks) in ports.items()
    )


@pytest.fixture
def measured(tmp_path):
    """A folder with the fabric, two snapshots of its counters and an experiment on it."""
    (tmp_path / "net.txt").write_text(fabric())
    (tmp_path / "before.txt").write_text(counters(1))
    (tmp_path / "after.txt").write_text(counters(1001))
    (tmp_path / "x.toml").write_text(
        '[experiment]\nname = "incast"\nduration = "100 us"\n'
        '[topology]\nmodel = "ibnetdiscover"\nfile = "net.txt"\n[routing]\nmodel = "up-down"\n'
        '[[traffic]]\nname = "all"\nsources = ["n1", "n2"]\n'
        'destinations = { model = "fixed", host = "n4" }\narrivals = { model = "saturated" }\n'
        'sizes = { model = "fixed", size = "4 KiB" }\n'
    )
    return tmp_path


def test_columns_are_those_of_the_program(measured, program):
    program("run", "x.toml", "--quiet", "--no-report", "-o", "out", cwd=measured)
    options = ["--before", "before.txt", "--interval", "1 ms", "--tick", "1 ns"]
    written = program("counters", "out", "after.txt", *options, "--sort", "name", "--format", "csv",
                      cwd=measured)
    theirs = pd.read_csv(io.StringIO(written), float_precision="round_trip")
    table = weir.read_results(measured / "out").counters(
        measured / "after.txt", before=measured / "before.txt", interval="1 ms", tick="1 ns"
    )
    ours = table.rename(columns={"port": "link"})[list(theirs.columns)]
    pd.testing.assert_frame_equal(ours, theirs, check_dtype=False)
    assert (table["status"] == "done").all() and len(table) == 10


def test_numbers_of_a_small_fabric(measured):
    results = weir.run(measured / "x.toml")
    table = results.counters(measured / "after.txt", before=measured / "before.txt")
    links = table.set_index("port")
    n1 = links.loc["n1"]
    assert n1["sent_bytes"] == 4 * 1_000_000  # words of 4 bytes
    assert n1["wait_ticks"] == 500_000
    assert n1["wait_share"] == 0.5  # it and n2 wait, nobody else
    assert n1["wait_share_simulated"] == pytest.approx(0.5, abs=0.01)
    assert n1["sent_share"] == pytest.approx(1 / 6)
    # Of the simulated ones, too, but for what fills the buffers at first.
    assert n1["sent_share_simulated"] == pytest.approx(1 / 6, abs=0.04)
    assert links.loc["n3"]["sent_share_simulated"] == 0
    assert np.isnan(n1["sent_time"])  # nobody said how long it took
    assert (table["wait_correlation"] == table["wait_correlation"][0]).all()
    assert table["wait_correlation"][0] > 0.9
    assert table["sent_correlation"][0] > 0.9
    assert isinstance(table.attrs["notes"], list)


def test_mistakes_are_told(measured):
    results = weir.run(measured / "x.toml")
    with pytest.raises(weir.InputError, match="nowhere.txt"):
        results.counters(measured / "nowhere.txt")
    with pytest.raises(weir.InputError, match="interval"):
        results.counters(measured / "after.txt", interval="soon")
    with pytest.raises(weir.InputError, match="no time that can pass"):
        results.counters(measured / "after.txt", interval="0 s")
    with pytest.raises(ValueError, match="tick needs interval"):
        results.counters(measured / "after.txt", tick="22 ns")
