// Three-dimensional vectors of numbers or lanes, small enough for registers.
#pragma once

namespace spatial_dynamics::kernels {
namespace {

/// Copied number by number: GCC would copy an aggregate of lanes as bytes, through the stack in
/// pieces smaller than a lane.
template <typename T>
struct Vec3 {
  T x{}, y{}, z{};

  Vec3() = default;
  Vec3(const T& x_, const T& y_, const T& z_) noexcept : x(x_), y(y_), z(z_) {}
  // NOLINTBEGIN(modernize-use-equals-default)
  Vec3(const Vec3& a) noexcept : x(a.x), y(a.y), z(a.z) {}
  Vec3& operator=(const Vec3& a) noexcept {
    x = a.x;
    y = a.y;
    z = a.z;
    return *this;
  }
  // NOLINTEND(modernize-use-equals-default)
};

template <typename T>
inline Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <typename T>
inline Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <typename T>
inline Vec3<T> operator-(const Vec3<T>& a) noexcept {
  return {-a.x, -a.y, -a.z};
}
/// s may be a double where T is lanes.
template <typename S, typename T>
inline Vec3<T> operator*(const S& s, const Vec3<T>& a) noexcept {
  return {s * a.x, s * a.y, s * a.z};
}
template <typename T>
inline Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) noexcept {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  return a;
}
template <typename T>
inline Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) noexcept {
  a.x -= b.x;
  a.y -= b.y;
  a.z -= b.z;
  return a;
}

template <typename A, typename T>
inline Vec3<T> cross(const Vec3<A>& a, const Vec3<T>& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// s + a x b and s - a x b: with fused multiply-add six operations.
template <typename A, typename T>
inline Vec3<T> plus_cross(const Vec3<T>& s, const Vec3<A>& a, const Vec3<T>& b) noexcept {
  return {s.x + a.y * b.z - a.z * b.y, s.y + a.z * b.x - a.x * b.z, s.z + a.x * b.y - a.y * b.x};
}
template <typename A, typename T>
inline Vec3<T> minus_cross(const Vec3<T>& s, const Vec3<A>& a, const Vec3<T>& b) noexcept {
  return {s.x - a.y * b.z + a.z * b.y, s.y - a.z * b.x + a.x * b.z, s.z - a.x * b.y + a.y * b.x};
}
template <typename A, typename T>
inline T dot(const Vec3<A>& a, const Vec3<T>& b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Three columns.
template <typename T>
struct Mat3 {
  Vec3<T> x, y, z;
};

/// R a, and R' a.
template <typename T, typename S>
inline auto operator*(const Mat3<T>& R, const Vec3<S>& a) noexcept {
  return Vec3<decltype(T{} * S{})>{R.x.x * a.x + R.y.x * a.y + R.z.x * a.z,
                                   R.x.y * a.x + R.y.y * a.y + R.z.y * a.z,
                                   R.x.z * a.x + R.y.z * a.y + R.z.z * a.z};
}
template <typename T>
inline Vec3<T> transpose_times(const Mat3<T>& R, const Vec3<T>& a) noexcept {
  return {dot(R.x, a), dot(R.y, a), dot(R.z, a)};
}

/// A symmetric 3x3 matrix.
template <typename T>
struct Sym3 {
  T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

  Sym3() = default;
  Sym3(const T& a, const T& b, const T& c, const T& d, const T& e, const T& f) noexcept
      : xx(a), xy(b), xz(c), yy(d), yz(e), zz(f) {}
  // NOLINTBEGIN(modernize-use-equals-default): as above
  Sym3(const Sym3& a) noexcept : Sym3(a.xx, a.xy, a.xz, a.yy, a.yz, a.zz) {}
  Sym3& operator=(const Sym3& a) noexcept {
    xx = a.xx;
    xy = a.xy;
    xz = a.xz;
    yy = a.yy;
    yz = a.yz;
    zz = a.zz;
    return *this;
  }
  // NOLINTEND(modernize-use-equals-default)
};
template <typename T>
inline Vec3<T> operator*(const Sym3<T>& A, const Vec3<T>& v) noexcept {
  return {A.xx * v.x + A.xy * v.y + A.xz * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z,
          A.xz * v.x + A.yz * v.y + A.zz * v.z};
}
template <typename T>
inline Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) noexcept {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

/// A force and its moment at the origin of its frame.
template <typename T>
struct Wrench {
  Vec3<T> force, moment;
};
template <typename T>
inline Wrench<T> operator+(const Wrench<T>& a, const Wrench<T>& b) noexcept {
  return {a.force + b.force, a.moment + b.moment};
}

}  // namespace
}  // namespace spatial_dynamics::kernels
