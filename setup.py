"""Builds the Python package for pip: CMake compiles library and module, and installs them into it.

WEIR_BUILD_FOLDER names a build folder that is there already; otherwise build/pip becomes one.
WEIR_JOBS limits parallel compilations.
"""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"^  VERSION (\S+)$", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


class BuildWithCMake(build_ext):
    """What belongs to the module: itself, the library, the shipped experiments."""

    def run(self):
        build = pathlib.Path(os.environ.get("WEIR_BUILD_FOLDER") or ROOT / "build" / "pip")
        if "WEIR_BUILD_FOLDER" not in os.environ:
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DWEIR_PYTHON=ON", "-DWEIR_TESTS=OFF", "-DWEIR_BENCH=OFF"]
            python = f"-DPython_EXECUTABLE={sys.executable}"
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *options, python], check=True)
        jobs = os.environ.get("WEIR_JOBS") or str(os.cpu_count())
        subprocess.run(["cmake", "--build", build, "--target", "weir_python", "-j", jobs], check=True)
        package = pathlib.Path(self.get_ext_fullpath("weir._weir")).resolve().parent
        subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", package], check=True)


(ROOT / "build").mkdir(exist_ok=True)
setup(
    version=VERSION,
    ext_modules=[Extension("weir._weir", [])],
    cmdclass={"build_ext": BuildWithCMake},
    # Nothing of setuptools among the sources.
    options={"egg_info": {"egg_base": "build"}, "build": {"build_base": "build/wheel"}},
)
