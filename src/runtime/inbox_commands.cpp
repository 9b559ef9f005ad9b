// Commands: references, efforts, wrenches, payloads, gravity. A bad one is dropped whole; the last good one stays.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "spatial_dynamics/model/model.hpp"
#include "spatial_dynamics/runtime/clock.hpp"
#include "spatial_dynamics/runtime/inbox.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::int64_t kFarthestStart =
    3600 * kNanosecondsPerSecond;  // a trajectory that starts later is a mistake in the clock
constexpr std::size_t kMostPoints = 100'000;
constexpr std::ptrdiff_t kMostLater = 100;  // trajectories of the future, per joint
constexpr double kAbsurdCommand = 1e9;

bool plausible(double x) noexcept { return std::abs(x) <= kAbsurdCommand; }  // false for NaN
bool plausible(const Vector3& x) noexcept {
  return x.allFinite() && x.array().abs().maxCoeff() <= kAbsurdCommand;
}
bool plausible(const NumberView& numbers) noexcept {
  return std::all_of(numbers.data, numbers.data + numbers.size,
                     [](double x) { return plausible(x); });
}

/// All points carry the same parts, each for every name, at growing times.
Oddity check_points(const TrajectoryView& message) noexcept {
  const std::size_t n = message.names.size();
  const std::vector<TrajectoryPointView>& points = message.points;
  if (points.empty()) return Oddity::kLengthMismatch;
  if (points.size() > kMostPoints) return Oddity::kTooLarge;
  const TrajectoryPointView& first = points.front();
  const bool trajectory = points.size() > 1 || first.time_from_start > 0;
  if (trajectory && first.positions.empty()) return Oddity::kLengthMismatch;
  std::int64_t before = -1;
  for (const TrajectoryPointView& p : points) {
    if (!p.positions.fits(n) || !p.velocities.fits(n) || !p.accelerations.fits(n) ||
        !p.effort.fits(n)) {
      return Oddity::kLengthMismatch;
    }
    if (p.positions.size != first.positions.size || p.velocities.size != first.velocities.size ||
        p.accelerations.size != first.accelerations.size || p.effort.size != first.effort.size) {
      return Oddity::kLengthMismatch;
    }
    if (!plausible(p.positions) || !plausible(p.velocities) || !plausible(p.accelerations) ||
        !plausible(p.effort)) {
      return Oddity::kBadNumber;
    }
    if (p.time_from_start <= before) return Oddity::kBadTimes;
    before = p.time_from_start;
  }
  return Oddity::kNone;
}

Knot knot_of(const TrajectoryPointView& point, std::size_t i) noexcept {
  const auto at = [i](const NumberView& numbers) { return numbers.empty() ? 0.0 : numbers[i]; };
  return {to_seconds(point.time_from_start), at(point.positions), at(point.velocities),
          at(point.accelerations), at(point.effort)};
}

void fill_knots(const TrajectoryView& message, std::size_t i, JointReference& reference) {
  const TrajectoryPointView& first = message.points.front();
  reference.has_position = !first.positions.empty();
  reference.has_velocity = !first.velocities.empty();
  reference.has_acceleration = !first.accelerations.empty();
  reference.has_effort = !first.effort.empty();
  reference.knots.clear();
  for (const TrajectoryPointView& point : message.points) {
    reference.knots.push_back(knot_of(point, i));
  }
}

/// Where a reference that starts at `start` is to be put. What would come after its start gives way to it; what has begun before
/// goes on until then.
JointReference& make_room(JointReference& first, std::int64_t now, std::int64_t start) {
  std::vector<JointReference>& later = first.later;
  later.erase(std::find_if(later.begin(), later.end(),
                           [start](const JointReference& r) { return r.start >= start; }),
              later.end());
  while (!later.empty() && later.front().start <= now) {  // it is at work: all before it has ended
    JointReference next = std::move(later.front());
    next.later.assign(std::make_move_iterator(later.begin() + 1),
                      std::make_move_iterator(later.end()));
    first = std::move(next);
  }
  if (start <= now) {
    later.clear();
    return first;
  }
  return later.emplace_back();
}

template <typename Entry>
Entry& entry_of(std::vector<Entry>& entries, Index link) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [link](const Entry& entry) { return entry.link == link; });
  if (found != entries.end()) return *found;
  entries.emplace_back();
  entries.back().link = link;
  return entries.back();
}

Index find_name(const std::vector<std::string>& names, std::string_view name) noexcept {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? kNoIndex : static_cast<Index>(found - names.begin());
}

}  // namespace

