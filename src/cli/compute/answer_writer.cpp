#include "cli/compute/answer_writer.hpp"

#include <cmath>

#include "spatial_dynamics/textbook/regressor.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {

AnswerWriter::AnswerWriter(const Model& model) {
  const auto share = [&model](Index i) {
    const Joint& joint = model.joint(i);
    std::string key;
    append_json_string(key, joint.name);
    return Share{key + ':', joint.v_index, joint.nv, i};
  };
  for (const Index i : model.coordinate_joints()) coordinates_.push_back(share(i));
  for (Index i = 1; i < model.body_count(); ++i) joints_.push_back(share(i));
  for (Index l = 0; l < model.link_count(); ++l) {
    append_json_string(links_.emplace_back(), model.link(l).name);
  }
}

void AnswerWriter::begin(std::string& out, bool by_name) {
  out_ = &out;
  by_name_ = by_name;
  first_key_ = true;
  finite_ = true;
  out_->push_back('{');
}

void AnswerWriter::key(std::string_view name) {
  if (!first_key_) out_->push_back(',');
  first_key_ = false;
  append_json_string(*out_, name);
  out_->push_back(':');
}

void AnswerWriter::end() { out_->push_back('}'); }

template <typename Item>
void AnswerWriter::list(Index count, const Item& item) {
  out_->push_back('[');
  for (Index i = 0; i < count; ++i) {
    if (i > 0) out_->push_back(',');
    item(i);
  }
  out_->push_back(']');
}

template <typename Item>
void AnswerWriter::by_joint(const std::vector<Share>& shares, const Item& item) {
  out_->push_back('{');
  for (const Share& share : shares) {
    if (&share != shares.data()) out_->push_back(',');
    out_->append(share.key);
    item(share);
  }
  out_->push_back('}');
}

template <typename Item>
void AnswerWriter::by_link(const Item& item) {
  out_->push_back('{');
  for (std::size_t l = 0; l < links_.size(); ++l) {
    if (l > 0) out_->push_back(',');
    out_->append(links_[l]).push_back(':');
    item(static_cast<Index>(l));
  }
  out_->push_back('}');
}

void AnswerWriter::number(double value) {
  if (std::isfinite(value)) {
    append_number(*out_, value);
  } else {
    finite_ = false;
    out_->append("null");
  }
}

void AnswerWriter::vector3(const Vector3& value) {
  list(3, [&](Index i) { number(value[i]); });
}

void AnswerWriter::joint_vector(const VectorXd& values) {
  if (!by_name_) return list(values.size(), [&](Index i) { number(values[i]); });
  by_joint(coordinates_, [&](const Share& share) {
    if (share.count == 1) return number(values[share.first]);
    list(share.count, [&](Index i) { number(values[share.first + i]); });
  });
}

void AnswerWriter::joint_matrix(const MatrixXd& matrix) {
  if (!by_name_) {
    return list(matrix.rows(),
                [&](Index r) { list(matrix.cols(), [&](Index c) { number(matrix(r, c)); }); });
  }
  by_joint(coordinates_, [&](const Share& rows) {
    by_joint(coordinates_, [&](const Share& columns) { block(matrix, rows, columns); });
  });
}

void AnswerWriter::block(const MatrixXd& matrix, const Share& rows, const Share& columns) {
  const auto entry = [&](Index r, Index c) { number(matrix(rows.first + r, columns.first + c)); };
  if (rows.count == 1 && columns.count == 1) return entry(0, 0);
  if (rows.count == 1) return list(columns.count, [&](Index c) { entry(0, c); });
  if (columns.count == 1) return list(rows.count, [&](Index r) { entry(r, 0); });
  list(rows.count, [&](Index r) { list(columns.count, [&](Index c) { entry(r, c); }); });
}

