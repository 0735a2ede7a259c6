#!/usr/bin/env bash
# Installs weir into a temporary prefix, moves it, builds examples/embedding and examples/models
# against it, and runs the first and the installed program, with and without these models.
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

if [ -x "$build/bin/weir" ]; then
  build_example models "$work/models"
  with_models() { LD_PRELOAD=$work/models/libmodels.so "$prefix/bin/weir" "$@"; }
  with_models describe topology full-mesh | grep -q "hosts on each switch" ||
    fail "the program does not know a model that was loaded with it"
  with_models run "$source/examples/models/experiment.toml" --quiet --no-report \
    --output "$work/results" >"$work/run.txt" || fail "a run with loaded models failed"
  "$prefix/bin/weir" run "$source/examples/models/experiment.toml" --quiet --output "$work/none" \
    >/dev/null 2>"$work/errors.txt" && fail "models that were not loaded are known"
  grep -q "full-mesh" "$work/errors.txt" || fail "the error does not name the unknown model"

  "$prefix/bin/weir" --help >/dev/null || fail "the installed program does not start"
  # It finds the experiments that were installed with it.
  mkdir "$prefix/share/weir/experiments/added"
  printf '[document]\nname = "added"\ntitle = "by a test"\n' \
    >"$prefix/share/weir/experiments/added/claims.toml"
  env -u WEIR_EXPERIMENTS "$prefix/bin/weir" reproduce >"$work/documents.txt"
  grep -q "^added: by a test" "$work/documents.txt" || fail "the installed experiments are not found"
fi
