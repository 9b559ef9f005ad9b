// Code for one robot alone, which spatial_dynamics_generate() wrote at build time: no model, no
// file, no library at run time.
#include <pendulum.hpp>

#include <iostream>

int main() {
  const double gravity[] = {0.0, 0.0, -9.80665};
  const double q[] = {0.5, 0.2}, v[] = {0.0, 0.0}, a[] = {1.0, -1.0};
  double tau[2], back[2];
  pendulum_inverse_dynamics(q, v, a, gravity, nullptr, nullptr, tau);  // no payload, no wrenches
  std::cout << "tau " << tau[0] << ' ' << tau[1] << '\n';
  if (pendulum_forward_dynamics(q, v, tau, gravity, nullptr, nullptr, back) == 0)
    return 1;  // singular
  std::cout << "a " << back[0] << ' ' << back[1] << '\n';
}
