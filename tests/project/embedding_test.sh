#!/usr/bin/env bash
# Installs weir into a temporary prefix, moves it, builds examples/embedding against it and runs
# both that and the installed program.
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

"$cmake" -S "$source/examples/embedding" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
grep -q "weir_DIR:PATH=$prefix/" "$work/build/CMakeCache.txt" || fail "found another weir"
"$cmake" --build "$work/build" || fail "the example does not build"
"$work/build/embedding" >"$work/output.txt" || fail "the example failed"
diff -u "$source/examples/embedding/expected.txt" "$work/output.txt" ||
  fail "the example's output is not the expected one"

if [ -x "$build/bin/weir" ]; then
  "$prefix/bin/weir" --help >/dev/null || fail "the installed program does not start"
  # It finds the experiments that were installed with it.
  mkdir "$prefix/share/weir/experiments/added"
  printf '[document]\nname = "added"\ntitle = "by a test"\n' \
    >"$prefix/share/weir/experiments/added/claims.toml"
  env -u WEIR_EXPERIMENTS "$prefix/bin/weir" reproduce >"$work/documents.txt"
  grep -q "^added: by a test" "$work/documents.txt" || fail "the installed experiments are not found"
fi