Oddity Inbox::on_reference(const TrajectoryView& message, std::int64_t now, std::int64_t ros_now) {
  const std::lock_guard<std::mutex> lock(callbacks_);
  const NameMap& map = map_names(reference_names_, message.names);
  if (map.oddity != Oddity::kNone) return noted(map.oddity);
  if (std::find(map.index.begin(), map.index.end(), kNoIndex) != map.index.end()) {
    return noted(Oddity::kUnknownJoint);
  }
  const Oddity oddity = check_points(message);
  if (oddity != Oddity::kNone) return noted(oddity);
  const bool immediate = message.points.size() == 1 && message.points.front().time_from_start == 0;
  const bool stamped = !immediate && message.stamp != 0;
  if (stamped && ros_now == 0) return noted(Oddity::kNoClock);
  const std::int64_t delay = stamped ? message.stamp - ros_now : 0;
  const bool over = delay + message.points.back().time_from_start < 0;
  if (std::abs(delay) > kFarthestStart || over) return noted(Oddity::kBadTimes);

  for (const Index k : map.index) {
    const auto& later = merged_references_.joints[static_cast<std::size_t>(k)].later;
    const auto waits = [&](const JointReference& r) {
      return r.start > now && r.start < now + delay;
    };
    if (std::count_if(later.begin(), later.end(), waits) >= kMostLater) {
      return noted(Oddity::kTooLarge);
    }
  }
  ++generation_;
  for (std::size_t i = 0; i < map.index.size(); ++i) {
    JointReference& first = merged_references_.joints[static_cast<std::size_t>(map.index[i])];
    JointReference& reference = make_room(first, now, now + delay);
    reference.generation = generation_;
    reference.received = now;
    reference.start = now + delay;
    reference.immediate = immediate;
    reference.starts_on_arrival = !stamped;
    fill_knots(message, i, reference);
  }
  references_.write_slot() = merged_references_;
  references_.publish();
  return Oddity::kNone;
}

Oddity Inbox::on_effort_command(const JointStateView& message, std::int64_t now) {
  const std::lock_guard<std::mutex> lock(callbacks_);
  const NameMap& map = map_names(effort_names_, message.names);
  if (map.oddity != Oddity::kNone) return noted(map.oddity);
  if (message.effort.size != message.names.size()) return noted(Oddity::kLengthMismatch);
  if (!plausible(message.effort)) return noted(Oddity::kBadNumber);
  if (std::find(map.index.begin(), map.index.end(), kNoIndex) != map.index.end()) {
    return noted(Oddity::kUnknownJoint);
  }
  for (std::size_t i = 0; i < map.index.size(); ++i) {
    const auto k = static_cast<std::size_t>(map.index[i]);
    merged_effort_.effort(coordinates_[k].v) = message.effort[i];
    merged_effort_.received[k] = now;
  }
  effort_command_.write_slot() = merged_effort_;
  effort_command_.publish();
  return Oddity::kNone;
}

Oddity Inbox::on_wrench(const WrenchView& message, std::int64_t now) {
  const std::lock_guard<std::mutex> lock(callbacks_);
  const Index link = find_name(link_names_, message.frame_id);
  if (link == kNoIndex) return noted(Oddity::kUnknownLink);
  if (!plausible(message.force) || !plausible(message.torque)) return noted(Oddity::kBadNumber);
  LinkWrench& entry = entry_of(merged_wrenches_.links, link);
  entry.wrench = Force(message.torque, message.force);
  entry.received = now;
  wrenches_.write_slot() = merged_wrenches_;
  wrenches_.publish();
  return Oddity::kNone;
}

Oddity Inbox::on_payload(const PayloadView& message) {
  const std::lock_guard<std::mutex> lock(callbacks_);
  const Index link = find_name(link_names_, message.frame_id);
  if (link == kNoIndex) return noted(Oddity::kUnknownLink);
  const bool plausible_tensor =
      message.inertia_about_com.allFinite() &&
      message.inertia_about_com.array().abs().maxCoeff() <= kAbsurdCommand;
  if (!plausible(message.mass) || !plausible(message.com) || !plausible_tensor) {
    return noted(Oddity::kBadNumber);
  }
  const InertiaValidity validity = check_inertia(message.inertia_about_com);
  const bool massless = message.mass == 0.0 && message.inertia_about_com.isZero(0.0);
  const bool physical =
      message.mass > 0.0 && validity.positive_semidefinite && validity.triangle_inequality;
  if (!massless && !physical) return noted(Oddity::kBadPayload);
  if (!link_moves_[static_cast<std::size_t>(link)]) return noted(Oddity::kFixedPayload);
  LinkPayload& entry = entry_of(merged_payloads_.links, link);
  entry.inertia = Inertia::from_com(message.mass, message.com, message.inertia_about_com);
  ++merged_payloads_.generation;
  payloads_.write_slot() = merged_payloads_;
  payloads_.publish();
  return Oddity::kNone;
}

Oddity Inbox::on_gravity(const GravityView& message) {
  const std::lock_guard<std::mutex> lock(callbacks_);
  const bool root = message.frame_id.empty() || message.frame_id == link_names_.front();
  if (!root) return noted(Oddity::kUnknownLink);
  constexpr double kStrongest = 1000.0;  // m/s^2: a hundred times the earth's
  if (!message.vector.allFinite() || message.vector.norm() > kStrongest) {
    return noted(Oddity::kBadNumber);
  }
  // The model wants it in the world's frame, in which a root that is fixed does not turn.
  Vector3 in_world = message.vector;
  if (floating_base_) {
    if (merged_states_.base_received == 0) return noted(Oddity::kNoBasePose);
    in_world = Eigen::Quaterniond(merged_states_.q.segment<4>(3)) * message.vector;
  }
  merged_gravity_ = Gravity{in_world, ++generation_};
  gravity_.write_slot() = merged_gravity_;
  gravity_.publish();
  return Oddity::kNone;
}

}  // namespace spatial_dynamics
