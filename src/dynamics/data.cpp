#include "data_impl.hpp"

#include <algorithm>
#include <stdexcept>

#include "spatial_dynamics/model/inertial_parameters.hpp"

namespace spatial_dynamics {

Data::Impl::Impl(const Model& model, Dense dense)
    : structure(Checks("Data", model).not_empty().structure()),
      stamp(model.stamp()),
      links(model.link_count()),
      compact(kernels::compile(model)),
      work(compact, false),
      textbook(model, false),
      friction(VectorXd::Zero(model.nv())),
      rotor(VectorXd::Zero(model.nv())),
      J(Matrix6X::Zero(6, model.nv())),
      J_rate(Matrix6X::Zero(6, model.nv())),
      wrenches(to_size(model.body_count()), Force::Zero()) {
  const Index longest = std::max(model.nq(), model.nv());
  for (VectorXd* copy : {&q_copy, &v_copy, &x_copy}) copy->setZero(longest);
  reserve(dense);
}

void Data::Impl::reserve(Dense wanted) {
  const Index n = compact.nv();
  const auto adds = [&](Dense one) { return (wanted & one) == one && !has(one); };
  // All kernels use the same memory for the packed mass matrix.
  constexpr Dense kByKernels = Dense::kMassMatrix | Dense::kMassMatrixInverse |
                               Dense::kInverseDynamicsDerivatives |
                               Dense::kForwardDynamicsDerivatives;
  if ((wanted & kByKernels) != Dense::kNone) work.reserve_matrix(compact);
  if (adds(Dense::kMassMatrixInverse)) M_inverse.setZero(n, n);
  if (adds(Dense::kCoriolisMatrix)) textbook.C.setZero(n, n);
  if (adds(Dense::kInverseDynamicsDerivatives)) inverse.emplace(compact);
  if (adds(Dense::kForwardDynamicsDerivatives)) forward.emplace(compact);
  if (adds(Dense::kRegressor)) Y.setZero(n, kInertialParameters * links);
  reserved = reserved | wanted;
}

Data::Data(const Model& model)
    : Data(model, model.nv() <= kReservedCoordinates ? Dense::kAll : Dense::kNone) {}
Data::Data(const Model& model, Dense dense) : impl_(std::make_unique<Impl>(model, dense)) {}
Data::~Data() = default;
Data::Data(Data&& other) noexcept = default;
Data& Data::operator=(Data&& other) noexcept = default;

void Data::reserve(Dense dense) {
  if (!impl_) throw std::invalid_argument("Data::reserve(): the data was moved from.");
  impl_->reserve(dense);
}
bool Data::is_reserved(Dense dense) const noexcept { return impl_ && impl_->has(dense); }
bool Data::singular() const noexcept { return impl_ && impl_->singular; }

}  // namespace spatial_dynamics
