# Functions for the other scripts, which source this file: packages, logged steps, configuring and
# building. All messages go to standard error; standard output is for the program that a script
# runs.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) || exit 1
logs=$root/build/logs
child=

say() { printf '%s\n' "$*" >&2; }

# Called before the script ends with an error. A script may redefine it.
before_death() { :; }

die() {
  say "error: $*"
  before_death
  exit 1
}

# Ctrl-C ends the present step with all its processes, and prints a message.
interrupted() {
  trap - INT TERM HUP
  if [ -n "$child" ]; then
    kill -TERM -- "-$child" 2>/dev/null
    wait "$child" 2>/dev/null
  fi
  clear_progress
  say 'interrupted; the next run continues from here'
  exit 130
}
trap interrupted INT TERM HUP

cores() { nproc 2>/dev/null || echo 1; }

# ---- steps ---------------------------------------------------------------------------------------

clear_progress() { if [ -t 2 ]; then printf '\r\033[K' >&2; fi; }

# The last "12/80" that ninja or ctest wrote into a log.
last_count() { tail -n 3 "$1" 2>/dev/null | grep -oE '[0-9]+/[0-9]+' | tail -n 1; }

# Sets `now_ms`, without starting a process.
read_clock() {
  local microseconds=${EPOCHREALTIME/[.,]/}
  now_ms=$((microseconds / 1000))
}

# On a terminal one line that is updated; elsewhere one line per minute, so that a log shows the
# time of each step. Steps shorter than a second print nothing.
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

