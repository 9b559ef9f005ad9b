#!/usr/bin/env bash
# start_from_anywhere.sh SOURCE_DIR: both scripts find their tree through a symbolic link, from any
# folder, whatever the folders are called. Their help needs the tree, and no build.
set -eu -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/a place"
ln -s "$1" "$folder/a place/tree"
for name in run test python; do
  ln -s "$1/scripts/$name" "$folder/bin/dynamics-$name"
  ln -s "../bin/dynamics-$name" "$folder/a place/$name"
done
cd /
for script in "$1/scripts" "$folder/a place/tree/scripts" "$folder/a place"; do
  for name in run test python; do
    "$script/$name" --help | grep -q "^usage: scripts/$name"
  done
done
cd "$folder/a place"
./run --help | grep -q '^usage: scripts/run'
PATH=$folder/bin:$PATH dynamics-run --help | grep -q '^usage: scripts/run'
