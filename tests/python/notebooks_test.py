"""The notebooks of examples/notebooks run from top to bottom, and are kept without output."""

import json
import pathlib
import sys

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


def test_there_are_five():
    assert len(NOTEBOOKS) == 5


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """A kernel of this interpreter, whatever the machine calls python3."""
    folder = tmp_path_factory.mktemp("jupyter")
    own = folder / "kernels" / "weir"
    own.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (own / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "weir", "language": "python"}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(folder))
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        yield "weir"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, kernel, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells), "has outputs"
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=120, kernel_name=kernel, resources=resources).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any(output.output_type == "execute_result" for output in shown)
    assert not any(output.get("name") == "stderr" for output in shown), shown
