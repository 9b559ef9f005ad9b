// Converts the coordinates of a Model to those of a peer, which has coordinates for every moving
// joint.
#pragma once

#include "peers/robot.hpp"

namespace spatial_dynamics::peers {

/// A wrench on a link (index into Robot::links), in the link's frame at its origin.
struct LinkWrench {
  std::size_t link;
  Force wrench;
};

/// The position of the numbers of joint j (index into Robot::joints) among those of all moving
/// joints.
struct Slot {
  Index q = 0;
  Index v = 0;
};

/// "Full" vectors have the numbers of all moving joints, including mimic joints, in the order of
/// Robot::joints. With v_full = G v, a peer's torques and matrices reduce to G' tau_full and G'
/// M_full G.
class Coordinates {
 public:
  Coordinates(const Robot& robot, const Model& model);

  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  [[nodiscard]] VectorXd expand_position(const VectorXd& q) const { return P_ * q + offset_; }
  [[nodiscard]] const MatrixXd& G() const { return G_; }
  /// Coulomb friction of every joint, as the model defines it: friction * tanh(v / friction_speed).
  [[nodiscard]] VectorXd coulomb_friction(const VectorXd& v_full, double friction_speed) const;

 private:
  std::vector<Slot> slots_;
  VectorXd friction_;
  MatrixXd P_;
  VectorXd offset_;
  MatrixXd G_;
};

/// The slots of all joints of a robot, and the total sizes.
std::vector<Slot> assign_slots(const Robot& robot, Index& nq, Index& nv);

/// True if |ours - theirs| is within `tolerance` of the largest component (or of 1e-3, if all
/// components are smaller).
[[nodiscard]] bool agree(const MatrixXd& ours, const MatrixXd& theirs, double tolerance = 1e-9);
/// A text with the difference, for the message of a failure.
std::string difference_text(const MatrixXd& ours, const MatrixXd& theirs);

}  // namespace spatial_dynamics::peers
