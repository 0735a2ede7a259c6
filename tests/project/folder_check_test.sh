#!/usr/bin/env bash
# The folder check passes a good tree, and names file and line of models that stand elsewhere.
# Argument: source folder.
set -eu
check=$1/scripts/check-folders

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "folder_check_test: $*" >&2
  exit 1
}
# refused TEXT...: the check says these things and nothing else.
refused() {
  local text
  if "$check" "$work" >"$work/found.txt"; then fail "passed a bad tree"; fi
  for text in "$@"; do
    grep -qF "$text" "$work/found.txt" || fail "did not say '$text': $(cat "$work/found.txt")"
  done
  [ "$(wc -l <"$work/found.txt")" -eq $# ] || fail "found too much: $(cat "$work/found.txt")"
}

source=$work/src/weir
mkdir -p "$source/fabric" "$source/queueing" "$source/isolation" "$source/traffic/pattern"
cat >"$source/fabric/hooks.cpp" <<'END'
namespace weir::fabric {
Registry<QueueingFactory>& queueing_registry() {
  static Registry<QueueingFactory> registry("queueing");
  return registry;
}
Registry<Pattern>& pattern_registry() {
  static Registry<Pattern> registry("pattern");
  return registry;
}
}
END
cat >"$source/traffic/pattern.cpp" <<'END'
namespace weir::traffic {
FixedPattern::FixedPattern(ModelInfo info) {
  pattern_registry().add({std::move(info)});
}
}
END
scheme='const Registration<fabric::QueueingFactory> kFifo(\n    fabric::queueing_registry(), {"fifo"});\n'
pattern='const FixedPattern kShift({"shift"});\n'
printf "namespace weir::queueing {\n$scheme" >"$source/queueing/fifo.cpp"
printf "namespace weir::traffic {\n$pattern" >"$source/traffic/pattern/shift.cpp"
# Who only looks models up may stand anywhere.
echo 'const auto& model = find(queueing_registry(), "fifo"); // const X kX(queueing_registry(), 1);' \
  >"$source/isolation/user.cpp"
"$check" "$work" || fail "refused a good tree"

printf "namespace weir::isolation {\n\n$scheme" >"$source/isolation/dbbm.cpp"
printf "namespace weir::isolation {\n$scheme" >"$source/queueing/voqsw.cpp"
printf "namespace weir::traffic {\n$pattern" >"$source/traffic/tornado.cpp"
refused "src/weir/isolation/dbbm.cpp:3: registers for 'queueing', but stands below no folder queueing/" \
  "src/weir/queueing/voqsw.cpp:2: registers for 'queueing', but not in namespace weir::queueing" \
  "src/weir/traffic/tornado.cpp:2: registers for 'pattern', but stands below no folder pattern/"
rm "$source/isolation/dbbm.cpp" "$source/queueing/voqsw.cpp" "$source/traffic/tornado.cpp"

# Models that are registered in a way that the check does not see.
echo 'namespace weir::queueing {}' >"$source/queueing/fifo.cpp"
refused "no file registers anything for 'queueing'"
