#!/usr/bin/env bash
# The prefetch check passes a library that fetches ahead, and names the function that does not or is
# missing.
# Arguments: source folder, compiler.
set -eu
check=$1/scripts/check-prefetches compiler=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "prefetch_check_test: $*" >&2
  exit 1
}

# `keeps` calls a helper that is not inlined; `loses` is what GCC 12 leaves of such a function.
cat >"$work/model.cpp" <<'END'
#include "weir/base/prefetch.hpp"
namespace {
[[gnu::noinline]] void prefetch_line(const int* line) { weir::prefetch(line); }
}  // namespace
namespace some {
struct Model {
  void keeps(const int* line) const;
  void loses(const int* line) const;
};
void Model::keeps(const int* line) const {
  weir::prefetch(line);
  prefetch_line(line + 64);
}
void Model::loses(const int*) const {}
}  // namespace some
END
"$compiler" -std=c++20 -O3 -fPIC -shared -I"$1/src" "$work/model.cpp" -o "$work/model.so"

echo "2 Model::keeps" >"$work/good.txt"
status=0
"$check" "$work/model.so" "$work/good.txt" >"$work/found.txt" || status=$?
[ "$status" -ne 77 ] || { # not a processor that the check knows
  cat "$work/found.txt"
  exit 77
}
[ "$status" -eq 0 ] || fail "refused a good library: $(cat "$work/found.txt")"

printf '3 Model::keeps\n1 Model::loses\n1 Model::gone\n1 el::keeps\n' >"$work/bad.txt"
if "$check" "$work/model.so" "$work/bad.txt" >"$work/found.txt"; then fail "passed a bad library"; fi
diff - "$work/found.txt" <<'END' || fail "did not say what is wrong"
Model::keeps: 2 prefetch instructions, at least 3 expected
Model::loses: 0 prefetch instructions, at least 1 expected
Model::gone: not in the library
el::keeps: not in the library
END

# By default it looks for weir's own functions.
if "$check" "$work/model.so" >"$work/found.txt"; then fail "passed a library without weir"; fi
grep -q '^InputQueued<false>::prefetch_tail: not in the library$' "$work/found.txt" ||
  fail "did not miss a function of weir"
