#include "dds/simulator_node.hpp"

#include <utility>

#include "dds/node_log.hpp"
#include "dds/translate.hpp"
#include "spatial_dynamics/runtime/clock.hpp"
#include "spatial_dynamics/runtime/robot_source.hpp"

namespace spatial_dynamics::dds {

SimulatorNode::SimulatorNode(SimulatorNodeOptions options)
    : log_(std::move(options.log)), node_(with_events(std::move(options.node), log_)) {
  core_ =
      std::make_unique<SimulatorCore>(static_cast<SimulatorFrontEnd&>(*this), options.parameters);
  const SimulatorConfig& config = core_->config();
  for (const std::string& warning : node_.warnings()) log_(LogLevel::kWarning, warning);
  const bool has_robot =
      set_configured_robot(config, [this](std::string_view urdf) { core_->set_robot(urdf); });
  states_.emplace(node_.advertise<JointState>("joint_states", kDefaultQos));
  if (config.floating_base) odometry_.emplace(node_.advertise<Odometry>("odom", kDefaultQos));
  if (config.publish_clock) clock_.emplace(node_.advertise<Clock>("/clock", kDefaultQos));
  core_->start();
  if (!has_robot) {
    description_reader_.emplace(
        node_.subscribe<String>("robot_description", kDescriptionQos, [this](const String& m) {
          try {
            core_->set_robot(text(m.data));
          } catch (const std::exception& error) {
            log_(LogLevel::kError, std::string("robot_description refused: ") + error.what());
          }
        }));
  }
  effort_reader_.emplace(
      node_.subscribe<JointState>("dynamics/torque", kCommandQos,
                                  [this](const JointState& m) { core_->on_effort(translate(m)); }));
}

SimulatorNode::~SimulatorNode() { core_->stop(); }

void SimulatorNode::publish(const Engine& robot, const Measurement& measurement, std::int64_t stamp,
                            std::int64_t clock) {
  const std::vector<ScalarCoordinate>& coordinates = robot.coordinates();
  JointState& m = *state_;
  m.header.stamp = from_nanoseconds(stamp);
  assign(m.header.frame_id, "");
  names_.resize(coordinates.size());
  for (std::size_t k = 0; k < coordinates.size(); ++k) names_[k] = coordinates[k].name;
  assign(m.name, names_);
  const auto gather = [&](const VectorXd& full, Index ScalarCoordinate::*index) {
    scratch_.clear();
    for (const ScalarCoordinate& c : coordinates) scratch_.push_back(full(c.*index));
    return scratch_;
  };
  assign(m.position, gather(measurement.q, &ScalarCoordinate::q));
  assign(m.velocity, gather(measurement.v, &ScalarCoordinate::v));
  assign(m.effort, gather(measurement.effort, &ScalarCoordinate::v));
  bool sent = states_->write(m);
  if (odometry_) write_odometry(robot, measurement, stamp);
  if (clock_) {
    clock_message_->clock = from_nanoseconds(clock);
    sent = clock_->write(*clock_message_) && sent;
  }
  if (!sent) note_unsent();
}

void SimulatorNode::write_odometry(const Engine& robot, const Measurement& measurement,
                                   std::int64_t stamp) {
  Odometry& m = *odometry_message_;
  m.header.stamp = from_nanoseconds(stamp);
  assign(m.header.frame_id, "world");
  assign(m.child_frame_id, robot.model().link(0).name);
  const VectorXd& q = measurement.q;
  const VectorXd& v = measurement.v;
  m.pose.pose.position = {q(0), q(1), q(2)};
  m.pose.pose.orientation = {q(3), q(4), q(5), q(6)};
  assign(m.twist.twist.angular, Vector3(v.head<3>()));
  assign(m.twist.twist.linear, Vector3(v.segment<3>(3)));
  if (!odometry_->write(m)) note_unsent();
}

void SimulatorNode::note_unsent() {
  const std::string line = unsent_.pass("the middleware refused a message", steady_now_ns());
  if (!line.empty()) log_(LogLevel::kWarning, line);
}

}  // namespace spatial_dynamics::dds
