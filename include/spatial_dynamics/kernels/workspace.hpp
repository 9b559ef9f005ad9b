// Where kernels keep their intermediate and final results.
#pragma once

#include <cstddef>
#include <memory>

#include "spatial_dynamics/kernels/compact_model.hpp"

namespace spatial_dynamics {

/// Memory that starts on a cache line, for the scratch space of kernels; `lanes` states at once. Memory that is never used costs
/// address space alone.
class ScratchMemory {
 public:
  ScratchMemory(const CompactModel& model, int lanes);  ///< Allocates.
  [[nodiscard]] const KernelScratch& scratch() const noexcept { return scratch_; }
  /// Four vectors of as many numbers (times lanes) as there are own coordinates or entries of q, whichever is more.
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

/// Results and scratch space of the kernels on one model. Construct once (allocates), then every kernel is free of allocation.
/// One Workspace per thread.
struct Workspace {
  explicit Workspace(const CompactModel& model);

  VectorXd tau;           ///< inverse_dynamics
  VectorXd acceleration;  ///< forward_dynamics
  VectorXd bias;          ///< bias_torque
  VectorXd gravity;       ///< gravity_torque
  MatrixXd M;             ///< mass_matrix; uninitialised until asked for
  bool singular = false;  ///< forward_dynamics found no unique acceleration, and answered zero

  ScratchMemory memory;
  VectorXd external;       ///< 6 a joint: wrenches in compact frames
  VectorXd reduced;        ///< packed mass matrix with mimic joints
  bool has_zeros = false;  ///< M is zero between coordinates on different branches
};

}  // namespace spatial_dynamics
