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

// Fitted to measured times of chains of 5 to 44 joints, and of trees with and without a floating
// base (AMD Zen 4, GCC 12). Only ratios matter.
constexpr ForwardCosts kAvxSingle{23.3, 0.655, 0.0535, 44.5, 26.4, 34.0};
constexpr ForwardCosts kAvxBatch{7.5, 1.17, 0.0432, 11.7, 4.0, 10.0};
constexpr CostsOfIsa kCosts[] = {
    {"x86-64", {39.8, 0.949, 0.172, 55.3, 31.6, 54.0}, {22.6, 0.587, 0.178, 26.7, 43.3, 25.5}},
    {"x86-64-v3", kAvxSingle, kAvxBatch},
    {"x86-64-v4", kAvxSingle, kAvxBatch}};

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
