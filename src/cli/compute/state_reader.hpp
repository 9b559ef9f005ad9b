// Reads a state of the robot from one line of JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/compute/contact_reader.hpp"
#include "cli/compute/number_reader.hpp"
#include "cli/compute/quantity.hpp"
#include "spatial_dynamics/model/model_report.hpp"
#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::cli {

/// Numbers in coordinate order, if given.
struct Coordinates {
  VectorXd values;
  bool given = false;
};

/// A checked line of input.
struct State {
  Coordinates q;    ///< nq numbers, quaternions of nearly unit length
  Coordinates v;    ///< nv numbers, zero if not given
  Coordinates a;    ///< nv numbers; zero if contacts are given, but no acceleration
  Coordinates tau;  ///< nv numbers
  ExternalForces wrenches;
  ContactList contacts;  ///< empty if not given
  double ground_friction = kDefaultGroundFriction;
  bool by_name = false;                     ///< write the answer by joint name
  std::vector<RequestedQuantity> requests;  ///< each once, in order; all their inputs are given
};

/// Reads states of one robot, always into the same memory.
class StateReader {
 public:
  /// The model must outlive the reader.
  StateReader(const Model& model, ModelReport report);

  /// Throws InputError that names the problem. The state is valid until the next call.
  const State& read(std::string_view line);

 private:
  enum class Space { kPosition, kVelocity };
  void clear();
  void read_member(std::string_view key);
  void read_coordinates(std::string_view member, Space space, Coordinates& coordinates);
  void read_object(std::string_view member, Space space, VectorXd& values);
  void read_wrenches();
  void read_contact_list();
  void read_ground_friction();
  void complete_contacts();
  void read_requests();
  void read_array(const Place& place, Index count, double* values);
  [[nodiscard]] Index find_coordinate_joint(std::string_view member, std::string_view name) const;
  [[noreturn]] void fail_unknown_joint(std::string_view member, std::string_view name) const;
  void choose_default_requests();
  void check_requests() const;
  void check_quaternions() const;

  const Model& model_;
  ModelReport report_;
  JsonReader json_{""};
  State state_;
  bool want_given_ = false;
  bool wrenches_given_ = false;
  bool contacts_given_ = false;
  bool friction_given_ = false;
  std::vector<char> joint_seen_;  // by joint: named in the object being read
  std::vector<char> link_seen_;   // by link: likewise
};

}  // namespace spatial_dynamics::cli
