# Shared by scripts/run and scripts/test, which source it: packages, logged steps, configuring and building.
# Everything here talks on standard error, so that standard output belongs to the job alone.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) || exit 1
logs=$root/build/logs
child=

say() { printf '%s\n' "$*" >&2; }

# A script that has more to say before it ends redefines this.
before_death() { :; }

die() {
  say "error: $*"
  before_death
  exit 1
}

# Ctrl-C ends the step under way with all that it started, and says so.
interrupted() {
  trap - INT TERM HUP
  if [ -n "$child" ]; then
    kill -TERM -- "-$child" 2>/dev/null
    wait "$child" 2>/dev/null
  fi
  clear_progress
  say 'interrupted; the next run goes on from here'
  exit 130
}
trap interrupted INT TERM HUP

cores() { nproc 2>/dev/null || echo 1; }

# ---- steps -------------------------------------------------------------------------------------------------------

clear_progress() { if [ -t 2 ]; then printf '\r\033[K' >&2; fi; }

# The last "12/80" that ninja or ctest wrote into a log.
last_count() { tail -n 3 "$1" 2>/dev/null | grep -oE '[0-9]+/[0-9]+' | tail -n 1; }

# Sets `now_ms`, without a process of its own.
read_clock() {
  local microseconds=${EPOCHREALTIME/[.,]/}
  now_ms=$((microseconds / 1000))
}

# On a terminal one line that lives; elsewhere one line a minute, so that a log shows where the time goes. A step that
# is over within a second is not worth a line.
show_progress() {
  local what=$1 log=$2 seconds=$3
  if [ "$seconds" -lt 1 ]; then return; fi
  if [ -t 2 ]; then
    printf '\r\033[K%s … %s (%d s)' "$what" "$(last_count "$log")" "$seconds" >&2
  elif [ "$seconds" -ge "$next_report" ]; then
    if [ "$next_report" -eq 1 ]; then say "$what"; else say "  … $(last_count "$log") (${seconds} s)"; fi
    next_report=$((next_report / 60 * 60 + 60))
  fi
}

# run_logged WHAT LOG COMMAND…: runs the command with its output in LOG while showing that it is alive.
# Returns the command's status.
run_logged() {
  local what=$1 log=$2 start_ms now_ms status
  shift 2
  next_report=1
  { : >"$log"; } 2>/dev/null || die_unwritable "$log"
  read_clock
  start_ms=$now_ms
  # A process group of its own (set -m), so that an interruption can end it whole. It must not eat the job's input.
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  child=$!
  set +m
  while kill -0 "$child" 2>/dev/null; do
    read_clock
    show_progress "$what" "$log" $(((now_ms - start_ms) / 1000))
    sleep 0.1
  done
  wait "$child"
  status=$?
  child=
  clear_progress
  if [ -t 2 ] && [ $((now_ms - start_ms)) -ge 2000 ]; then say "$what: $(((now_ms - start_ms) / 1000)) s"; fi
  return "$status"
}

# The first complaint in a log with what follows it, without compiler command lines a page long.
first_error() {
  awk '/FAILED:|error:|CMake Error|^E: /{found = 1} found && n++ < 40' "$1" | cut -c 1-200 >&2
}

# free_mb FOLDER: what its file system has left.
free_mb() { df -Pk "$1" 2>/dev/null | awk 'NR == 2 {print int($4 / 1024)}'; }

