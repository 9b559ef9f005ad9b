// A number that counts operations.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace spatial_dynamics::test {

struct Counted {
  double value = 0.0;
  Counted() = default;
  explicit Counted(double v) : value(v) {}
  Counted(int v) : value(v) {}  // Eigen writes Scalar(0)

  inline static long operations =
      0;  ///< additions, subtractions, multiplications and divisions since it was set to 0

  Counted& operator+=(const Counted& o) { return *this = *this + o; }
  Counted& operator-=(const Counted& o) { return *this = *this - o; }
  Counted& operator*=(const Counted& o) { return *this = *this * o; }
  Counted operator-() const { return Counted(-value); }
  friend Counted operator+(const Counted& a, const Counted& b) { return count(a.value + b.value); }
  friend Counted operator-(const Counted& a, const Counted& b) { return count(a.value - b.value); }
  friend Counted operator*(const Counted& a, const Counted& b) { return count(a.value * b.value); }
  friend Counted operator/(const Counted& a, const Counted& b) { return count(a.value / b.value); }
  friend bool operator==(const Counted& a, const Counted& b) { return a.value == b.value; }
  friend bool operator!=(const Counted& a, const Counted& b) { return a.value != b.value; }
  friend bool operator<(const Counted& a, const Counted& b) { return a.value < b.value; }
  friend Counted sin(const Counted& a) { return count(std::sin(a.value)); }
  friend Counted cos(const Counted& a) { return count(std::cos(a.value)); }

 private:
  static Counted count(double v) {
    ++operations;
    return Counted(v);
  }
};

}  // namespace spatial_dynamics::test

namespace Eigen {
template <>
struct NumTraits<spatial_dynamics::test::Counted> : GenericNumTraits<double> {
  using Real = spatial_dynamics::test::Counted;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
  enum { RequireInitialization = 1 };
};
}  // namespace Eigen
