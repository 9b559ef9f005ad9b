// Writes quantities as JSON: arrays in coordinate order, or objects by joint name.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/compute/contact_reader.hpp"
#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::cli {

/// Appends one answer to a text. In objects by joint name, a joint's part of a vector is a number,
/// or an array for a joint with several coordinates (floating, planar). Its part of a matrix is a
/// number, a row, a column (both flat arrays) or a block (array of rows).
///
/// A number that is not finite is written as null and makes finite() false: do not send such an
/// answer.
class AnswerWriter {
 public:
  /// The model must outlive the writer. Allocates.
  explicit AnswerWriter(const Model& model);

  /// Starts an answer at the end of `out`.
  void begin(std::string& out, bool by_name);
  void key(std::string_view name);
  void end();
  /// False if a number since begin() was not finite.
  [[nodiscard]] bool finite() const noexcept { return finite_; }

  void number(double value);
  void vector3(const Vector3& value);
  void joint_vector(const VectorXd& values);  ///< nv numbers
  void joint_matrix(const MatrixXd& matrix);  ///< nv x nv
  void pose(const Transform& world_to_link);  ///< position, quaternion xyzw, rotation
  void jacobian(const Matrix6X& J);           ///< rows [angular; linear], written linear first
  void joint_wrenches(const std::vector<Force>& on_body);  ///< [fx,fy,fz,tx,ty,tz] each
  void momentum(const Force& h);  ///< linear and angular, three numbers each
  /// An object of nv x nv matrices, each under its name.
  void joint_matrices(std::initializer_list<std::pair<std::string_view, const MatrixXd&>> matrices);
  /// Y (nv x 10 per link) and the links' parameters p; ten numbers per link, see regressor.hpp.
  void regressor(const MatrixXd& Y, const VectorXd& p);
  /// {"LINK":[fx,fy,fz],…}; a list of forces for a link whose points were listed.
  void contact_forces(const std::vector<LinkContacts>& links, const std::vector<Vector3>& forces);

 private:
  /// A joint's numbers in v, with its name as a JSON key.
  struct Share {
    std::string key;
    Index first;
    Index count;
    Index joint;
  };

  void block(const MatrixXd& matrix, const Share& rows, const Share& columns);
  /// {"LINK":item(index),…}
  template <typename Item>
  void by_link(const Item& item);
  /// Writes the items of a list between brackets, separated by commas.
  template <typename Item>
  void list(Index count, const Item& item);
  template <typename Item>
  void by_joint(const std::vector<Share>& shares, const Item& item);

  std::string* out_ = nullptr;
  bool by_name_ = false;
  bool first_key_ = true;
  bool finite_ = true;
  std::vector<Share> coordinates_;  // the joints with coordinates, in their order
  std::vector<Share> joints_;       // all moving joints, mimic joints too
  std::vector<std::string> links_;  // names as JSON strings
};

}  // namespace spatial_dynamics::cli
