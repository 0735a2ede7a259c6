# shellcheck shell=bash
# Shared by ./weir and ./test: packages, configuration, builds. Sourced, with $root set.
# Everything goes to standard error; standard output belongs to the program.
#
#   WEIR_NO_INSTALL=1   never install packages
#   WEIR_JOBS=N         parallel compilations and tests (default: all cores)

say() { echo "weir: $*" >&2; }
die() {
  say "$*"
  exit 1
}

cores() { echo "${WEIR_JOBS:-$(nproc)}"; }

# packages GROUP...: the names listed for these groups.
packages() {
  local group
  for group in "$@"; do
    awk -v group="$group" '$1 == group { print $2 }' "$root/scripts/packages.txt"
  done
}

# command_of PACKAGE: what it is needed for, where another package or an installation by hand will do.
command_of() {
  case "$1" in
    nodejs) echo node ;;
    npm | chromium) echo "$1" ;;
  esac
}

is_installed() {
  local command
  command=$(command_of "$1")
  if [ -n "$command" ] && command -v "$command" >/dev/null; then return 0; fi
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Installing opensm starts a subnet manager, which must not happen on a node of a real fabric.
may_install() {
  [ "$1" != opensm ] || [ -z "$(ls /sys/class/infiniband 2>/dev/null)" ]
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

install_packages() {
  local command="apt-get install --no-install-recommends $*"
  say "installing Debian packages: $*"
  [ -z "${WEIR_NO_INSTALL:-}" ] || die "WEIR_NO_INSTALL is set; install them yourself: $command"
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    die "not root and no sudo; as root, run: $command"
  fi
  if [ -z "${lists_are_new:-}" ]; then
    as_root apt-get update -qq >&2 || say "apt-get update failed; going on with the lists at hand"
    lists_are_new=1
  fi
  as_root apt-get install -qq -y --no-install-recommends "$@" >&2 ||
    die "installation failed; as root, run: $command"
}

# need GROUP...: installs what is missing; a stamp remembers the list that was complete.
need() {
  local stamp name missing=()
  stamp="$root/build/.packages-$(packages "$@" | cksum | cut -d' ' -f1)"
  [ ! -e "$stamp" ] || return 0
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "not a Debian system: cannot install packages. weir needs the equivalents of:" \
      "$(packages "$@" | tr '\n' ' ')"
    return 0
  fi
  for name in $(packages "$@"); do
    if is_installed "$name"; then continue; fi
    if may_install "$name"; then
      missing+=("$name")
    else
      say "not installing $name: this machine has InfiniBand ports and it would start a subnet" \
        "manager on them; the tests that need it are skipped"
    fi
  done
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
  mkdir -p "$root/build"
  touch "$stamp"
}

# want GROUP WHY: installs what is missing of the group if that can be done, else says what is lost.
want() {
  local name missing=()
  if ! command -v apt-get >/dev/null; then return 0; fi
  for name in $(packages "$1"); do
    is_installed "$name" || missing+=("$name")
  done
  if [ ${#missing[@]} -eq 0 ]; then return 0; fi
  # The subshell: what ends the installation does not end this script.
  (install_packages "${missing[@]}") || say "going on without ${missing[*]}: $2"
}

# quietly LOG COMMAND...: progress on a terminal, otherwise only the end of the log of a failure.
quietly() {
  local log="$1"
  shift
  if [ -t 2 ]; then
    "$@" >&2
  else
    "$@" >"$log" 2>&1 || { tail -n 60 "$log" >&2; return 1; }
  fi
}

# is_configured PRESET: build/PRESET is ready to build this folder (and not one it was copied from).
is_configured() {
  local dir="$root/build/$1"
  [ -e "$dir/build.ninja" ] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"
}

# configure PRESET [-D...]: configures build/PRESET unless done with these settings.
configure() {
  local preset="$1" dir="$root/build/$1" settings
  shift
  settings="$*"
  if ! is_configured "$preset"; then
    rm -rf "$dir"
  elif [ "$(cat "$dir/.settings" 2>/dev/null)" = "$settings" ]; then
    return 0
  fi
  mkdir -p "$dir"
  (cd "$root" && quietly "$dir/configure.log" cmake --preset "$preset" "$@") ||
    die "cmake failed for build/$preset"
  echo "$settings" >"$dir/.settings"
}

# build PRESET TARGET...
build() {
  local dir="$root/build/$1"
  shift
  quietly "$dir/build.log" ninja -C "$dir" -j "$(cores)" "$@" || die "the build failed in $dir"
}

# alone COMMAND...: waits until no other script builds here, then runs the command in a subshell.
alone() {
  mkdir -p "$root/build"
  (
    flock 9
    "$@"
  ) 9>"$root/build/.lock"
}

# unchanged STAMP PATH...: nothing below these paths is newer than the stamp. Folders count too,
# which catches removed files.
unchanged() {
  local stamp="$1"
  shift
  [ -e "$stamp" ] && [ -z "$(cd "$root" && find "$@" -newer "$stamp" -print -quit 2>&1)" ]
}

program=$root/build/release/bin/weir
program_stamp=$root/build/release/.built
program_inputs=(src cli cmake viewer/src viewer/package.json viewer/package-lock.json
  viewer/build.mjs CMakeLists.txt CMakePresets.json scripts/packages.txt)

program_is_current() { [ -x "$program" ] && unchanged "$program_stamp" "${program_inputs[@]}"; }

# build_program TARGET...: release build of the program and what else is named.
build_program() {
  touch "$program_stamp.new" # before the build: edits during it count as changes
  build release "$@"
  mv "$program_stamp.new" "$program_stamp"
}
