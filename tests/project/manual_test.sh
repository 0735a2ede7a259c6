#!/usr/bin/env bash
# weir(1), as the program writes it, is what two readers of manual pages take without a warning,
# and it names every command, option, section and model that the program has.
# Argument: the program.
set -eu
program=$1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "manual_test: $*" >&2
  exit 1
}

"$program" reference --man >"$work/weir.1"
checked=
if command -v groff >/dev/null && ls /usr/share/groff/*/tmac/an.tmac >/dev/null 2>&1; then
  checked=yes
  groff -ww -man -Tutf8 -z "$work/weir.1" 2>"$work/groff.txt"
  [ ! -s "$work/groff.txt" ] || fail "groff: $(head -5 "$work/groff.txt")"
fi
if command -v mandoc >/dev/null; then
  checked=yes
  # It has no date: the same program writes the same page on any day.
  mandoc -Tlint -W warning "$work/weir.1" | grep -v "missing date" >"$work/mandoc.txt" || true
  [ ! -s "$work/mandoc.txt" ] || fail "mandoc: $(head -5 "$work/mandoc.txt")"
fi

# What a reader sees, without its markup.
sed -e 's/\\f[BIR]//g' -e 's/\\-/-/g' -e 's/\\&//g' -e 's/\\(aq/'"'"'/g' "$work/weir.1" >"$work/text"
has_line() { grep -qxF -- "$1" "$work/text" || fail "nothing is said of '$1'"; }
commands=$("$program" complete -- "")
[ "$(wc -w <<<"$commands")" -gt 15 ] || fail "the program does not tell its commands"
for command in $commands; do
  has_line ".SS weir $command"
  for option in $("$program" complete -- "$command" --); do
    grep -qE -- "(^|,)$option( |,|\$)" "$work/text" || fail "nothing is said of $command $option"
  done
done
"$program" list | sed -n 's/^  \([^ ][^ ]*\)  .*/\1/p' >"$work/models"
"$program" list section | sed -n 's/^  \([^ ][^ ]*\)  .*/\1/p' >"$work/sections"
[ "$(wc -l <"$work/models")" -gt 100 ] || fail "the program does not list its models"
while read -r model; do has_line "$model"; done <"$work/models"
while read -r section; do
  grep -qxF -e "[$section]" -e "[[$section]]" "$work/text" || fail "nothing is said of [$section]"
done <"$work/sections"

[ -n "$checked" ] || exit 77
