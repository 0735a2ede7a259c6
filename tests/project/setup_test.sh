#!/usr/bin/env bash
# ./weir against stand-ins for the package manager and the build tools: what it installs, when it
# builds, and that it hands over arguments, folder and standard output untouched.
# Argument: source folder.
set -eu
source=$1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "setup_test: $*" >&2
  exit 1
}

tree=$work/tree
mkdir -p "$tree/src" "$tree/cli" "$tree/cmake" "$tree/viewer/src" "$work/tools" "$work/elsewhere"
cp -r "$source/weir" "$source/scripts" "$tree"
touch "$tree/CMakeLists.txt" "$tree/CMakePresets.json" "$tree/src/a.cpp" \
  "$tree/viewer/package.json" "$tree/viewer/package-lock.json" "$tree/viewer/build.mjs"

stand_in() { # NAME: its body comes from standard input
  { echo '#!/bin/sh'; echo "echo $1 \"\$@\" >>'$work/calls.txt'"; cat; } >"$work/tools/$1"
  chmod +x "$work/tools/$1"
}
stand_in apt-get </dev/null
stand_in sudo <<<'exec "$@"'
stand_in dpkg-query <<<'
for name; do :; done
if [ "$name" = librandom123-dev ] || [ "$name" = opensm ]; then exit 1; fi
printf installed'
stand_in cmake <<<"
mkdir -p build/release
touch build/release/build.ninja
echo CMAKE_HOME_DIRECTORY:INTERNAL=\$PWD >build/release/CMakeCache.txt"
stand_in ninja <<<'
mkdir -p "$2/bin"
printf "%s\n" "#!/bin/sh" "pwd" "echo \"\$#\" \"\$2\"" >"$2/bin/weir"
chmod +x "$2/bin/weir"
echo noise'
export PATH="$work/tools:$PATH"

called() { grep -c "^$1 " "$work/calls.txt" || true; }
run() { (cd "$work/elsewhere" && "$tree/weir" "$@" 2>"$work/errors.txt"); }

if WEIR_NO_INSTALL=1 run >/dev/null; then fail "went on without a package it may not install"; fi
grep -q 'install.*librandom123-dev' "$work/errors.txt" || fail "did not name the missing package"
[ "$(called apt-get)" -eq 0 ] || fail "installed in spite of WEIR_NO_INSTALL"

output=$(run run 'two words') || fail "$(cat "$work/errors.txt")"
[ "$output" = "$work/elsewhere
2 two words" ] || fail "arguments, folder or output were changed: $output"
grep -q '^apt-get install .*librandom123-dev' "$work/calls.txt" || fail "installed nothing"
if grep -q '^apt-get install .*opensm' "$work/calls.txt"; then fail "installed a test package"; fi
if grep -q '^apt-get install .*cmake' "$work/calls.txt"; then fail "installed what was there"; fi
[ "$(called cmake) $(called ninja)" = "1 1" ] || fail "did not configure and build once"

run >/dev/null
[ "$(called cmake) $(called ninja)" = "1 1" ] || fail "built although nothing changed"

touch -d '+2 seconds' "$tree/src/a.cpp"
run >/dev/null
[ "$(called cmake) $(called ninja)" = "1 2" ] || fail "did not rebuild after a change"

touch -d '-1 hour' "$tree/src/a.cpp" && touch "$tree/build/release/.built"
sleep 0.02 && rm "$tree/src/a.cpp"
run >/dev/null
[ "$(called ninja)" -eq 3 ] || fail "did not rebuild after a file went away"

mv "$tree" "$work/moved" && tree=$work/moved
touch -d '+2 seconds' "$tree/CMakeLists.txt"
run >/dev/null
[ "$(called cmake) $(called ninja)" = "2 4" ] || fail "did not configure anew in a moved folder"

stand_in ninja <<<'echo "error: broken.cpp"; exit 1'
touch -d '+4 seconds' "$tree/CMakeLists.txt"
if run >/dev/null; then fail "ran an old program after a failed build"; fi
grep -q 'broken.cpp' "$work/errors.txt" || fail "did not show why the build failed"
