#!/usr/bin/env bash
# plot.sh SOURCE_DIR: scripts/plot draws what demo and replay write, and says why it can't.
set -eu -o pipefail
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

awk 'BEGIN {
  print "time,position:upper_arm,velocity:upper_arm,effort:upper_arm,reference:upper_arm,command:upper_arm,effort_limit:upper_arm,latency"
  for (i = 0; i < 3000; ++i) {
    t = i / 1000
    print t "," sin(t) "," cos(t) "," 5 * cos(t) "," sin(t) + 0.01 "," 5 * cos(t) ",12," (i % 3 ? 0.0003 + i * 1e-8 : "")
  }}' >"$work/run.csv"
awk 'BEGIN {
  print "time,measured:upper_arm,predicted:upper_arm,measured:hand,predicted:hand"
  for (i = 0; i < 300; ++i) print i / 100 "," sin(i / 10) "," cos(i / 10) ",," i}' >"$work/residuals.csv"

bash "$root/scripts/plot" "$work/run.csv" "$work/pictures" >"$work/drawn"
bash "$root/scripts/plot" "$work/residuals.csv" >>"$work/drawn"
for picture in pictures/run_positions pictures/run_torques pictures/run_latency residuals_efforts; do
  grep -qx "$work/$picture.png" "$work/drawn" || fail "$picture.png is not named"
  [ "$(head -c 4 "$work/$picture.png" | tail -c 3)" = PNG ] || fail "$picture.png is no PNG"
  grep -q '</svg>' "$work/$picture.svg" || fail "$picture.svg is no SVG"
done
grep -q 'upper_arm' "$work/pictures/run_torques.svg" || fail 'the joint is not named'
grep -q 'time \[s\]' "$work/pictures/run_positions.svg" || fail 'the axis has no unit'
grep -q 'p50 3[0-9][0-9] us' "$work/pictures/run_latency.svg" || fail 'the latency is not told'

printf 'a,b\n1,2\n3,4\n' >"$work/other.csv"
for bad in other.csv missing.csv; do
  if bash "$root/scripts/plot" "$work/$bad" 2>"$work/errors"; then fail "$bad was drawn"; fi
  grep -q "^error: $work/$bad " "$work/errors" || fail "$bad: $(cat "$work/errors")"
done
