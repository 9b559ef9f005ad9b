#include "cli/compute/state_reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spatial_dynamics/model/coordinates.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {

namespace {

using Kind = JsonReader::Kind;

/// Largest error of a quaternion's length. Rounding in the text is accepted, because the algorithms
/// normalise it.
constexpr double kQuaternionTolerance = 1e-3;

void mark_all(std::vector<char>& marks, bool marked) {
  std::fill(marks.begin(), marks.end(), static_cast<char>(marked));
}

}  // namespace

StateReader::StateReader(const Model& model, ModelReport report)
    : model_(model),
      report_(std::move(report)),
      joint_seen_(to_size(model.body_count())),
      link_seen_(to_size(model.link_count())) {
  state_.q.values.setZero(model.nq());
  for (Coordinates* c : {&state_.v, &state_.a, &state_.tau}) c->values.setZero(model.nv());
  state_.wrenches = ExternalForces(model);
}

const State& StateReader::read(std::string_view line) {
  clear();
  json_ = JsonReader(line);
  if (json_.kind() != Kind::kObject) {
    throw InputError("a state must be an object like {\"q\":[...],\"v\":[...],\"a\":[...]}");
  }
  json_.enter_object();
  std::string_view key;
  while (json_.next_member(key)) read_member(key);
  json_.finish();
  complete_contacts();
  choose_default_requests();
  check_requests();
  check_quaternions();
  return state_;
}

void StateReader::clear() {
  for (Coordinates* c : {&state_.q, &state_.v, &state_.a, &state_.tau}) c->given = false;
  state_.v.values.setZero();
  if (wrenches_given_) state_.wrenches.clear();
  state_.contacts.links.clear();
  state_.contacts.contacts.clear();
  state_.ground_friction = kDefaultGroundFriction;
  state_.by_name = false;
  state_.requests.clear();
  for (bool* given : {&want_given_, &wrenches_given_, &contacts_given_, &friction_given_}) {
    *given = false;
  }
}

void StateReader::read_member(std::string_view key) {
  if (key == "q") return read_coordinates("q", Space::kPosition, state_.q);
  if (key == "v") return read_coordinates("v", Space::kVelocity, state_.v);
  if (key == "a") return read_coordinates("a", Space::kVelocity, state_.a);
  if (key == "tau") return read_coordinates("tau", Space::kVelocity, state_.tau);
  if (key == "wrenches") return read_wrenches();
  if (key == "contacts") return read_contact_list();
  if (key == "ground_friction") return read_ground_friction();
  if (key == "want") return read_requests();
  throw InputError("unknown key " + in_quotes(key) +
                   "; a state has q v a tau wrenches contacts ground_friction want");
}

void StateReader::read_array(const Place& place, Index count, double* values) {
  const Index got = read_numbers(json_, place, count, values);
  if (got == count) return;
  std::string what = wrong_count(place, count, got);
  if (place.name.empty()) {
    what += "; `check` lists the joints in order";
    if (model_.has_mimic()) what += ", and mimic joints have no number of their own";
    const Index base = place.member == "q" ? 7 : 6;  // numbers of a floating base
    if (!has_floating_base(model_) && got == count + base) {
      what += "; with --floating-base it has " + std::to_string(got);
    } else if (has_floating_base(model_) && got == count - base) {
      what += "; the first " + std::to_string(base) + " are the floating base's";
    }
  }
  throw InputError(what);
}

void StateReader::read_coordinates(std::string_view member, Space space, Coordinates& coordinates) {
  if (coordinates.given) throw InputError(std::string(member) + " is given twice");
  coordinates.given = true;
  const Kind kind = json_.kind();
  if (kind == Kind::kArray) {
    return read_array({member}, coordinates.values.size(), coordinates.values.data());
  }
  if (kind != Kind::kObject) {
    throw InputError(std::string(member) +
                     " must be an array in coordinate order or an object by joint name");
  }
  state_.by_name = true;
  read_object(member, space, coordinates.values);
}

void StateReader::read_object(std::string_view member, Space space, VectorXd& values) {
  json_.enter_object();
  mark_all(joint_seen_, false);
  std::string_view name;
  while (json_.next_member(name)) {
    const Index i = find_coordinate_joint(member, name);
    if (std::exchange(joint_seen_[to_size(i)], 1) != 0) {
      throw InputError(std::string(member) + " names joint " + in_quotes(name) + " twice");
    }
    const Joint& joint = model_.joint(i);
    const Index count = space == Space::kPosition ? joint.nq : joint.nv;
    double* const slot = &values[space == Space::kPosition ? joint.q_index : joint.v_index];
    if (count == 1) {
      *slot = read_number(json_, {member, name});
    } else {
      read_array({member, name}, count, slot);
    }
  }
  for (const Index i : model_.coordinate_joints()) {
    if (joint_seen_[to_size(i)] != 0) continue;
    throw InputError(std::string(member) + " lacks joint " + in_quotes(model_.joint(i).name) +
                     "; an object must name every joint");
  }
}

Index StateReader::find_coordinate_joint(std::string_view member, std::string_view name) const {
  const Index i = model_.find_joint(name);
  if (i == kNoIndex || model_.joint(i).is_mimic()) fail_unknown_joint(member, name);
  return i;
}

