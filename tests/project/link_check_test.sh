#!/usr/bin/env bash
# The link check passes good pages and names file and line of what does not hold.
# Argument: source folder.
set -eu
check=$1/scripts/check-links

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "link_check_test: $*" >&2
  exit 1
}

mkdir -p "$work/docs" "$work/experiments"
echo '@book{dally2004principles,' >"$work/docs/references.bib"
touch "$work/experiments/one.toml"
printf '# Title\n\n## A `key`, twice\n\n## A key, twice\n' >"$work/docs/other.md"
cat >"$work/good.md" <<'END'
# Page
[x](docs/other.md#a-key-twice) [y](docs/other.md#a-key-twice-1) [z](#page) [@dally2004principles]
`experiments/one.toml` [w](https://example.org/none) `[code](nowhere.md)`
```
[code](nowhere.md)
```
END
"$check" "$work" || fail "refused good pages"

printf '[x](none.md)\n\n[y](docs/other.md#none) @nobody1999paper\n./weir run experiments/two.toml\n' >"$work/bad.md"
if "$check" "$work" >"$work/found.txt"; then fail "passed bad pages"; fi
for place in bad.md:1 bad.md:3 bad.md:4; do
  grep -q "^$place: " "$work/found.txt" || fail "missed $place"
done
[ "$(wc -l <"$work/found.txt")" -eq 4 ] || fail "found too much"
