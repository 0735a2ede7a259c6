#!/usr/bin/env bash
# The Slurm example (examples/slurm) spreads a sweep over an array of four tasks and unites it: with
# a Slurm of this machine's own where it is installed and we may start it, otherwise with a stand-in
# for sbatch that runs the tasks at once.
# Arguments: the program, source folder.
set -eu
program=$1 source=$2

work=$(mktemp -d)
running=()
stop() {
  for process in "${running[@]}"; do kill "$process" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT
fail() {
  echo "slurm_test: $*" >&2
  tail -n 20 "$work"/*.log "$work"/slurm/*.log >&2 2>/dev/null || true
  exit 1
}

mkdir "$work/bin" "$work/slurm"
ln -s "$program" "$work/bin/weir"
PATH=$work/bin:$PATH
cd "$work"
cat >sweep.toml <<'TOML'
topology = { model = "single-switch", hosts = 8 }
[experiment]
name = "sweep"
duration = "0.2 ms"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
[sweep]
"traffic.all.arrivals.load" = [0.1, 0.3, 0.5, 0.7, 0.9]
[replicate]
seeds = 2
TOML
weir run sweep.toml --output whole --quiet --no-report >/dev/null

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# A cluster of this machine, without authentication, on ports and in folders of its own.
start_slurm() {
  local host
  host=$(hostname)
  cat >slurm/slurm.conf <<CONF
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
SchedulerParameters=sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  mkdir slurm/state slurm/spool
  export SLURM_CONF=$work/slurm/slurm.conf
  slurmctld -D -c >slurm/slurmctld.out 2>&1 &
  running+=($!)
  slurmd -D -c >slurm/slurmd.out 2>&1 &
  running+=($!)
  for _ in $(seq 100); do
    if sinfo --noheader --format %T 2>/dev/null | grep -q idle; then return 0; fi
    sleep 0.2
  done
  return 1
}

# What the example asks of sbatch: tasks 1 to N at once, and a job after them.
stand_in() {
  cat >bin/sbatch <<'SBATCH'
#!/usr/bin/env bash
set -eu
array=
while [[ $1 == --* ]]; do
  case $1 in --array=1-*) array=${1#--array=1-} ;; esac
  shift
done
if [ -z "$array" ]; then
  bash "$@" >weir-2-merge.log 2>&1 && echo 2
  exit
fi
for task in $(seq "$array"); do
  SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_MAX=$array bash "$@" >"weir-1-$task.log" 2>&1 &
done
wait
echo 1
SBATCH
  chmod +x bin/sbatch
}

until_done() { # a file that the last job writes
  for _ in $(seq 600); do
    [ -s "$1" ] && return 0
    sleep 0.2
  done
  fail "$1 is not there"
}

if command -v slurmctld >/dev/null && command -v slurmd >/dev/null && [ "$(id -u)" = 0 ]; then
  start_slurm || fail "Slurm does not start"
  echo "slurm_test: with $(sinfo --version)"
else
  stand_in
  echo "slurm_test: with a stand-in for sbatch"
fi

"$source/examples/slurm/submit" sweep.toml 4 "$work/united" >submit.log || fail "nothing submitted"
grep -q "array job" submit.log || fail "submit does not tell the jobs"
until_done united/report.html
for table in scalars series links; do
  weir export whole --table "$table" >"whole.$table"
  weir export united --table "$table" >"united.$table"
  cmp "whole.$table" "united.$table" || fail "$table of the parts are not those of the whole"
done
[ "$(ls united/parts | wc -l)" = 4 ] || fail "there are not four parts"
