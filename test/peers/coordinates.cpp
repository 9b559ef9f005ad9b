#include "peers/coordinates.hpp"

#include <sstream>
#include <stdexcept>

namespace spatial_dynamics::peers {
namespace {

/// position = ratio * leader's + offset, through chains.
struct Follower {
  std::string leader;
  double ratio = 1.0;
  double offset = 0.0;
};

Follower resolve(const Robot& robot, const JointDescription& joint) {
  if (!joint.mimic) return {joint.name, 1.0, 0.0};
  for (const JointDescription& other : robot.joints) {
    if (other.name != joint.mimic->joint) continue;
    const Follower next = resolve(robot, other);
    return {next.leader, joint.mimic->multiplier * next.ratio,
            joint.mimic->multiplier * next.offset + joint.mimic->offset};
  }
  throw std::runtime_error("nothing to mimic: " + joint.mimic->joint);
}

}  // namespace

std::vector<Slot> assign_slots(const Robot& robot, Index& nq, Index& nv) {
  std::vector<Slot> slots;
  nq = nv = 0;
  for (const JointDescription& joint : robot.joints) {
    slots.push_back({nq, nv});
    nq += position_count(joint.type);
    nv += velocity_count(joint.type);
  }
  return slots;
}

Coordinates::Coordinates(const Robot& robot, const Model& model) {
  Index nq = 0;
  Index nv = 0;
  slots_ = assign_slots(robot, nq, nv);
  friction_ = VectorXd::Zero(nv);
  P_ = MatrixXd::Zero(nq, model.nq());
  offset_ = VectorXd::Zero(nq);
  G_ = MatrixXd::Zero(nv, model.nv());
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const JointDescription& joint = robot.joints[j];
    if (joint.type == JointType::kFixed) continue;
    const Slot slot = slots_[j];
    const Follower follower = resolve(robot, joint);
    const Index index = model.find_joint(follower.leader);
    if (index == kNoIndex) throw std::runtime_error("the model lacks " + follower.leader);
    const Joint& leader = model.joint(index);
    const Index size_q = position_count(joint.type);
    const Index size_v = velocity_count(joint.type);
    P_.block(slot.q, leader.q_index, size_q, size_q).diagonal().setConstant(follower.ratio);
    G_.block(slot.v, leader.v_index, size_v, size_v).diagonal().setConstant(follower.ratio);
    offset_.segment(slot.q, size_q).setConstant(follower.offset);
    friction_.segment(slot.v, size_v).setConstant(joint.friction);
  }
}

VectorXd Coordinates::coulomb_friction(const VectorXd& v_full, double friction_speed) const {
  return friction_.array() * (v_full.array() / friction_speed).tanh();
}

bool agree(const MatrixXd& ours, const MatrixXd& theirs, double tolerance) {
  if (ours.rows() != theirs.rows() || ours.cols() != theirs.cols()) return false;
  if (ours.size() == 0) return true;
  const double scale = std::max(theirs.cwiseAbs().maxCoeff(), 1e-3);
  return ours.allFinite() && (ours - theirs).cwiseAbs().maxCoeff() <= tolerance * scale;
}

std::string difference_text(const MatrixXd& ours, const MatrixXd& theirs) {
  std::ostringstream text;
  text << "ours " << ours.rows() << " x " << ours.cols() << ", theirs " << theirs.rows() << " x "
       << theirs.cols();
  if (ours.rows() == theirs.rows() && ours.cols() == theirs.cols() && ours.size() > 0) {
    Index row = 0;
    Index col = 0;
    const double worst = (ours - theirs).cwiseAbs().maxCoeff(&row, &col);
    text << "; differ most at (" << row << ", " << col << ") by " << worst << ": ours "
         << ours(row, col) << ", theirs " << theirs(row, col) << ", largest of theirs "
         << theirs.cwiseAbs().maxCoeff();
  }
  return text.str();
}

}  // namespace spatial_dynamics::peers
