// What to say of a SPATIAL_DYNAMICS_ISA that can't be obeyed.
#pragma once

#include <string>

namespace spatial_dynamics {

/// "SPATIAL_DYNAMICS_ISA=foo is not one of …; using x86-64-v3" if the environment variable names nothing that this machine can run;
/// empty if it does, or is empty or not set. The library prints nothing: who has a log says it there, once. Allocates.
std::string isa_remark();

}  // namespace spatial_dynamics
