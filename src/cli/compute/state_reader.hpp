// Reads a state of the robot from one line of JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/compute/json_reader.hpp"
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
  Coordinates a;    ///< nv numbers
  Coordinates tau;  ///< nv numbers
  ExternalForces wrenches;
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
  /// The place of a number in the line, for messages: "q[2]", "v of 'elbow'", "wrenches of
  /// 'hand'[5]".
  struct Place {
    std::string_view member;
    std::string_view name = {};
    Index item = kNoIndex;
    [[nodiscard]] std::string text() const;
  };

  void clear();
  void read_member(std::string_view key);
  void read_coordinates(std::string_view member, Space space, Coordinates& coordinates);
  void read_object(std::string_view member, Space space, VectorXd& values);
  void read_wrenches();
  void read_requests();
  void read_array(Place place, Index count, double* values);
  double read_number(const Place& place);
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
  std::vector<char> joint_seen_;  // by joint: named in the object being read
  std::vector<char> link_seen_;   // by link: likewise
};

}  // namespace spatial_dynamics::cli
