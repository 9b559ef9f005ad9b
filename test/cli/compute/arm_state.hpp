// Shared by the tests of answers: a state of an arm and its answer.
#pragma once

#include <gtest/gtest.h>

#include "cli/process.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/data.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {

/// Every quantity of the seven-axis arm.
inline constexpr const char* kEverything =
    R"(["id","fd","bias","gravity","coriolis_matrix","mass_matrix","kinetic_energy","potential_energy",)"
    R"("center_of_mass","pose:flange","jacobian:flange","joint_wrenches","mass_matrix_inverse","momentum",)"
    R"("id_derivatives","fd_derivatives","regressor"])";

inline Json to_json(const VectorXd& x) {
  return std::vector<double>(x.data(), x.data() + x.size());
}

inline Json to_json(const MatrixXd& m) {
  Json rows = Json::array();
  for (Index r = 0; r < m.rows(); ++r) rows.push_back(to_json(VectorXd(m.row(r))));
  return rows;
}

/// A state of the seven-axis arm.
struct ArmState {
  Model model = load_urdf_file(shipped_urdf("arm7"));
  textbook::Data data{model};
  Random random{7};
  VectorXd q = random_configuration(random, model);
  VectorXd v = random_vector(random, model.nv());
  VectorXd a = random_vector(random, model.nv());
  VectorXd tau = random_vector(random, model.nv());

  [[nodiscard]] Json line() const {
    return {{"q", to_json(q)}, {"v", to_json(v)}, {"a", to_json(a)}, {"tau", to_json(tau)}};
  }
};

/// The answer of `compute` with these arguments to one line.
inline Json answer(const std::vector<std::string>& arguments, const Json& line) {
  std::vector<std::string> all{"compute"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Outcome outcome = run_cli(all, line.dump() + "\n");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  const std::vector<Json> lines = outcome.lines();
  EXPECT_EQ(lines.size(), 1U);
  return lines.empty() ? Json() : lines[0];
}

}  // namespace spatial_dynamics::test