# explain_full_disk [LOG]: where a disk is full, that is the reason of whatever failed.
explain_full_disk() {
  local build temporary=${TMPDIR:-/tmp} free_of_temporary
  build=$(free_mb "$root")
  free_of_temporary=$(free_mb "$temporary")
  if [ "${build:-99}" -lt 5 ] || { [ $# -ge 1 ] && grep -qE 'No space left on device|not enough free space|Disk quota exceeded' "$1" 2>/dev/null; }; then
    die "the disk is full: ${build:-?} MB are free for $root/build and ${free_of_temporary:-?} MB for $temporary; make room and run again."
  fi
}

# die_unwritable PATH: what can't be written, why that may be, and what to do.
die_unwritable() {
  local built=$root/build/release/spatial_dynamics also=
  explain_full_disk
  if [ -x "$built" ]; then also=" The program that was built here is $built."; fi
  die "cannot write to $1: it belongs to another user, or is on a read-only file system; run this in a checkout of your own.$also"
}

# ---- packages ----------------------------------------------------------------------------------------------------

# listed_packages KIND…: the packages of these kinds.
listed_packages() {
  awk -v kinds=" $* " '!/^#/ && NF && index(kinds, " " $2 " ") {print $1}' "$root/scripts/packages.txt"
}

# Reads package names and writes those that are not installed.
not_installed() {
  local package
  while read -r package; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done
}

# packages N: the words for so many.
packages() { if [ "$1" -eq 1 ]; then echo '1 package'; else echo "$1 packages"; fi; }

# explain_apt_failure: why apt-get could not install, in one sentence, from the logs of its two steps.
explain_apt_failure() {
  local update=$logs/packages-update.log install=$logs/packages-install.log
  explain_full_disk "$install"
  local unreachable='Temporary failure resolving|Could not (resolve|connect)|Unable to connect|Connection (failed|timed out|refused)|Network is unreachable'
  local unknown
  unknown=$(sed -nE "s/^E: Unable to locate package (.*)/\1/p; s/^E: Package '(.*)' has no installation.*/\1/p" "$install" | tr '\n' ' ')
  if grep -qE "$unreachable" "$update" "$install"; then
    die "the packages could not be fetched, because the network or the package mirror does not answer; connect this machine and run again (logs: $update, $install)."
  elif [ -n "$unknown" ]; then
    die "this distribution's package lists do not have: $unknown(Debian 12 has them; log: $install)."
  elif grep -qE 'Could not get lock|Unable to acquire the dpkg' "$install"; then
    die "another program is installing packages; run again when it has ended (log: $install)."
  fi
  first_error "$install"
  die "apt-get could not install the missing packages; the whole log is $install."
}

# Peers that this distribution was found not to have; they are not asked for again.
unavailable=$root/build/unavailable-packages
without_unavailable() { if [ -s "$unavailable" ]; then grep -vxFf "$unavailable"; else cat; fi; }

note_unavailable_peers() {
  local package
  while read -r package; do
    if ! apt-cache show "$package" >/dev/null 2>&1; then
      say "note: this distribution has no $package: results are not compared with it."
      echo "$package" >>"$unavailable"
    fi
  done
}

# ensure_packages KIND…: installs what is missing. Touches no network when nothing is.
ensure_packages() {
  if [ -n "${SPATIAL_DYNAMICS_SKIP_PACKAGES:-}" ]; then return 0; fi
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    die "this system has no apt-get; install what corresponds to these Debian packages, then set SPATIAL_DYNAMICS_SKIP_PACKAGES=1: $(listed_packages "$@" | tr '\n' ' ')"
  fi
  local -a missing as_root=()
  mapfile -t missing < <(listed_packages "$@" | without_unavailable | not_installed)
  if [ "${#missing[@]}" -eq 0 ]; then return 0; fi

  local -a install=(apt-get install --yes --no-install-recommends)
  if [ "$(id -u)" -ne 0 ]; then
    # sudo may ask for a password, which it can only do here, in the foreground.
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
      die "only root may install packages, and what is missing is $(packages ${#missing[@]}); run this as root, then try again: apt-get update && ${install[*]} ${missing[*]}"
    fi
    as_root=(sudo -n)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  local -a options=(-o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 -o Acquire::http::Timeout=30)

  # A repository of the user's that fails to update is none of our business as long as the packages can be had.
  run_logged 'Reading the package lists' "$logs/packages-update.log" "${as_root[@]}" apt-get "${options[@]}" update
  if ! grep -qE '^(Err:|E:|W: Failed)' "$logs/packages-update.log"; then
    listed_packages peer | grep -xFf <(printf '%s\n' "${missing[@]}") | note_unavailable_peers
    mapfile -t missing < <(printf '%s\n' "${missing[@]}" | without_unavailable)
    if [ "${#missing[@]}" -eq 0 ]; then return 0; fi
  fi
  run_logged "Installing $(packages ${#missing[@]})" "$logs/packages-install.log" \
    "${as_root[@]}" "${install[0]}" "${options[@]}" "${install[@]:1}" "${missing[@]}" || explain_apt_failure
}

# ---- build -------------------------------------------------------------------------------------------------------

# prepare: the folders that everything else writes to.
prepare() {
  local folder
  mkdir -p "$logs" 2>/dev/null || die_unwritable "$root/build"
  for folder in "$root/build" "$logs"; do
    [ -w "$folder" ] || die_unwritable "$folder"
  done
}

# need_programs: what no build can do without, where packages are none of our business.
need_programs() {
  local -a missing=() found_in=()
  command -v cmake >/dev/null || { missing+=(cmake); found_in+=(cmake); }
  command -v ninja >/dev/null || { missing+=(ninja); found_in+=(ninja-build); }
  if [ -n "${CXX:-}" ]; then
    command -v "${CXX%% *}" >/dev/null || { missing+=("${CXX%% *} (CXX)"); found_in+=(g++); }
  elif ! command -v c++ >/dev/null && ! command -v g++ >/dev/null && ! command -v clang++ >/dev/null; then
    missing+=(c++)
    found_in+=(g++)
  fi
  if [ "${#missing[@]}" -gt 0 ]; then
    local names
    names=$(printf ', %s' "${missing[@]}")
    die "not found: ${names#, }; the Debian packages are: ${found_in[*]}. Without SPATIAL_DYNAMICS_SKIP_PACKAGES they are installed by themselves."
  fi
}

# remove_build DIR: all of it, or nothing where a part can't be removed.
remove_build() {
  local stuck
  if [ ! -e "$1" ]; then return; fi
  stuck=$(find "$1" -type d ! -writable -print -quit 2>/dev/null)
  if [ -n "$stuck" ]; then die_unwritable "$stuck"; fi
  rm -rf "$1"
}

# build NAME CMAKE_OPTION…: configures (only when something about it changed) and builds build/NAME: all of it, or build_targets.
build_targets=()
build() {
  local name=$1 dir=$root/build/$1 log wanted
  shift
  need_programs
  # What the configuration depends on. CMake itself watches its files; a tree that was moved must start afresh.
  wanted=$(printf '%s\n' "$root" "${AMENT_PREFIX_PATH:-}" "${CMAKE_PREFIX_PATH:-}" "${CXX:-}" "${CXXFLAGS:-}" "$@")
  if [ ! -f "$dir/build.ninja" ] || [ "$wanted" != "$(cat "$dir/configured-with" 2>/dev/null)" ]; then
    remove_build "$dir"
    log=$logs/$name-configure.log
    if ! run_logged "Configuring build/$name" "$log" cmake -S "$root" -B "$dir" -G Ninja "$@"; then
      rm -f "$dir/build.ninja"
      explain_full_disk "$log"
      first_error "$log"
      die "the build could not be configured; the whole log is $log."
    fi
    { printf '%s\n' "$wanted" >"$dir/configured-with"; } 2>/dev/null || die_unwritable "$dir"
  fi
  [ -w "$dir" ] || die_unwritable "$dir"
  log=$logs/$name-build.log
  if ! run_logged "Building build/$name" "$log" cmake --build "$dir" ${build_targets[@]+--target "${build_targets[@]}"}; then
    explain_full_disk "$log"
    first_error "$log"
    die "the build failed, its first error is above; the whole log is $log."
  fi
}
