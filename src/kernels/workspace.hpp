// Intermediate and final results of kernels.
#pragma once

#include <cstddef>
#include <memory>

#include "kernels/compact_model.hpp"

namespace spatial_dynamics::kernels {

/// Memory that starts on a cache line, for the scratch space of kernels; `lanes` states at once.
/// Unused memory only takes address space.
class ScratchMemory {
 public:
  /// Without `with_matrix` there is no memory for the packed mass matrix, which grows with joints x
  /// depth. Allocates.
  ScratchMemory(const CompactModel& model, int lanes, bool with_matrix = true);
  [[nodiscard]] const KernelScratch& scratch() const noexcept { return scratch_; }
  /// Four vectors, each with the size of q or of the unreduced coordinates, whichever is larger,
  /// times lanes.
  [[nodiscard]] double* vector(int i) const noexcept { return vectors_[i]; }
  static constexpr int kVectors = 4;

 private:
  struct Free {
    void operator()(double* memory) const noexcept;
  };
  std::unique_ptr<double[], Free> memory_;
  KernelScratch scratch_;
  double* vectors_[kVectors] = {};
};

/// Results and scratch space of the kernels on one model. The constructor allocates; kernels do
/// not. One Workspace per thread.
struct Workspace {
  /// Without `with_matrix` there is no memory for mass matrices: mass_matrix(), its inverse and
  /// derivatives may not be called, nor forward_dynamics() of a model with mimic joints.
  explicit Workspace(const CompactModel& model, bool with_matrix = true);
  /// Adds that memory. Earlier results stay valid. Allocates.
  void reserve_matrix(const CompactModel& model);
  [[nodiscard]] bool has_matrix() const noexcept { return memory.scratch().packed != nullptr; }

  VectorXd tau;           ///< inverse_dynamics
  VectorXd rigid;         ///< rigid_body_torque
  VectorXd acceleration;  ///< forward_dynamics
  VectorXd bias;          ///< bias_torque
  VectorXd gravity;       ///< gravity_torque
  MatrixXd M;             ///< mass_matrix; uninitialised until computed
  bool singular = false;  ///< forward_dynamics found no unique acceleration and returned zero

  ScratchMemory memory;
  VectorXd external;  ///< 6 per joint: wrenches in compact frames
  VectorXd reduced;   ///< packed mass matrix with mimic joints
  /// The packed matrix and its pivots are the factor of M(factored_q) + diag(factored_added); see
  /// mass_factor.hpp.
  bool factored = false;
  VectorXd factored_q, factored_added;
  VectorXd unlocked;       ///< packed mass matrix before locking; see mass_factor.hpp
  bool has_zeros = false;  ///< M is zero between coordinates on different branches

 private:
  void allocate_matrix(const CompactModel& model);
};

}  // namespace spatial_dynamics::kernels
