// Checks of arguments. The functions that throw are in checks.cpp, so that a check is a few
// comparisons.
#pragma once

#include <string>

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

/// Checks of all functions. They throw std::invalid_argument with a sentence that names the
/// function.
class Checks {
 public:
  Checks(const char* function, const Model& model) noexcept : function_(function), model_(model) {}

  /// The members of a Data or BatchData, which must have been constructed from this model.
  template <typename Impl>
  Impl& data(Impl* impl) const {
    if (impl == nullptr) moved_from();
    if (impl->structure != model_.structure()) wrong_model();
    return *impl;
  }
  /// For constructors: throws if the model is empty, else returns it.
  const Model& not_empty() const {
    if (model_.body_count() == 0) empty_model();
    return model_;
  }
  void q(VectorView x) const { size("q", x.size(), model_.nq()); }
  void v(const char* argument, VectorView x) const { size(argument, x.size(), model_.nv()); }
  void state(VectorView q_, VectorView v_) const {
    q(q_);
    v("v", v_);
  }
  /// The same with an acceleration or torque.
  void state(VectorView q_, VectorView v_, const char* argument, VectorView x) const {
    state(q_, v_);
    v(argument, x);
  }
  void size(const char* argument, Index size, Index expected) const {
    if (size != expected) wrong_size(argument, size, expected);
  }
  void rows(const char* argument, Index rows, Index expected) const {
    if (rows != expected) wrong_rows(argument, rows, expected);
  }
  void columns(const char* argument, Index columns, Index expected) const {
    if (columns != expected) wrong_columns(argument, columns, expected);
  }
  void capacity(const char* argument, Index columns, Index capacity) const {
    if (columns > capacity) over_capacity(argument, columns, capacity);
  }
  void forces(const ExternalForces& external) const {
    if (!external.empty() && external.body_count() != model_.body_count()) wrong_forces(external);
  }
  void require(bool condition, const char* sentence) const {
    if (!condition) violated(sentence);
  }
  [[noreturn, gnu::cold]] void violated(const std::string& sentence) const;
  void link(Index link) const { model_.require_link(function_, link); }
  void reserved(bool is_reserved, const char* data_class, const char* dense) const {
    if (!is_reserved) not_reserved(data_class, dense);
  }

 private:
  [[noreturn, gnu::cold]] void wrong_model() const;
  [[noreturn, gnu::cold]] void moved_from() const;
  [[noreturn, gnu::cold]] void empty_model() const;
  [[noreturn, gnu::cold]] void wrong_size(const char* argument, Index size, Index expected) const;
  [[noreturn, gnu::cold]] void wrong_rows(const char* argument, Index rows, Index expected) const;
  [[noreturn, gnu::cold]] void wrong_columns(const char* argument, Index columns,
                                             Index expected) const;
  [[noreturn, gnu::cold]] void over_capacity(const char* argument, Index columns,
                                             Index capacity) const;
  [[noreturn, gnu::cold]] void wrong_forces(const ExternalForces& external) const;
  [[noreturn, gnu::cold]] void not_reserved(const char* data_class, const char* dense) const;

  const char* function_;
  const Model& model_;
};

/// True if two ranges of numbers overlap.
inline bool overlap(const double* a, Index a_size, const double* b, Index b_size) noexcept {
  return a < b + b_size && b < a + a_size;
}

/// The argument itself, or a copy in `copy` if it shares memory with a result that will be written.
inline const double* detached(VectorView x, const double* result, Index size,
                              VectorXd& copy) noexcept {
  if (!overlap(x.data(), x.size(), result, size)) return x.data();
  copy.head(x.size()) = x.map();
  return copy.data();
}

}  // namespace spatial_dynamics
