#!/bin/sh
# Records a simulated InfiniBand subnet: ibsim plays the switches, OpenSM routes them, ibnetdiscover
# and dump_lfts print the result.
#
#   record.sh [-c] [-l] [-o OPTIONS] NETLIST ENGINE FOLDER [ROOT_GUID...]
#
# writes FOLDER/topology.txt and FOLDER/lfts.txt. With -l OpenSM sets service levels and virtual lanes,
# too, and FOLDER/paths.txt (saquery), FOLDER/sl2vl.txt (OpenSM's own dump) and FOLDER/vlarb.txt
# (smpquery) tell which. With -c FOLDER/counters-before.txt and FOLDER/counters.txt have the counters of all
# cabled ports (perfquery and perfquery -x) before and after some management traffic, which is all that
# ibsim counts: it has no data and no waiting. FOLDER/ibqueryerrors.txt has them as ibqueryerrors --counters
# prints them. ENGINE is one of OpenSM's routing engines (ftree,
# updn, minhop, lash, dfsssp, nue, torus-2QoS, ...); it is an error when OpenSM falls back to another one. OPTIONS
# are handed to OpenSM ("--nue_max_num_vls 4"). updn finds the root
# switches of a tree itself; on other fabrics it needs their GUIDs (ibsim numbers the switches of a
# netlist 0x200000, 0x200001, ...). Needs the Debian packages
# ibsim-utils, opensm and infiniband-diags. Several may run at once.
set -eu

counters=
layers=
options=
while getopts clo: option; do
  case $option in
    c) counters=yes ;;
    l) layers=yes ;;
    o) options=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
if [ $# -lt 3 ]; then
  echo "usage: record.sh [-c] [-l] [-o OPTIONS] NETLIST ENGINE FOLDER [ROOT_GUID...]" >&2
  exit 2
fi
PATH=$PATH:/usr/sbin:/sbin
export PATH
netlist=$(realpath "$1")
engine=$2
mkdir -p "$3"
folder=$(realpath "$3")
shift 3

for program in ibsim ibsim-run opensm ibnetdiscover dump_fts saquery smpquery perfquery ibqueryerrors; do
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
manager=
clean_up() {
  # A client that loses its simulator waits without end and ignores SIGTERM: first the client.
  if [ -n "$manager" ]; then
    kill -9 "$manager" 2>/dev/null || true
    wait "$manager" 2>/dev/null || true
  fi
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

# LID of the node and port, for every cabled port of switches and adapters.
cabled_ports() {
  awk '/^Switch/ {for (i = 1; i <= NF; ++i) if ($i == "lid") lid = $(i + 1)}
       /^Ca/ {lid = 0}
       /^\[/ {port = $1; sub(/^\[/, "", port); sub(/\].*/, "", port); own = lid
              if (own == 0) for (i = 1; i < NF; ++i) if ($i == "lid") {own = $(i + 1); break}
              print own, port}' topology.txt
}

read_counters() {
  for extended in "" -x; do
    # shellcheck disable=SC2086  # nothing, or an option
    cabled_ports | timeout -k 5 600 xargs -P 4 -L 1 ibsim-run perfquery $extended 2>perfquery.log ||
      fail "perfquery failed"
  done >"$1"
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

printf '%s\n' "$@" >roots
[ $# -eq 0 ] || set -- -a "$work/roots"
# shellcheck disable=SC2086  # several words on purpose
set -- -R "$engine" $options "$@" -f "$work/opensm.log"
if [ -z "$layers$counters" ]; then
  timeout -k 5 120 ibsim-run opensm "$@" -o >console.log 2>&1 || fail "opensm failed"
else
  # It stays, since path records are what it answers when asked, also by ibqueryerrors; 0x40 makes it
  # dump its tables, and -d 2 write its log at once.
  ibsim-run opensm "$@" -Q -s 3600 -d 2 -D 0x43 --dump_files_dir "$work" >console.log 2>&1 &
  manager=$!
  tries=0
  until grep -q "SUBNET UP" opensm.log 2>/dev/null; do
    kill -0 "$manager" 2>/dev/null || fail "opensm ended"
    tries=$((tries + 1))
    [ $tries -lt 600 ] || fail "opensm does not get ready"
    sleep 0.1
  done
fi
grep -q "SUBNET UP" opensm.log || fail "opensm did not bring the subnet up"
grep -q "$engine tables configured on all switches" opensm.log ||
  fail "opensm did not route with $engine"
timeout -k 5 120 ibsim-run ibnetdiscover >topology.txt 2>ibnetdiscover.log || fail "ibnetdiscover failed"
timeout -k 5 120 ibsim-run dump_fts >lfts.txt 2>dump_fts.log || fail "dump_fts failed"
if [ -n "$layers" ]; then
  # On a real subnet "saquery PathRecord" answers with all pairs at once; ibsim cuts off what does not
  # fit into one packet, so each pair is asked for by itself.
  sed -n 's/^\[[0-9]*\].*"H-.*lid \([0-9]*\) .*/\1/p' topology.txt | sort -un >host-lids
  while read -r from; do
    while read -r to; do
      [ "$from" = "$to" ] || echo --slid "$from" --dlid "$to" PathRecord
    done <host-lids
  done <host-lids |
    timeout -k 5 600 xargs -P 4 -L 1 ibsim-run saquery >paths.txt 2>saquery.log || fail "saquery failed"
  cabled_ports | sed 's/^/vlarb /' |
    timeout -k 5 600 xargs -P 4 -L 1 ibsim-run smpquery >vlarb.txt 2>smpquery.log || fail "smpquery failed"
  # The dump is made after the subnet is up.
  tries=0
  until [ -s opensm-subnet.lst ]; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || fail "opensm does not dump its tables"
    sleep 0.1
  done
  cp opensm-sl2vl.dump sl2vl.txt 2>/dev/null || fail "opensm did not dump its SL2VL tables"
  mv paths.txt sl2vl.txt vlarb.txt "$folder"
fi
if [ -n "$counters" ]; then
  read_counters counters-before.txt
  timeout -k 5 600 ibsim-run ibqueryerrors --counters >ibqueryerrors.txt 2>ibqueryerrors.log ||
    fail "ibqueryerrors failed"
  read_counters counters.txt
  mv counters-before.txt counters.txt ibqueryerrors.txt "$folder"
fi
mv topology.txt lfts.txt "$folder"