void AnswerWriter::pose(const Transform& world_to_link) {
  const Matrix3 rotation = world_to_link.rotation();
  Quaternion quaternion(rotation);
  // q and -q are the same rotation; the one with w >= 0 is written.
  if (quaternion.w() < 0.0) quaternion.coeffs() *= -1.0;
  out_->append("{\"position\":");
  vector3(world_to_link.position());
  out_->append(",\"quaternion\":");
  list(4, [&](Index i) { number(quaternion.coeffs()[i]); });  // x y z w
  out_->append(",\"rotation\":");
  list(3, [&](Index r) { list(3, [&](Index c) { number(rotation(r, c)); }); });
  out_->push_back('}');
}

void AnswerWriter::jacobian(const Matrix6X& J) {
  list(6, [&](Index i) {
    const Index r = (i + 3) % 6;  // linear rows first
    if (!by_name_) return list(J.cols(), [&](Index c) { number(J(r, c)); });
    by_joint(coordinates_, [&](const Share& share) {
      if (share.count == 1) return number(J(r, share.first));
      list(share.count, [&](Index c) { number(J(r, share.first + c)); });
    });
  });
}

void AnswerWriter::joint_wrenches(const std::vector<Force>& on_body) {
  const auto wrench = [&](Index joint) {
    const Force& f = on_body[to_size(joint)];
    list(6, [&](Index i) { number(i < 3 ? f.force[i] : f.moment[i - 3]); });
  };
  if (by_name_) return by_joint(joints_, [&](const Share& share) { wrench(share.joint); });
  list(static_cast<Index>(coordinates_.size()),
       [&](Index i) { wrench(coordinates_[to_size(i)].joint); });
}

void AnswerWriter::momentum(const Force& h) {
  out_->append("{\"linear\":");
  vector3(h.force);
  out_->append(",\"angular\":");
  vector3(h.moment);
  out_->push_back('}');
}

void AnswerWriter::joint_matrices(
    std::initializer_list<std::pair<std::string_view, const MatrixXd&>> matrices) {
  char separator = '{';
  for (const auto& [name, matrix] : matrices) {
    out_->push_back(separator);
    separator = ',';
    append_json_string(*out_, name);
    out_->push_back(':');
    joint_matrix(matrix);
  }
  out_->push_back('}');
}

void AnswerWriter::regressor(const MatrixXd& Y, const VectorXd& p) {
  const auto ten_of_row = [&](Index r, Index link) {
    list(kInertialParameters, [&](Index i) { number(Y(r, link * kInertialParameters + i)); });
  };
  if (!by_name_) {
    out_->append("{\"links\":");
    list(static_cast<Index>(links_.size()), [&](Index l) { out_->append(links_[to_size(l)]); });
    out_->append(",\"parameters\":");
    list(p.size(), [&](Index i) { number(p[i]); });
    out_->append(",\"matrix\":");
    list(Y.rows(), [&](Index r) { list(Y.cols(), [&](Index c) { number(Y(r, c)); }); });
  } else {
    out_->append("{\"parameters\":");
    by_link([&](Index link) {
      list(kInertialParameters, [&](Index i) { number(p[link * kInertialParameters + i]); });
    });
    out_->append(",\"matrix\":");
    by_joint(coordinates_, [&](const Share& share) {
      by_link([&](Index link) {
        if (share.count == 1) return ten_of_row(share.first, link);
        list(share.count, [&](Index r) { ten_of_row(share.first + r, link); });
      });
    });
  }
  out_->push_back('}');
}

void AnswerWriter::contact_forces(const std::vector<LinkContacts>& links,
                                  const std::vector<Vector3>& forces) {
  const Vector3* next = forces.data();
  char separator = '{';
  for (const LinkContacts& link : links) {
    out_->push_back(separator);
    separator = ',';
    out_->append(links_[to_size(link.link)]).push_back(':');
    if (link.listed) {
      list(static_cast<Index>(link.count), [&](Index i) { vector3(next[i]); });
    } else {
      vector3(*next);
    }
    next += link.count;
  }
  out_->push_back('}');
}

}  // namespace spatial_dynamics::cli
