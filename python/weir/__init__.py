"""weir: congestion in lossless interconnects, simulated packet by packet.

    import weir
    results = weir.run(weir.shipped("quickstart.toml"))
    results.summary("efficiency", "tree_size")

run() runs experiments; topology(), routes(), `rates` and `queueing` calculate without simulating;
reproduce() and calibrate() check published claims; plot() draws figures; import_fabric() reads
real networks; catalogue() tells what there is, and `models` and `sections` write parts of experiments.
Simulation steps through one run, with callbacks and sources written in Python.

Numbers that are times are nanoseconds, rates are bits per second, sizes are bytes.
"""

from . import _weir, models, queueing, rates, sections
from .catalogue import Catalogue, catalogue
from .documents import Reproduction, calibrate, claims, documents, reproduce
from .errors import InputError, RunError
from .experiments import check, read_results, run, shipped
from .figures import plot
from .patterns import pattern
from .plugins import load_plugin
from .results import Results
from .simulation import Simulation, Source
from .topology import Network, import_fabric, routes, topology

__version__ = _weir.version

__all__ = [
    "Catalogue",
    "InputError",
    "Network",
    "Reproduction",
    "Results",
    "RunError",
    "Simulation",
    "Source",
    "calibrate",
    "catalogue",
    "check",
    "claims",
    "documents",
    "import_fabric",
    "load_plugin",
    "models",
    "pattern",
    "plot",
    "queueing",
    "rates",
    "read_results",
    "reproduce",
    "routes",
    "run",
    "sections",
    "shipped",
    "topology",
]
