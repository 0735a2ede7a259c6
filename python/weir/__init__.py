"""weir: congestion in lossless interconnects, simulated packet by packet.

    import weir
    results = weir.run(weir.shipped("quickstart.toml"))
    results.summary("efficiency", "tree_size")

run() runs experiments; topology(), routes(), `rates` and `queueing` calculate without simulating;
catalogue() tells what there is, and `models` and `sections` write parts of experiments.
Simulation steps through one run, with callbacks and sources written in Python.

Numbers that are times are nanoseconds, rates are bits per second, sizes are bytes.
"""

from . import _weir, models, queueing, rates, sections
from .catalogue import Catalogue, catalogue
from .errors import InputError, RunError
from .experiments import check, read_results, run, shipped
from .patterns import pattern
from .plugins import load_plugin
from .results import Results
from .simulation import Simulation, Source
from .topology import Network, routes, topology

__version__ = _weir.version

__all__ = [
    "Catalogue",
    "InputError",
    "Network",
    "Results",
    "RunError",
    "Simulation",
    "Source",
    "catalogue",
    "check",
    "load_plugin",
    "models",
    "pattern",
    "queueing",
    "rates",
    "read_results",
    "routes",
    "run",
    "sections",
    "shipped",
    "topology",
]
