#include "spatial_dynamics/kernels/inverse_dynamics.hpp"

#include "coordinates.hpp"

namespace spatial_dynamics {

const VectorXd& inverse_dynamics(const CompactModel& model, Workspace& workspace, VectorIn q,
                                 VectorIn v, VectorIn a, const Force* external) noexcept {
  assert(q.size() == model.nq());
  const ScratchMemory& memory = workspace.memory;
  const KernelState state{q.data(), to_own(model, v, memory.vector(0)),
                          to_own(model, a, memory.vector(1)), to_own(model, workspace, external)};
  double* tau = own_room(model, workspace.tau, memory.vector(2));
  model.kernels().inverse_dynamics(model.layout(), memory.scratch(), state, tau);
  from_own(model, tau, workspace.tau);
  return workspace.tau;
}

const VectorXd& bias_torque(const CompactModel& model, Workspace& workspace, VectorIn q,
                            VectorIn v) noexcept {
  assert(q.size() == model.nq());
  const ScratchMemory& memory = workspace.memory;
  const KernelState state{q.data(), to_own(model, v, memory.vector(0)), nullptr, nullptr};
  double* tau = own_room(model, workspace.bias, memory.vector(2));
  model.kernels().bias_torque(model.layout(), memory.scratch(), state, tau);
  from_own(model, tau, workspace.bias);
  return workspace.bias;
}

const VectorXd& gravity_torque(const CompactModel& model, Workspace& workspace,
                               VectorIn q) noexcept {
  assert(q.size() == model.nq());
  const ScratchMemory& memory = workspace.memory;
  double* tau = own_room(model, workspace.gravity, memory.vector(2));
  model.kernels().gravity_torque(model.layout(), memory.scratch(), q.data(), tau);
  from_own(model, tau, workspace.gravity);
  return workspace.gravity;
}

}  // namespace spatial_dynamics
