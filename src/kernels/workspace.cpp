#include "kernels/workspace.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace spatial_dynamics::kernels {
namespace {

constexpr std::size_t kCacheLine = 64;

}  // namespace

void ScratchMemory::Free::operator()(double* memory) const noexcept { std::free(memory); }

ScratchMemory::ScratchMemory(const CompactModel& model, int lanes, bool with_matrix) {
  const CompactLayout& m = model.layout();
  const auto joints = static_cast<std::size_t>(m.joints);
  const auto rounded_to_four = [](std::size_t count) { return (count + 3) / 4 * 4; };
  const std::size_t padded = rounded_to_four(joints);
  const std::size_t path = rounded_to_four(static_cast<std::size_t>(m.path_length));
  const auto unreduced = static_cast<std::size_t>(m.coordinates);
  const std::size_t widest = std::max(unreduced, static_cast<std::size_t>(model.nq()));
  const std::pair<double**, std::size_t> parts[] = {
      {&scratch_.angle, padded},
      {&scratch_.sine, padded},
      {&scratch_.cosine, padded},
      {&scratch_.wrench, 6 * joints},
      {&scratch_.place, 3 * joints},
      {&scratch_.motion, 9 * std::max(joints + 1, padded)},
      {&scratch_.pose, 12 * (joints + 1)},
      {&scratch_.composite, 10 * joints},
      {&scratch_.column, 6 * unreduced},
      {&scratch_.pivot, unreduced},
      {&scratch_.torque, unreduced},
      {&vectors_[0], widest},
      {&vectors_[1], widest},
      {&vectors_[2], widest},
      {&vectors_[3], widest},
      {&scratch_.rotation, 9 * joints},
      {&scratch_.gain, 8 * unreduced},
      {&scratch_.articulated, 21 * joints},
      {&scratch_.derivative_link, 32 * joints},
      {&scratch_.derivative_motion, 32 * unreduced},
      {&scratch_.derivative_sum, 28 * padded},
      {&scratch_.derivative_loads, 21 * rounded_to_four(unreduced)},
      {&scratch_.packed, with_matrix ? static_cast<std::size_t>(model.packed_size()) + path : 0}};
  constexpr std::size_t kLine = kCacheLine / sizeof(double);
  std::size_t total = 0;
  const auto rounded = [lanes](std::size_t count) {
    return (count * static_cast<std::size_t>(lanes) + kLine - 1) / kLine * kLine;
  };
  for (const auto& [where, count] : parts) total += rounded(count);
  void* memory = std::aligned_alloc(kCacheLine, std::max(total, kLine) * sizeof(double));
  if (memory == nullptr) throw std::bad_alloc();
  memory_.reset(static_cast<double*>(memory));
  double* next = memory_.get();
  for (const auto& [where, count] : parts) {
    *where = next;
    next += rounded(count);
  }
  if (!with_matrix) scratch_.packed = nullptr;
  // The padding angles after the last joint are computed with the others, and must be numbers.
  std::fill_n(scratch_.angle, rounded(padded), 0.0);
}

Workspace::Workspace(const CompactModel& model, bool with_matrix)
    : tau(VectorXd::Zero(model.nv())),
      rigid(VectorXd::Zero(model.nv())),
      acceleration(VectorXd::Zero(model.nv())),
      bias(VectorXd::Zero(model.nv())),
      gravity(VectorXd::Zero(model.nv())),
      memory(model, 1, with_matrix),
      external(VectorXd::Zero(6 * (model.body_count() - 1))),
      matrix_q(VectorXd::Zero(model.nq())),
      added(VectorXd::Zero(model.nv())) {
  discard_matrix();
  if (with_matrix) allocate_matrix(model);
}

void Workspace::reserve_matrix(const CompactModel& model) {
  if (has_matrix()) return;
  memory = ScratchMemory(model, 1);
  allocate_matrix(model);
}

void Workspace::allocate_matrix(const CompactModel& model) {
  M.resize(model.nv(), model.nv());
  reduced = VectorXd::Zero(model.reduced_size());
  matrix = VectorXd::Zero(model.reduced() ? model.reduced_size() : model.packed_size());
}

}  // namespace spatial_dynamics::kernels
