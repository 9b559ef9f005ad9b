// Parameters: the rows of a table that describes them, and sets of values for a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "spatial_dynamics/control/control_settings.hpp"

namespace spatial_dynamics {

using ParameterValue = std::variant<bool, std::int64_t, double, std::string, std::vector<double>,
                                    std::vector<std::string>>;

/// The alternatives of ParameterValue, in their order.
enum class ParameterType { kBool, kInteger, kNumber, kText, kNumbers, kTexts };

ParameterType type_of(const ParameterValue& value) noexcept;
struct ParameterDescription {
  std::string group;             ///< heading under which documents show it
  std::string name;              ///< parts separated by dots: "gains.kp"
  ParameterValue default_value;  ///< its type is the parameter's
  std::string help;              ///< one line
  std::string unit;              ///< empty where there is none
  /// Bounds of the number, or of each one in an array. Both are included; numbers must be finite
  /// anyway.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::vector<std::string>
      choices;             ///< what a text, or each one in an array, may be; empty: anything
  std::size_t length = 0;  ///< how many an array must have; 0: any number
  bool live = false;       ///< may be changed while the node runs; else read once, at start
  /// Numbers for joints: besides the array, each joint has a parameter of its own, NAME.JOINT.
  bool per_joint = false;

  [[nodiscard]] ParameterType type() const noexcept { return type_of(default_value); }
  /// An array that may have no values, which means "none": its default has none.
  [[nodiscard]] bool may_be_empty() const noexcept;
};

/// See parameters_table.hpp.
using ParameterTable = std::vector<ParameterDescription>;

/// Null if the table has no such parameter.
const ParameterDescription* find_parameter(const ParameterTable& table, std::string_view name);

/// A parameter of one joint, such as `effort_limits.shoulder`.
struct JointParameter {
  const ParameterDescription* row = nullptr;  ///< of `effort_limits`; null: not such a name
  std::string_view joint;                     ///< within the name that was given
};
/// Splits the name of a parameter of one joint. Does not know which joints a robot has.
JointParameter find_joint_parameter(const ParameterTable& table, std::string_view name);

/// Names and new values.
using ParameterChanges = std::vector<std::pair<std::string, ParameterValue>>;

/// A value for every parameter of a table, each one valid, and values for single joints. To change
/// several at once or none, change a copy and assign it. Allocates; may throw ParameterError.
class ParameterSet {
 public:
  /// All parameters at their defaults. The table must outlive the set; the tables of
  /// parameters_table.hpp do.
  explicit ParameterSet(const ParameterTable& table);

  /// Sets one parameter. Converts a value if nothing is lost: an integer to a number, one number or
  /// text to an array of one, an empty text to an empty array if the default is empty.
  /// `<row>.<joint>` of a per-joint row sets the value of that joint. Rejects unknown names, other
  /// types, and values that are out of range or not among the choices; then nothing has changed.
  void set(std::string_view name, const ParameterValue& value);
  /// The same while the node runs: rejects parameters that are read once at start, unless the value
  /// is the present one.
  void change(std::string_view name, const ParameterValue& value);

  [[nodiscard]] const ParameterTable& table() const noexcept { return *table_; }
  [[nodiscard]] const ParameterValue& get(std::string_view name) const;
  [[nodiscard]] bool get_bool(std::string_view name) const;
  [[nodiscard]] std::int64_t get_integer(std::string_view name) const;
  [[nodiscard]] double get_number(std::string_view name) const;
  [[nodiscard]] const std::string& get_text(std::string_view name) const;
  [[nodiscard]] const std::vector<double>& get_numbers(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& get_texts(std::string_view name) const;
  /// Values that were given by joint name: row, then joint.
  [[nodiscard]] const JointOverrides& by_joint() const noexcept { return by_joint_; }

 private:
  [[nodiscard]] std::size_t index_of(std::string_view name) const;
  void set(std::string_view name, const ParameterValue& value, bool running);
  template <typename T>
  [[nodiscard]] const T& typed(std::string_view name) const;

  const ParameterTable* table_;
  std::vector<ParameterValue> values_;  // one per row of the table
  JointOverrides by_joint_;
};

}  // namespace spatial_dynamics