# run_logged WHAT LOG COMMAND…: runs the command with its output in LOG and shows progress.
# Returns the command's status.
run_logged() {
  local what=$1 log=$2 start_ms now_ms status
  shift 2
  next_report=1
  { : >"$log"; } 2>/dev/null || die_unwritable "$log"
  read_clock
  start_ms=$now_ms
  # A separate process group (set -m), so that an interruption ends all of it. It must not read the
  # script's input.
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

# The first error in a log with the lines after it, without long compiler command lines.
first_error() {
  awk '/FAILED:|error:|CMake Error|^E: /{found = 1} found && n++ < 40' "$1" | cut -c 1-200 >&2
}

# free_mb FOLDER: free space of its file system, in MB.
free_mb() { df -Pk "$1" 2>/dev/null | awk 'NR == 2 {print int($4 / 1024)}'; }

# explain_full_disk [LOG]: if a disk is full, ends with that as the reason of the failure.
explain_full_disk() {
  local build temporary=${TMPDIR:-/tmp} free_of_temporary
  build=$(free_mb "$root")
  free_of_temporary=$(free_mb "$temporary")
  if [ "${build:-99}" -lt 5 ] || { [ $# -ge 1 ] && grep -qE 'No space left on device|not enough free space|Disk quota exceeded' "$1" 2>/dev/null; }; then
    die "the disk is full: ${build:-?} MB are free for $root/build and ${free_of_temporary:-?} MB for $temporary; free some space and run again."
  fi
}

# die_unwritable PATH: ends with a message that names the path, possible reasons and what to do.
die_unwritable() {
  local built=$root/build/release/spatial_dynamics also=
  explain_full_disk
  if [ -x "$built" ]; then also=" The program that was built here is $built."; fi
  die "cannot write to $1: it belongs to another user, or is on a read-only file system; run this in a checkout of your own.$also"
}

# ---- packages ------------------------------------------------------------------------------------

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

# packages N: "1 package", "2 packages" and so on.
packages() { if [ "$1" -eq 1 ]; then echo '1 package'; else echo "$1 packages"; fi; }

# explain_apt_failure: ends with the reason why apt-get failed, from the logs of its two steps.
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

# Peers that this distribution does not have; they are not requested again.
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

# ensure_packages KIND…: installs missing packages. Uses no network if none is missing.
ensure_packages() {
  if [ -n "${SPATIAL_DYNAMICS_SKIP_PACKAGES:-}" ]; then return 0; fi
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    die "this system has no apt-get; install the equivalents of these Debian packages, then set SPATIAL_DYNAMICS_SKIP_PACKAGES=1: $(listed_packages "$@" | tr '\n' ' ')"
  fi
  local -a missing as_root=()
  mapfile -t missing < <(listed_packages "$@" | without_unavailable | not_installed)
  if [ "${#missing[@]}" -eq 0 ]; then return 0; fi

  local -a install=(apt-get install --yes --no-install-recommends)
  if [ "$(id -u)" -ne 0 ]; then
    # sudo may ask for a password, which is possible only here, in the foreground.
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
      die "$(packages ${#missing[@]}) must be installed, which only root may do; run this as root, then try again: apt-get update && ${install[*]} ${missing[*]}"
    fi
    as_root=(sudo -n)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  local -a options=(-o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 -o Acquire::http::Timeout=30)

  # A failing repository of the user does not matter as long as the packages are available
  # elsewhere.
  run_logged 'Reading the package lists' "$logs/packages-update.log" "${as_root[@]}" apt-get "${options[@]}" update
  if ! grep -qE '^(Err:|E:|W: Failed)' "$logs/packages-update.log"; then
    listed_packages peer | grep -xFf <(printf '%s\n' "${missing[@]}") | note_unavailable_peers
    mapfile -t missing < <(printf '%s\n' "${missing[@]}" | without_unavailable)
    if [ "${#missing[@]}" -eq 0 ]; then return 0; fi
  fi
  run_logged "Installing $(packages ${#missing[@]})" "$logs/packages-install.log" \
    "${as_root[@]}" "${install[0]}" "${options[@]}" "${install[@]:1}" "${missing[@]}" || explain_apt_failure
}

# ---- build ---------------------------------------------------------------------------------------

# prepare: creates the folders that the other functions write to.
prepare() {
  local folder
  mkdir -p "$logs" 2>/dev/null || die_unwritable "$root/build"
  for folder in "$root/build" "$logs"; do
    [ -w "$folder" ] || die_unwritable "$folder"
  done
}

# need_programs: checks for the programs that a build needs, for users who install packages
# themselves.
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
    die "not found: ${names#, }; the Debian packages are: ${found_in[*]}. Without SPATIAL_DYNAMICS_SKIP_PACKAGES they are installed automatically."
  fi
}

# remove_build DIR: removes all of it, or nothing if a part can't be removed.
remove_build() {
  local stuck
  if [ ! -e "$1" ]; then return; fi
  stuck=$(find "$1" -type d ! -writable -print -quit 2>/dev/null)
  if [ -n "$stuck" ]; then die_unwritable "$stuck"; fi
  rm -rf "$1"
}

# GCC's own default collects garbage so often that Eigen's templates take a fifth longer to compile.
# At most a sixteenth of the memory, and at most 1 GB, so that each core can run a compiler.
use_large_compiler_heap() {
  case $("${CXX:-c++}" --version 2>/dev/null) in *'Free Software Foundation'*) ;; *) return ;; esac
  local kilobytes
  kilobytes=$(awk '/^MemTotal:/ {heap = $2 / 16; print int(heap < 1e6 ? heap : 1e6)}' /proc/meminfo)
  export CXXFLAGS="${CXXFLAGS:-} --param=ggc-min-heapsize=${kilobytes:-131072}"
}

# The options of build/test: optimised, but with assertions, so that a test fails on an index out of
# range.
# shellcheck disable=SC2034
test_options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DSPATIAL_DYNAMICS_WERROR=ON -DCMAKE_UNITY_BUILD=ON)

# build NAME CMAKE_OPTION…: configures build/NAME if its options have changed, and builds it: all
# targets, or build_targets.
build_targets=()
build() {
  local name=$1 dir=$root/build/$1 log wanted
  shift
  need_programs
  local CXXFLAGS=${CXXFLAGS:-}
  use_large_compiler_heap
  # Inputs of the configuration. CMake itself watches its files; a tree that was moved must be
  # configured again.
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

# build_release: the program that scripts/run and scripts/bench use.
build_release() {
  build release -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DCMAKE_UNITY_BUILD=ON -DSPATIAL_DYNAMICS_PYTHON=OFF
}
