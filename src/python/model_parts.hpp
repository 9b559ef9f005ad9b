// Joints, links and limits of a Model, as Python objects.
#pragma once

#include <string>

#include "model_object.hpp"

namespace spatial_dynamics::python {

/// A view of a joint or link, which keeps its model alive.
struct JointView {
  py::object owner;
  const Joint* joint;
  std::string parent, child;
};
struct LinkView {
  py::object owner;
  const Model* model;
  Index index;
  [[nodiscard]] const Link& link() const noexcept { return model->link(index); }
};

/// The limits of the coordinates, nv numbers each.
struct Limits {
  VectorXd lower, upper, velocity, effort, soft_lower, soft_upper;
};

Limits limits_of(const Model& model);
/// Tuples of views; `self` is a Python Model.
py::tuple joints_of(const py::object& self);
py::tuple links_of(const py::object& self);

}  // namespace spatial_dynamics::python
