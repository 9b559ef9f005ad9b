// From one line of JSON to a state of the robot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json_reader.hpp"
#include "spatial_dynamics/algorithms/data.hpp"
#include "spatial_dynamics/model/model_report.hpp"
#include "want.hpp"

namespace spatial_dynamics::cli {

/// Numbers in coordinate order, if they were given.
struct Coordinates {
  VectorXd values;
  bool given = false;
};

/// A line of input, understood and checked.
struct State {
  Coordinates q;    ///< nq numbers, quaternions of nearly unit length
  Coordinates v;    ///< nv numbers, zero where not given
  Coordinates a;    ///< nv numbers
  Coordinates tau;  ///< nv numbers
  ExternalForces wrenches;
  bool by_name = false;     ///< the answer names joints
  std::vector<Want> wants;  ///< each once, in the order asked for; none lacks what it needs
};

/// Reads states of one robot, over and over into the same memory.
class StateReader {
 public:
  /// The model must outlive the reader.
  StateReader(const Model& model, ModelReport report);

  /// Throws InputError, whose sentence names what is wrong. The state is valid until the next call.
  const State& read(std::string_view line);

 private:
  enum class Space { kPosition, kVelocity };
  /// Where in a line a number stands, for messages: "q[2]", "v of 'elbow'", "wrenches of 'hand'[5]".
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
  void read_wants();
  void read_array(Place place, Index count, double* values);
  double read_number(const Place& place);
  [[nodiscard]] Index find_coordinate_joint(std::string_view member, std::string_view name) const;
  [[noreturn]] void fail_unknown_joint(std::string_view member, std::string_view name) const;
  void choose_wants();
  void check_wants() const;
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
