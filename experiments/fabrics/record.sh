#!/bin/sh
# Records a simulated InfiniBand subnet: ibsim plays the switches, OpenSM routes them, ibnetdiscover
# and dump_lfts print the result.
#
#   record.sh NETLIST ENGINE FOLDER [ROOT_GUID...]
#
# writes FOLDER/topology.txt and FOLDER/lfts.txt. ENGINE is one of OpenSM's routing engines (ftree,
# updn, minhop, ...); it is an error when OpenSM falls back to another one. updn finds the root
# switches of a tree itself; on other fabrics it needs their GUIDs (ibsim numbers the switches of a
# netlist 0x200000, 0x200001, ...). Needs the Debian packages
# ibsim-utils, opensm and infiniband-diags. Several may run at once.
set -eu

if [ $# -lt 3 ]; then
  echo "usage: record.sh NETLIST ENGINE FOLDER [ROOT_GUID...]" >&2
  exit 2
fi
PATH=$PATH:/usr/sbin:/sbin
export PATH
netlist=$(realpath "$1")
engine=$2
mkdir -p "$3"
folder=$(realpath "$3")
shift 3

for program in ibsim ibsim-run opensm ibnetdiscover dump_fts; do
  if ! command -v $program >/dev/null; then
    echo "record.sh: $program is missing: install ibsim-utils, opensm and infiniband-diags" >&2
    exit 1
  fi
done

# ibsim and its clients meet at sockets of this name; the clients keep files in the work folder.
work=$(mktemp -d)
IBSIM_SOCKNAME=weir-$$-$(basename "$work")
OSM_TMP_DIR=$work
OSM_CACHE_DIR=$work
export IBSIM_SOCKNAME OSM_TMP_DIR OSM_CACHE_DIR
simulator=
clean_up() {
  if [ -n "$simulator" ]; then
    kill "$simulator" 2>/dev/null || true
    wait "$simulator" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

fail() {
  echo "record.sh: $1" >&2
  tail -n 20 "$work"/*.log >&2
  exit 1
}

cd "$work"
ibsim -s -n -N 8192 -S 4096 -P 131072 "$netlist" </dev/null >ibsim.log 2>&1 &
simulator=$!
tries=0
until grep -q "Network simulator ready" ibsim.log; do
  kill -0 "$simulator" 2>/dev/null || fail "ibsim ended"
  tries=$((tries + 1))
  [ $tries -lt 300 ] || fail "ibsim does not get ready"
  sleep 0.1
done

# A client that loses its simulator waits without end and ignores SIGTERM.
printf '%s\n' "$@" >roots
[ $# -eq 0 ] || set -- -a "$work/roots"
timeout -k 5 120 ibsim-run opensm -R "$engine" "$@" -o -f "$work/opensm.log" >console.log 2>&1 ||
  fail "opensm failed"
grep -q "SUBNET UP" opensm.log || fail "opensm did not bring the subnet up"
grep -q "$engine tables configured on all switches" opensm.log ||
  fail "opensm did not route with $engine"
timeout -k 5 120 ibsim-run ibnetdiscover >topology.txt 2>ibnetdiscover.log || fail "ibnetdiscover failed"
timeout -k 5 120 ibsim-run dump_fts >lfts.txt 2>dump_fts.log || fail "dump_fts failed"
mv topology.txt lfts.txt "$folder"
