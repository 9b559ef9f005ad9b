// `body`: small simulations and their conserved quantities.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"

namespace spatial_dynamics::test {
namespace {

/// The number after these words.
double figure_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) throw std::runtime_error(words + " is not in: " + text);
  return std::stod(text.substr(at + words.size()));
}

std::string words_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "body");
  const Outcome outcome = run_cli(std::move(arguments));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  return outcome.output;
}

TEST(Body, ATumblingBodyFlipsOverAndConservesAngularMomentum) {
  const std::string words = words_of({"tumble"});
  EXPECT_GE(figure_after(words, "It flipped over "), 2.0);
  EXPECT_LT(figure_after(words, "Angular momentum changed by at most "), 1e-14);
}

TEST(Body, EnergyErrorOfATumblingBodyIsOfFirstOrder) {
  const auto error = [](const char* dt) {
    return figure_after(words_of({"tumble", "--seconds", "10", "--dt", dt}),
                        "Kinetic energy changed by at most ");
  };
  EXPECT_NEAR(error("0.002") / error("0.001"), 2.0, 0.1);
}

TEST(Body, SpringsConserveAngularMomentumAndApproachTheRigidBody) {
  const std::string soft = words_of({"springs"});
  const std::string stiff = words_of({"springs", "--stiffness", "200000", "--dt", "0.0001"});
  for (const std::string& words : {soft, stiff}) {
    EXPECT_LT(figure_after(words, "Angular momentum changed by at most "), 1e-12);
  }
  const double far = figure_after(soft, "The points were at most ");
  EXPECT_LT(figure_after(stiff, "The points were at most "), 0.2 * far);
  EXPECT_GT(far, 0.0);
}

TEST(Body, TwoHingedBodiesConserveMomentumAndEnergy) {
  const std::string words = words_of({"two-body"});
  EXPECT_LT(figure_after(words, "momentum changed by at most "), 1e-9);
  EXPECT_LT(figure_after(words, "kinetic energy by at most "), 1e-9);
}

TEST(Body, TablesAndPlotsAreWritten) {
  const TemporaryFile base("");
  for (const char* system : {"tumble", "springs", "two-body"}) {
    const std::string csv = base.path() + ".csv";
    const std::string svg = base.path() + ".svg";
    (void)words_of({system, "--seconds", "0.1", "--csv", csv, "--plot", svg});
    std::string line;
    std::ifstream table(csv);
    std::size_t lines = 0;
    while (std::getline(table, line)) ++lines;
    EXPECT_EQ(lines, 102U) << system;  // names, the start and a hundred steps
    std::ifstream picture(svg);
    std::getline(picture, line);
    EXPECT_EQ(line.substr(0, 5), "<svg ") << system;
    std::filesystem::remove(csv);
    std::filesystem::remove(svg);
  }
}

TEST(Body, DashWritesTheTableToStandardOutput) {
  const Outcome outcome = run_cli({"body", "two-body", "--seconds", "0.01", "--csv", "-"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output.substr(0, 7), "time_s,");
  EXPECT_NE(outcome.errors, "");
}

TEST(Body, ErrorsAreOneSentence) {
  EXPECT_EQ(run_cli({"body"}).exit_code, 2);
  EXPECT_EQ(run_cli({"body", "ghost"}).exit_code, 2);
  EXPECT_EQ(run_cli({"body", "tumble", "--dt", "-1"}).exit_code, 2);
  const Outcome one_step = run_cli({"body", "tumble", "--dt", "100"});
  EXPECT_EQ(one_step.exit_code, 2);
  EXPECT_NE(one_step.errors.find("--dt: is longer than --seconds"), std::string::npos);
  const Outcome too_long = run_cli({"body", "springs", "--dt", "0.1"});
  EXPECT_EQ(too_long.exit_code, 1);
  EXPECT_NE(too_long.errors.find("need a --dt below"), std::string::npos) << too_long.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test
