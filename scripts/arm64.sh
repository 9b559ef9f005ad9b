# Functions for scripts/test: libraries for AArch64 and an emulator that runs programs with them.
# shellcheck shell=bash
# shellcheck disable=SC2154  # root and logs: set by lib.sh, which is sourced before

arm64_root=$root/build/arm64-root
arm64_state=$root/build/arm64-packages

# The packages whose arm64 version a program needs to be built: the development files of all
# libraries except the middleware's.
arm64_libraries() { listed_packages build test | grep -E -- '-dev$' | grep -vE '^(dpkg|cyclonedds|libyaml-cpp)-'; }

# arm64_apt COMMAND…: apt-get for arm64 with separate package lists and cache. It neither needs root
# nor changes what this machine has installed.
arm64_apt() {
  apt-get -o Dir::State="$arm64_state" -o Dir::State::Lists="$arm64_state/lists" -o Dir::State::status="$arm64_state/status" \
    -o Dir::Cache="$arm64_state/cache" -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Debug::NoLocking=1 \
    -o APT::Sandbox::User=root -o Acquire::Retries=2 -o Acquire::http::Timeout=30 "$@"
}

# Downloads the packages and unpacks them. A third-party source without arm64 does not matter.
unpack_arm64_libraries() {
  local package link target
  local -a libraries
  mapfile -t libraries < <(arm64_libraries)
  rm -rf "$arm64_root" "$arm64_state"
  mkdir -p "$arm64_state/lists/partial" "$arm64_state/cache/archives/partial" "$arm64_root/usr/lib" || return 1
  : >"$arm64_state/status"  # nothing is installed: all dependencies are downloaded, too
  ln -s usr/lib "$arm64_root/lib"
  arm64_apt update
  arm64_apt install --yes --no-install-recommends --download-only "${libraries[@]}" || return 1
  for package in "$arm64_state"/cache/archives/*.deb; do
    case $package in */libc-bin_* | */base-files_* | */*-bin_*) continue ;; esac
    # tar follows the link lib, which dpkg-deb would replace
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink --no-same-owner -C "$arm64_root" || return 1
  done
  # Links from / lead to this folder instead.
  find "$arm64_root" -type l -lname '/*' | while read -r link; do
    target=$(readlink "$link")
    ln -sfn "$arm64_root$target" "$link"
  done
  # So do libraries that packages of CMake name by their whole path.
  find "$arm64_root" -name '*.cmake' -exec sed -i -E "s|/usr/lib/aarch64-linux-gnu/(lib[^/;\"]*\.so)|$arm64_root&|g" {} +
  rm -rf "$arm64_state"
}

# ensure_arm64: the compiler, the emulator and the libraries, and `arm64_emulator`, which runs a
# program: build/arm64-root/run PROGRAM ARGUMENT…
ensure_arm64() {
  local wanted log=$logs/arm64-libraries.log
  ensure_packages build arm64
  command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64-static >/dev/null ||
    die "the cross compiler or the emulator is missing; the Debian packages are: $(listed_packages arm64 | tr '\n' ' ')"
  arm64_emulator=$arm64_root/run
  wanted=$(printf '%s\n' "$root" && arm64_libraries)
  if [ "$wanted" != "$(cat "$arm64_root/unpacked" 2>/dev/null)" ]; then
    if ! run_logged 'Downloading libraries for arm64' "$log" unpack_arm64_libraries; then
      explain_full_disk "$log"
      first_error "$log"
      die "the arm64 libraries could not be downloaded; this needs a network and package lists with arm64 (Debian's have it). The log is $log."
    fi
    printf '#!/bin/sh\nexec qemu-aarch64-static -L "%s" "$@"\n' "$arm64_root" >"$arm64_emulator"
    chmod +x "$arm64_emulator"
    printf '%s\n' "$wanted" >"$arm64_root/unpacked"
  fi
}
