"""What the tests of the Python package have in common."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def root():
    """The folder of the project."""
    return ROOT


@pytest.fixture
def program():
    """Runs the program `weir` and returns what it prints."""

    def run(*arguments, cwd=None):
        command = [os.environ["WEIR_PROGRAM"], *map(str, arguments)]
        return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture
def small():
    """An experiment of 16 hosts, half of whose links are busy, as a dict."""
    return {
        "experiment": {"name": "small", "duration": "100 us", "warmup": "10 us"},
        "topology": {"model": "k-ary-n-tree", "k": 4, "n": 2},
        "routing": "d-mod-k",
        "metrics": {"bin": "10 us"},
        "traffic": [
            {
                "name": "all",
                "destinations": {"model": "uniform"},
                "arrivals": {"model": "poisson", "load": 0.5},
                "sizes": {"model": "fixed", "size": "4 KiB"},
            }
        ],
    }
