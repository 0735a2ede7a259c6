#!/usr/bin/env bash
# Installs weir into a temporary prefix and moves it. Looks at its headers, builds examples/embedding
# and the plug-in examples/models against it, and runs the first, and the installed program with and
# without the plug-in.
# Arguments: cmake, source folder, build folder, compiler.
set -eu
cmake=$1 source=$2 build=$3 compiler=$4

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "embedding_test: $*" >&2
  exit 1
}

"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved" # a package must not remember where it was installed
prefix=$work/moved

build_example() {
  "$cmake" -S "$source/examples/$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
  grep -q "weir_DIR:PATH=$prefix/" "$2/CMakeCache.txt" || fail "found another weir"
  "$cmake" --build "$2" || fail "examples/$1 does not build"
}

build_example embedding "$work/build"
"$work/build/embedding" >"$work/output.txt" || fail "the example failed"
diff -u "$source/examples/embedding/expected.txt" "$work/output.txt" ||
  fail "the example's output is not the expected one"

# Headers: those of the list and no others; each can be included alone, and the files of weir that
# models are begun from find there what they need. Headers of others are precompiled, as in the build:
# they take most of the time.
printf '#include <%s>\n' algorithm array cmath cstdint filesystem functional limits map memory optional \
  span stdexcept string string_view unordered_map utility variant vector fmt/format.h >"$work/others.hpp"
flags=(-std=c++20 -Wall -Wextra -Werror -I "$prefix/include")
"$compiler" "${flags[@]}" -x c++-header "$work/others.hpp" -o "$work/others.hpp.gch"
flags+=(-fsyntax-only -include "$work/others.hpp")
(cd "$prefix/include" && find weir -name '*.hpp' ! -name plugin_interface.hpp | sort) >"$work/installed"
grep '^weir/' "$source/cmake/public_headers.txt" | sort | diff -u - "$work/installed" ||
  fail "the installed headers are not those of cmake/public_headers.txt"
models=$(grep '^| ' "$source/docs/architecture.md" | grep -o '`[a-z_/]*\.cpp`' | tr -d '`' |
  while read -r file; do ls "$source/src/weir/$file" 2>/dev/null || true; done)
[ "$(echo "$models" | wc -l)" -ge 8 ] || fail "docs/architecture.md names few files to begin from"
# What another header includes first, before it says anything, is looked at with that one.
(cd "$prefix/include" && xargs grep -m1 -h '^#include "' <"$work/installed" | cut -d'"' -f2 | sort -u) >"$work/first"
comm -23 "$work/installed" "$work/first" >"$work/alone"
[ -s "$work/alone" ] || fail "there are no headers to look at"
{
  sed 's|.*|#include "&"|' "$work/alone" | split -l 1 - "$work/alone-" --additional-suffix=.cpp
  ls "$work"/alone-*.cpp
  echo "$models"
} | xargs -P 2 -n 1 "$compiler" "${flags[@]}" || fail "installed headers are not complete"

# A plug-in, as CMake and as pkg-config find weir.
if [ -x "$build/bin/weir" ]; then
  build_example models "$work/models"
  experiment=$source/examples/models/experiment.toml
  "$prefix/bin/weir" describe topology full-mesh --plugin "$work/models/libmodels.so" |
    grep -q "hosts on each switch" || fail "the program does not know a model of a plug-in"
  "$prefix/bin/weir" run "$experiment" --plugin "$work/models/libmodels.so" --quiet --no-report \
    --output "$work/results" >"$work/run.txt" || fail "a run with a plug-in failed"
  "$prefix/bin/weir" run "$experiment" --quiet --output "$work/none" >/dev/null \
    2>"$work/errors.txt" && fail "models that were not loaded are known"
  grep -q "full-mesh" "$work/errors.txt" || fail "the error does not name the unknown model"

  package=$(dirname "$(find "$prefix" -name weir.pc)")
  # A model with the name of one of weir's own.
  sed 's/"leaf-modulo"/"fifo"/' "$source/examples/models/leaf_modulo.cpp" >"$work/taken.cpp"
  # shellcheck disable=SC2046
  "$compiler" -std=c++20 -fPIC -shared "$work/taken.cpp" "$source/examples/models/plugin.cpp" \
    -o "$work/taken.so" $(PKG_CONFIG_PATH="$package" pkg-config --cflags --libs weir) ||
    fail "a plug-in cannot be built with what pkg-config says"
  "$prefix/bin/weir" list --plugin "$work/taken.so" >/dev/null 2>"$work/errors.txt" &&
    fail "a model may have the name of one of weir's own"
  grep -q "its queueing 'fifo' has the name of one that weir has itself" "$work/errors.txt" ||
    fail "the error does not name the model whose name is taken"

  "$prefix/bin/weir" --help >/dev/null || fail "the installed program does not start"
  # It finds the experiments that were installed with it.
  mkdir "$prefix/share/weir/experiments/added"
  printf '[document]\nname = "added"\ntitle = "by a test"\n' \
    >"$prefix/share/weir/experiments/added/claims.toml"
  env -u WEIR_EXPERIMENTS "$prefix/bin/weir" reproduce >"$work/documents.txt"
  grep -q "^added: by a test" "$work/documents.txt" || fail "the installed experiments are not found"
fi
