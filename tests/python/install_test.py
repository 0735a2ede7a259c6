"""pip installs the package from the tree, and it works elsewhere: without sources, without network."""

import os
import subprocess
import sys

import weir


def test_pip_installs_the_package(root, tmp_path, small):
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", environment], check=True)
    python = environment / "bin" / "python"
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    install = [python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--quiet", root]
    made = subprocess.run(install, env=own, cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    script = f"""
import weir
assert weir.__file__.startswith({str(environment)!r}), weir.__file__
assert str(weir.shipped("quickstart.toml")).startswith({str(environment)!r}), weir.shipped()
assert weir.models.topology.k_ary_n_tree(k=4, n=2)["k"] == 4
print(weir.__version__, weir.run({small!r}).fingerprints.iloc[0])
"""
    own.pop("WEIR_EXPERIMENTS", None)
    said = subprocess.run([python, "-c", script], env=own, cwd=tmp_path, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert said.stdout.split() == [weir.__version__, weir.run(small).fingerprints.iloc[0]]
    # It brings the library along.
    script = "import weir; print(*{line.split()[-1] for line in open('/proc/self/maps') if 'libweir' in line})"
    loaded = subprocess.run([python, "-c", script], env=own, cwd=tmp_path, capture_output=True, text=True)
    assert loaded.stdout.startswith(str(environment))
    assert not list(root.glob("*.egg-info")) and not list((root / "python").glob("*.egg-info"))
