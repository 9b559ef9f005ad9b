#!/usr/bin/env bash
# plot.sh SOURCE_DIR: scripts/plot draws the files of demo, simulate and replay in the units of the
# robot, and reports errors.
set -eu -o pipefail
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

awk 'BEGIN {
  print "time,position:upper_arm,velocity:upper_arm,effort:upper_arm,reference:upper_arm,command:upper_arm,effort_limit:upper_arm,state_to_arrival"
  for (i = 0; i < 3000; ++i) {
    t = i / 1000
    print t "," sin(t) "," cos(t) "," 5 * cos(t) "," sin(t) + 0.01 "," 5 * cos(t) ",12," (i % 3 ? 0.0003 + i * 1e-8 : "")
  }}' >"$work/run.csv"
awk 'BEGIN {
  print "time,measured:upper_arm,predicted:upper_arm,measured:hand,predicted:hand"
  for (i = 0; i < 300; ++i) print i / 100 "," sin(i / 10) "," cos(i / 10) ",," i}' >"$work/residuals.csv"

bash "$root/scripts/plot" "$work/run.csv" "$work/pictures" >"$work/drawn"
bash "$root/scripts/plot" "$work/residuals.csv" >>"$work/drawn"
for picture in pictures/run_positions pictures/run_torques pictures/run_state_to_arrival residuals_efforts; do
  grep -qx "$work/$picture.png" "$work/drawn" || fail "$picture.png is not named"
  [ "$(head -c 4 "$work/$picture.png" | tail -c 3)" = PNG ] || fail "$picture.png is no PNG"
  grep -q '</svg>' "$work/$picture.svg" || fail "$picture.svg is no SVG"
done
grep -q 'upper_arm' "$work/pictures/run_torques.svg" || fail 'the joint is not named'
grep -q 'time \[s\]' "$work/pictures/run_positions.svg" || fail 'the axis has no unit'
grep -q 'State to arrival, [0-9]* torques: p50 3[0-9][0-9] us' "$work/pictures/run_state_to_arrival.svg" || fail 'the time to arrival is not shown'
grep -q 'rad or m' "$work/pictures/run_positions.svg" || fail 'an unknown robot has a known unit'

# The column names of simulate, and units by the robot's joints.
printf 'time_s,q:slider,q:hinge,q:stage/x,v:slider,effort:slider,effort:hinge,effort:stage/x\n0,1,2,3,0,5,6,7\n1,2,2,3,0,5,6,7\n' >"$work/motion.csv"
cat >"$work/robot.urdf" <<'URDF'
<robot name="r"><joint name="slider" type="prismatic"><axis xyz="1 0 0"/></joint>
  <joint type='continuous'
    name='hinge'/><joint name="stage" type="planar"/></robot>
URDF
bash "$root/scripts/plot" "$work/motion.csv" "$work/pictures" --urdf "$work/robot.urdf" >"$work/drawn"
grep -qx "$work/pictures/motion_positions.png" "$work/drawn" || fail 'positions of simulate are not drawn'
units=$(grep -oE '>(N m|N|N m or N)<' "$work/pictures/motion_torques.svg" | tr -d '\n')
[ "$units" = '>N<>N m<>N<' ] || fail "the units of slider, hinge and stage/x are $units"
printf 'time_s,q:hinge,effort:hinge\n0,1,2\n1,1,2\n' >"$work/hinge.csv"
bash "$root/scripts/plot" "$work/hinge.csv" --urdf="$work/robot.urdf" >/dev/null
grep -q 'position \[rad\]' "$work/hinge_positions.svg" || fail 'the unit of a hinge is not rad'
# The demo's own arm is known.
joints=$(sed -nE 's/.*<joint name="([^"]*)" type="revolute".*/\1/p' "$root/urdf/arm7.urdf")
# shellcheck disable=SC2086
{ echo "time$(printf ',position:%s' $joints)" && printf '%s,1,1,1,1,1,1,1\n' 0 1; } >"$work/arm.csv"
bash "$root/scripts/plot" "$work/arm.csv" >/dev/null
grep -q 'position \[rad\]' "$work/arm_positions.svg" || fail 'the arm of the demo is not known'
# A recording of the demo contains which joints slide.
printf 'time,position:rail,command:rail,slides:rail\n0,1,2,1\n1,1,2,1\n' >"$work/rail.csv"
bash "$root/scripts/plot" "$work/rail.csv" >/dev/null
grep -q 'position \[m\]' "$work/rail_positions.svg" || fail 'a recording of a rail is not in m'
grep -q '>N<' "$work/rail_torques.svg" || fail 'a recording of a rail is not in N'
printf 'time,position:hip,command:hip,slides:hip\r\n0,1,2,0\r\n1,1,2,0\r\n' >"$work/hip.csv"
bash "$root/scripts/plot" "$work/hip.csv" >/dev/null
grep -q 'position \[rad\]' "$work/hip_positions.svg" || fail 'a recording of a hip is not in rad'

