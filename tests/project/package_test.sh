#!/usr/bin/env bash
# Packs this build (scripts/package), unpacks the Debian packages into one folder and the archive into
# another, and runs what is there. Exit status 77, skipped: tools that pack are missing.
# Arguments: source folder, build folder, Python.
set -eu
source=$1 build=$2 python=$3

for tool in dpkg-deb dpkg-shlibdeps patchelf; do
  command -v "$tool" >/dev/null || exit 77
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "package_test: $*" >&2
  exit 1
}
export WEIR_BUILD_FOLDER=$build WEIR_NO_INSTALL=1
unset WEIR_EXPERIMENTS PYTHONPATH

"$source/scripts/package" -o "$work/packages" >"$work/log.txt" 2>&1 || fail "$(cat "$work/log.txt")"
for package in weir libweir-dev python3-weir; do
  file=$(ls "$work/packages/${package}"_*.deb) || fail "there is no package $package"
  dpkg-deb -x "$file" "$work/root"
done
dpkg-deb -f "$work"/packages/weir_*.deb Depends | grep -q "libsqlite3-0 (>= .*libstdc++6 (>= " ||
  fail "libraries are not among what the package depends on"
dpkg-deb -f "$work"/packages/python3-weir_*.deb Depends | grep -q "weir (= .*python3 (<< .*python3-pandas" ||
  fail "python3-weir depends on too little"
if grep -rqlF "$build" "$work/root/usr/include" "$work/root"/usr/lib/pkgconfig 2>/dev/null; then
  fail "headers name the build folder"
fi
root=$work/root/usr
for file in bin/weir include/weir/base/plugin.hpp share/doc/weir/copyright share/doc/weir/docs/README.md \
  share/bash-completion/completions/weir share/weir/experiments/quickstart.toml; do
  [ -s "$root/$file" ] || fail "no package has $file"
done
(cd "$work" && "$root/bin/weir" reproduce) >"$work/documents.txt" || fail "the packed program does not run"
grep -q "^ferrer2012" "$work/documents.txt" || fail "it does not find the experiments beside it"
LD_LIBRARY_PATH=$(dirname "$(find "$root" -name 'libweir.so.*' -type f)") PYTHONDONTWRITEBYTECODE=1 \
  PYTHONPATH=$root/lib/python3/dist-packages "$python" -c "
import weir
path = str(weir.shipped('quickstart.toml'))
assert path.startswith('$root/share'), path
assert weir.check(path) == 4" || fail "the packed Python module does not work"

"$source/scripts/package" --tarball -o "$work/packages" >"$work/log.txt" 2>&1 || fail "$(cat "$work/log.txt")"
tar -C "$work" -xf "$work"/packages/weir-*.tar.gz
program=$(echo "$work"/weir-*/bin/weir)
"$program" list routing | grep -q d-mod-k || fail "the program of the archive does not run"
# Its own libraries are those beside it; the system's are the C and the compiler's.
library=$(find "$work"/weir-*/ -name 'libweir.so.*' -type f)
[ -n "$library" ] || fail "the archive has no library"
folder=${program%/bin/weir}
ldd "$folder/libexec/weir" "$library" | grep "=> /" |
  grep -Ev "=> ($work/|.*/(libc|libm|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so)" &&
  fail "the archive needs libraries that are not in it"
# Where the system's are too old, or others (musl), the archive brings all of them.
aside=$(find "$folder/lib" -type d -name compiler)
alone=(env -i "$folder/libexec/loader" --library-path "${aside%/compiler}:$aside")
"${alone[@]}" "$folder/libexec/weir" reproduce | grep -q "^ferrer2012" || fail "the archive does not run by itself"
"${alone[@]}" --list "$folder/libexec/weir" | grep "=> /" | grep -v "=> $work/" &&
  fail "by itself the archive takes libraries of the system"
exit 0
