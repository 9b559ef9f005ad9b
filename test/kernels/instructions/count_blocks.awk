# The number of executed instructions, from qemu's log with -d nochain,in_asm,exec: it prints each
# block of instructions when it is translated, and a line "Trace" whenever the block is executed.
function without_zeros(text) { sub(/^(0x)?0*/, "", text); return text }
/^IN:/ { start = "" }
/^0x[0-9a-f]+:/ {
  address = substr($1, 1, length($1) - 1)
  if (start == "") { start = without_zeros(address); length_of[start] = 0 }
  ++length_of[start]
}
/^Trace/ { split($0, part, "/"); sum += length_of[without_zeros(part[2])] }
END { printf "%d\n", sum }