# A torque far below its limit is not a flat line: the axis has its range, and the title the limit.
awk 'BEGIN {print "time,position:arm,command:arm,effort_limit:arm"; for (i = 0; i < 50; ++i) print i / 10 ",0," 0.03 * sin(i / 5) ",87"}' >"$work/small.csv"
bash "$root/scripts/plot" "$work/small.csv" >/dev/null
grep -q 'arm (limit 87)' "$work/small_torques.svg" || fail 'the limit of a small torque is not named'
if grep -q '>-\?100<' "$work/small_torques.svg"; then fail 'a small torque is drawn on the scale of its limit'; fi

printf 'a,b\n1,2\n3,4\n' >"$work/other.csv"
for bad in other.csv missing.csv; do
  if bash "$root/scripts/plot" "$work/$bad" 2>"$work/errors"; then fail "$bad was drawn"; fi
  grep -q "^error: $work/$bad " "$work/errors" || fail "$bad: $(cat "$work/errors")"
done

# Nobody can create a file in /proc, not even root.
if bash "$root/scripts/plot" "$work/hip.csv" /proc >"$work/drawn" 2>"$work/errors"; then fail 'drew a file in /proc'; fi
grep -qx 'error: cannot write to /proc; give another folder: scripts/plot FILE.csv FOLDER.' "$work/errors" ||
  fail "a folder that is not writable: $(cat "$work/errors")"
[ ! -s "$work/drawn" ] || fail "reports files that were not written: $(cat "$work/drawn")"

# Stops: a joint that reaches its upper stop, a joint without stops, and external torques with and without a threshold.
awk 'BEGIN {
  print "time,position:elbow,external:elbow,contact_threshold:elbow,soft_lower:elbow,soft_upper:elbow,position:spin,external:spin,contact_threshold:spin,soft_lower:spin,soft_upper:spin,slides:elbow,slides:spin"
  for (i = 0; i < 100; ++i) print i / 10 "," (i < 50 ? i / 50 : 1) "," (i ? 6 : "") ",8,-2,1," i "," (i ? 1 : "") ",,,,0,0"}' >"$work/stop.csv"
bash "$root/scripts/plot" "$work/stop.csv" "$work/pictures" >"$work/drawn"
for picture in stops external; do
  grep -qx "$work/pictures/stop_$picture.png" "$work/drawn" || fail "stop_$picture.png is not drawn"
done
grep -q '>elbow: 5.0 s at a stop<' "$work/pictures/stop_stops.svg" || fail 'the time at the stop is not shown'
grep -q '>spin (no stops)<' "$work/pictures/stop_stops.svg" || fail 'a joint without stops is not named'
grep -q 'dashed: contact thresholds' "$work/pictures/stop_external.svg" || fail 'thresholds are not shown'
[ ! -e "$work/pictures/run_stops.svg" ] || fail 'a recording without stops has a picture of them'

# One joint: position, torque and external torque.
awk 'BEGIN {
  print "time,position:elbow,command:elbow,effort_limit:elbow,slides:elbow,external:elbow,contact_threshold:elbow,soft_lower:elbow,soft_upper:elbow"
  for (i = 0; i < 100; ++i) print i / 10 "," (i < 50 ? i / 50 : 1) "," 5 * sin(i / 9) ",12,0," (i ? 6 * sin(i / 5) : "") ",8,-2,1"}' >"$work/push.csv"
bash "$root/scripts/plot" "$work/push.csv" --joint elbow >"$work/drawn"
[ "$(cat "$work/drawn")" = "$(printf '%s\n' "$work"/push_elbow.{png,svg})" ] || fail "one joint: $(cat "$work/drawn")"
for axis in 'position \[rad\]' 'torque \[N m\]' 'external torque \[N m\]' 'elbow: 5.0 s at a stop'; do
  grep -q ">$axis<" "$work/push_elbow.svg" || fail "the picture of one joint has no '$axis'"
done
# A torque above its threshold is shown whole.
sed 's/,8,-2,1$/,4,-2,1/' "$work/push.csv" >"$work/hit.csv"
bash "$root/scripts/plot" "$work/hit.csv" --joint elbow >/dev/null
grep -q '> *-\?6<' "$work/hit_elbow.svg" || fail 'a torque above its threshold is cut off'
if bash "$root/scripts/plot" "$work/push.csv" --joint knee 2>"$work/errors"; then fail 'an unknown joint is drawn'; fi
grep -q "has no joint 'knee'; its joints are: elbow" "$work/errors" || fail "unknown joint: $(cat "$work/errors")"
