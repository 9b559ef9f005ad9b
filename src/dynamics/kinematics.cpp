#include "spatial_dynamics/dynamics/kinematics.hpp"

#include "data_impl.hpp"
#include "kernels/kinematics.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"

namespace spatial_dynamics {

Transform link_pose(const Model& model, Data& data, VectorView q, Index link) {
  const Checks check("link_pose", model);
  Data::Impl& d = prepare(check, model, data);
  check.q(q);
  check.link(link);
  textbook::forward_kinematics(model, d.textbook, q.map());
  return textbook::link_transform(model, d.textbook, link);
}

Motion link_velocity(const Model& model, Data& data, VectorView q, VectorView v, Index link,
                     Frame frame) {
  const Checks check("link_velocity", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v);
  check.link(link);
  textbook::forward_kinematics(model, d.textbook, q.map(), v.map());
  return textbook::link_velocity(model, d.textbook, link, frame);
}

namespace {

void set_accelerations(const char* function, const Model& model, Data& data, VectorView q,
                       VectorView v, VectorView a, Index link) {
  const Checks check(function, model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v, "a", a);
  check.link(link);
  textbook::forward_kinematics(model, d.textbook, q.map(), v.map(), a.map());
}

}  // namespace

Motion link_acceleration(const Model& model, Data& data, VectorView q, VectorView v, VectorView a,
                         Index link, Frame frame) {
  set_accelerations("link_acceleration", model, data, q, v, a, link);
  return textbook::link_acceleration(model, data.impl()->textbook, link, frame);
}

Motion link_classical_acceleration(const Model& model, Data& data, VectorView q, VectorView v,
                                   VectorView a, Index link) {
  set_accelerations("link_classical_acceleration", model, data, q, v, a, link);
  return textbook::link_classical_acceleration(model, data.impl()->textbook, link);
}

const Matrix6X& jacobian(const Model& model, Data& data, VectorView q, Index link, Frame frame) {
  const Checks check("jacobian", model);
  Data::Impl& d = prepare(check, model, data);
  check.q(q);
  check.link(link);
  const auto configuration = numbers(detached(q, d.J.data(), d.J.size(), d.q_copy), model.nq());
  if (frame == Frame::kWorld) {
    textbook::forward_kinematics(model, d.textbook, configuration);
    textbook::link_jacobian(model, d.textbook, link, frame, d.J);
  } else {
    kernels::link_jacobian(d.compact, d.work, configuration, model.link(link), frame, d.J);
  }
  return d.J;
}

const Matrix6X& jacobian_rate(const Model& model, Data& data, VectorView q, VectorView v,
                              Index link, Frame frame) {
  const Checks check("jacobian_rate", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v);
  check.link(link);
  // d.textbook has what the derivative needs of q and v before d.J_rate is written.
  textbook::forward_kinematics(model, d.textbook, q.map(), v.map());
  textbook::link_jacobian_derivative(model, d.textbook, link, frame, d.J_rate);
  return d.J_rate;
}

}  // namespace spatial_dynamics
