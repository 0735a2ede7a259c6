# Copyright The weir authors. SPDX-License-Identifier: Apache-2.0
"""weir for Spack: the build and installation of scripts/package.

In a repository of your own:  spack repo create my-repo; copy this file to
my-repo/packages/weir/package.py; spack repo add my-repo; spack install weir
"""

from spack.package import *


class Weir(CMakePackage):
    """Packet-level simulation of congestion in lossless interconnects."""

    # Where archives of the tree lie, as weir-0.2.0.tar.gz: the current folder until you say otherwise.
    url = "file:///weir-0.2.0.tar.gz"

    license("Apache-2.0")

    # No archive is published: `spack checksum weir` adds the hash of yours, or
    # `spack develop --path TREE weir@develop` builds a tree as it is.
    version("develop")

    variant("mpi", default=True, description="spread the runs of a sweep over the ranks of mpirun")
    variant("otf2", default=True, description="read OTF2 archives of MPI programs")
    variant("python", default=False, description="import weir")
    variant("page", default=True, description="the report page, which npm bundles at build time")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("node-js@18:", type="build", when="+page")
    depends_on("npm", type="build", when="+page")

    # Of these, sqlitecpp and btparse (which comes with Perl's Text::BibTeX) have no recipe in Spack's own
    # repository: they need one beside this, or `packages: sqlitecpp: externals:` where the system has them.
    depends_on("fmt@9:")
    depends_on("tomlplusplus +shared")
    depends_on("cli11@2.3:")
    depends_on("nlohmann-json")
    depends_on("sqlite@3.35:")
    depends_on("sqlitecpp")
    depends_on("zlib-api")
    depends_on("boost +math +random")
    depends_on("eigen@3.4:")
    depends_on("muparser")
    depends_on("btparse")
    depends_on("metis")
    depends_on("cereal@1.3:")
    depends_on("protobuf")
    depends_on("utf8proc")
    depends_on("random123")
    depends_on("gnuplot", type="run")
    depends_on("mpi", when="+mpi")
    depends_on("otf2@3:", when="+otf2")

    extends("python", when="+python")
    depends_on("python@3.11:", when="+python")
    depends_on("py-pybind11@2.10:", type="build", when="+python")
    depends_on("py-numpy", type="run", when="+python")
    depends_on("py-pandas", type="run", when="+python")
    depends_on("py-networkx", type="run", when="+python")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("WEIR_TESTS", False),
            self.define("WEIR_BENCH", False),
            self.define("WEIR_WERROR", False),
            self.define_from_variant("WEIR_MPI", "mpi"),
            self.define_from_variant("WEIR_OTF2", "otf2"),
            self.define_from_variant("WEIR_PAGE", "page"),
            self.define("WEIR_PYTHON", "ON" if self.spec.satisfies("+python") else "OFF"),
        ]

    @run_after("install")
    def install_python(self):
        """Module, library and experiments in the package's folder, as pip has them."""
        if not self.spec.satisfies("+python"):
            return
        folder = join_path(python_platlib, "weir")
        mkdirp(folder)
        cmake = which("cmake")
        cmake("--install", self.build_directory, "--component", "python", "--prefix", folder)
        install_tree(join_path(self.stage.source_path, "python", "weir"), folder)