void StateReader::fail_unknown_joint(std::string_view member, std::string_view name) const {
  std::string why = "which is not a moving joint of the robot; `check` lists them";
  if (const Index i = model_.find_joint(name); i != kNoIndex) {
    why = "a mimic joint, which has no coordinate of its own: it follows " +
          in_quotes(model_.joint(model_.joint(i).mimics).name);
  }
  for (const LockedJoint& locked : report_.locked) {
    if (locked.joint == name) why = "which is locked and has no coordinate";
  }
  throw InputError(std::string(member) + " names joint " + in_quotes(name) + ", " + why);
}

void StateReader::read_wrenches() {
  if (std::exchange(wrenches_given_, true)) throw InputError("wrenches is given twice");
  if (json_.kind() != Kind::kObject) {
    throw InputError("wrenches must be an object like {\"LINK\":[fx,fy,fz,tx,ty,tz]}");
  }
  json_.enter_object();
  mark_all(link_seen_, false);
  std::string_view name;
  while (json_.next_member(name)) {
    const Index link = model_.find_link(name);
    if (link == kNoIndex) {
      throw InputError("wrenches names link " + in_quotes(name) +
                       ", which the robot does not have");
    }
    if (std::exchange(link_seen_[to_size(link)], 1) != 0) {
      throw InputError("wrenches names link " + in_quotes(name) + " twice");
    }
    Vector6 numbers;
    read_array({"wrenches", name}, 6, numbers.data());
    state_.wrenches.add(model_, link, Force(numbers.tail<3>(), numbers.head<3>()));
  }
}

void StateReader::read_contact_list() {
  if (std::exchange(contacts_given_, true)) throw InputError("contacts is given twice");
  read_contacts(json_, model_, state_.contacts);
}

void StateReader::read_ground_friction() {
  if (std::exchange(friction_given_, true)) throw InputError("ground_friction is given twice");
  state_.ground_friction = read_number(json_, {"ground_friction"});
  if (state_.ground_friction < 0.0) throw InputError("ground_friction must not be negative");
}

/// A robot with contacts stands still unless an acceleration is given.
void StateReader::complete_contacts() {
  if (friction_given_ && !contacts_given_) throw InputError("ground_friction needs contacts");
  if (!contacts_given_) return;
  if (!state_.q.given) throw InputError("contacts needs q");
  if (std::exchange(state_.a.given, true)) return;
  state_.a.values.setZero();
}

void StateReader::read_requests() {
  if (std::exchange(want_given_, true)) throw InputError("want is given twice");
  if (json_.kind() != Kind::kArray) {
    throw InputError("want must be an array of strings among " + quantity_names());
  }
  json_.enter_array();
  while (json_.next_item()) {
    if (json_.kind() != Kind::kString) {
      throw InputError("want must contain strings among " + quantity_names());
    }
    const RequestedQuantity request = parse_quantity(json_.read_string(), model_);
    std::vector<RequestedQuantity>& requests = state_.requests;
    if (std::find(requests.begin(), requests.end(), request) == requests.end()) {
      requests.push_back(request);
    }
  }
}

void StateReader::choose_default_requests() {
  if (want_given_) return;
  if (contacts_given_) {
    state_.requests.push_back({Quantity::kContactForces});
    state_.requests.push_back({Quantity::kNeededFriction});
  }
  if (state_.a.given) state_.requests.push_back({Quantity::kInverseDynamics});
  if (state_.tau.given) state_.requests.push_back({Quantity::kForwardDynamics});
  if (state_.requests.empty()) {
    throw InputError("nothing to compute: give a (for id), tau (for fd), or a want");
  }
}

void StateReader::check_requests() const {
  for (const RequestedQuantity& request : state_.requests) {
    std::string missing;
    const bool a_or_tau = state_.a.given || state_.tau.given;
    switch (request.quantity) {
      case Quantity::kInverseDynamics:
      case Quantity::kInverseDynamicsDerivatives:
      case Quantity::kRegressor:
        if (!state_.a.given) missing = "a";
        break;
      case Quantity::kForwardDynamics:
      case Quantity::kForwardDynamicsDerivatives:
        if (!state_.tau.given) missing = "tau";
        break;
      case Quantity::kJointWrenches:
        if (!a_or_tau) missing = "a, or tau";
        break;
      case Quantity::kContactForces:
      case Quantity::kNeededFriction:
        if (!contacts_given_) missing = "contacts";
        break;
      default:
        break;
    }
    if (!state_.q.given && model_.nq() > 0) missing = "q";
    if (!missing.empty()) throw InputError(to_string(request, model_) + " needs " + missing);
  }
}

void StateReader::check_quaternions() const {
  if (!state_.q.given) return;
  for (const Index i : model_.coordinate_joints()) {
    const Joint& joint = model_.joint(i);
    if (joint.type != JointType::kFloating) continue;
    const double length = state_.q.values.segment<4>(joint.q_index + 3).norm();
    if (std::abs(length - 1.0) > kQuaternionTolerance) {
      std::string text = "the quaternion of " + in_quotes(joint.name) + " in q has length ";
      append_number(text, length);
      throw InputError(text + ", not 1");
    }
  }
}

}  // namespace spatial_dynamics::cli
