#include "kernels/inverse_dynamics.hpp"

#include <algorithm>

#include "coordinates.hpp"

namespace spatial_dynamics::kernels {

const VectorXd& inverse_dynamics(const CompactModel& model, Workspace& workspace, VectorIn q,
                                 VectorIn v, VectorIn a, const Force* external) noexcept {
  assert(q.size() == model.nq());
  const ScratchMemory& memory = workspace.memory;
  const KernelState state{q.data(), to_unreduced(model, v, memory.vector(0)),
                          to_unreduced(model, a, memory.vector(1)),
                          to_compact_frames(model, workspace, external)};
  double* tau = unreduced_buffer(model, workspace.tau, memory.vector(2));
  model.kernels().inverse_dynamics(model.layout(), memory.scratch(), state, tau);
  from_unreduced(model, tau, workspace.tau);
  return workspace.tau;
}

const VectorXd& rigid_body_torque(const CompactModel& model, Workspace& workspace, VectorIn q,
                                  VectorIn v, VectorIn a, const Force* external) noexcept {
  assert(q.size() == model.nq());
  const ScratchMemory& memory = workspace.memory;
  const KernelState state{q.data(), to_unreduced(model, v, memory.vector(0)),
                          to_unreduced(model, a, memory.vector(1)),
                          to_compact_frames(model, workspace, external)};
  double* tau = unreduced_buffer(model, workspace.rigid, memory.vector(2));
  model.kernels().rigid_body_torque(model.layout(), memory.scratch(), state, tau);
  from_unreduced(model, tau, workspace.rigid);
  return workspace.rigid;
}

const VectorXd& bias_torque(const CompactModel& model, Workspace& workspace, VectorIn q, VectorIn v,
                            const Force* external) noexcept {
  assert(q.size() == model.nq());
  const ScratchMemory& memory = workspace.memory;
  const KernelState state{q.data(), to_unreduced(model, v, memory.vector(0)), nullptr,
                          to_compact_frames(model, workspace, external)};
  double* tau = unreduced_buffer(model, workspace.bias, memory.vector(2));
  model.kernels().bias_torque(model.layout(), memory.scratch(), state, tau);
  from_unreduced(model, tau, workspace.bias);
  return workspace.bias;
}

const VectorXd& gravity_torque(const CompactModel& model, Workspace& workspace,
                               VectorIn q) noexcept {
  assert(q.size() == model.nq());
  const ScratchMemory& memory = workspace.memory;
  double* tau = unreduced_buffer(model, workspace.gravity, memory.vector(2));
  model.kernels().gravity_torque(model.layout(), memory.scratch(), q.data(), tau);
  from_unreduced(model, tau, workspace.gravity);
  return workspace.gravity;
}

const VectorXd& gravity_torque(const CompactModel& model, Workspace& workspace, VectorIn q,
                               const Force* external) noexcept {
  assert(q.size() == model.nq());
  const ScratchMemory& memory = workspace.memory;
  double* at_rest = memory.vector(0);
  std::fill_n(at_rest, model.layout().coordinates, 0.0);
  const KernelState state{q.data(), at_rest, nullptr,
                          to_compact_frames(model, workspace, external)};
  double* tau = unreduced_buffer(model, workspace.gravity, memory.vector(2));
  model.kernels().bias_torque(model.layout(), memory.scratch(), state, tau);
  from_unreduced(model, tau, workspace.gravity);
  return workspace.gravity;
}

}  // namespace spatial_dynamics::kernels
