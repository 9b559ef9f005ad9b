// Prints the effect of each option: the number of coordinates, and the first entry of the mass
// matrix at zero.
#include <floating.hpp>
#include <geared.hpp>
#include <iostream>
#include <loaded.hpp>
#include <locked.hpp>
#include <plain.hpp>

int main() {
  const double zero[9] = {};
  double M[4] = {};
  const auto show = [&](int nv, const char* name) {
    std::cout << name << ' ' << nv << ' ' << M[0] << '\n';
  };
  plain_mass_matrix(zero, nullptr, M);
  show(plain_nv(), "plain");
  geared_mass_matrix(zero, nullptr, M);
  show(geared_nv(), "geared");
  locked_mass_matrix(zero, nullptr, M);
  show(locked_nv(), "locked");
  loaded_mass_matrix(zero, nullptr, M);
  show(loaded_nv(), "loaded");
  std::cout << "floating " << floating_nv() << '\n';
}
