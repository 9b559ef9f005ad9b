#include "forward_costs.hpp"

#include <cstring>

namespace spatial_dynamics::kernels {
namespace {

/// Nanoseconds per state, for each size of ForwardWork.
struct ForwardCosts {
  double coordinate, depth, squared_depth;
  double joint, step, further;
};
struct CostsOfIsa {
  const char* isa;
  ForwardCosts single, batch;
};

// Fitted to chains of 5 to 40 joints and to trees with and without a floating base (AMD Zen 4, GCC
// 12), whose times the fit meets to 17 %. Only ratios matter.
constexpr CostsOfIsa kCosts[] = {
    {"x86-64", {39.8, 0.949, 0.172, 55.3, 31.6, 54.0}, {22.6, 0.587, 0.178, 26.7, 43.3, 25.5}},
    {"x86-64-v3", {29.2, 0.0, 0.0721, 49.3, 8.6, 30.2}, {10.1, 0.581, 0.0634, 13.0, 9.3, 7.4}},
    {"x86-64-v4", {26.8, 0.0, 0.0749, 44.8, 4.8, 28.1}, {11.3, 0.242, 0.0814, 11.8, 5.0, 6.7}}};

/// Other instruction sets, AArch64 too, have registers of 16 bytes as x86-64 has them.
const CostsOfIsa& costs_of(const char* isa) noexcept {
  for (const CostsOfIsa& costs : kCosts) {
    if (std::strcmp(costs.isa, isa) == 0) return costs;
  }
  return kCosts[0];
}

}  // namespace

void ForwardWork::add_coordinate(std::int32_t depth) noexcept {
  coordinates += 1.0;
  depths += depth;
  squared_depths += static_cast<double>(depth) * depth;
}

void ForwardWork::add_joint(bool plain, int its_coordinates) noexcept {
  joints += 1.0;
  if (!plain) steps += 1.0;
  further += its_coordinates - 1;
}

bool articulated_is_faster(const ForwardWork& work, const char* isa, bool batch) noexcept {
  const CostsOfIsa& both = costs_of(isa);
  const ForwardCosts& c = batch ? both.batch : both.single;
  const double factorised = c.coordinate * work.coordinates + c.depth * work.depths +
                            c.squared_depth * work.squared_depths;
  const double articulated = c.joint * work.joints + c.step * work.steps + c.further * work.further;
  return articulated < factorised;
}

}  // namespace spatial_dynamics::kernels
