#include "cli/subcommands.hpp"

#include <unistd.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/bench/candidate.hpp"
#include "cli/bench/scaling.hpp"
#include "cli/common/options.hpp"
#include "cli/common/plot.hpp"
#include "cli/common/plot_file.hpp"
#include "spatial_dynamics/dynamics/isa.hpp"
#include "support/stopwatch.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {

namespace {

constexpr const char* kBenchFooter = R"(Example:
  spatial_dynamics bench urdf/arm7.urdf
  spatial_dynamics bench urdf/arm7.urdf --json > times.json
  spatial_dynamics bench --scaling --plot scaling.svg

Compares the implementations of this library ("textbook"; "kernel", the API on
Model and Data; "batch", the API on BatchData; "generated" code, one state at a
time and in batches) with the peers that were built (Orocos KDL, MuJoCo,
Pinocchio), without friction, on random states in interleaved rounds. Only
implementations that reproduce the textbook's numbers are timed. Times are
nanoseconds of processor time per state, including sines and excluding copies of
results: median, 10 % quantile and minimum of all rounds.
"inverse_derivatives" are derivatives of the torque by q, v and a,
"forward_derivatives" derivatives of the acceleration by q, v and tau.
"x kernel" is the median of the ratios within each round. "in a row" is the time
if each state depends on the previous result.

Exit code: 0; 1 if the robot was rejected or an implementation of this library
differs from the textbook; 2 if the command line is wrong.
)";

// This library's implementations must agree up to rounding. A peer may store inertias in another
// form and round more; it is timed and gets a note.
constexpr double kTolerance = 1e-12;
constexpr double kPeerTolerance = 1e-6;

std::string scientific(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.1e", x);
  return buffer;
}

struct BenchCommand {
  ModelOptions model;
  int states = 256;
  int rounds = 200;
  bool json = false;
  bool scaling = false;
  std::string plot;
  std::string peers = SPATIAL_DYNAMICS_PEER_DIR;
};

/// Times of one candidate for one task.
struct Row {
  std::string name;
  std::vector<double> times, in_a_row;  // ns per state, one per round
};

BenchStates random_states(const Model& model, Index count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto fill = [&](MatrixXd& x, Index rows) {
    x.resize(rows, count);
    for (double& entry : x.reshaped()) entry = uniform(random);
  };
  BenchStates states;
  fill(states.q, model.nq());
  fill(states.v, model.nv());
  fill(states.x, model.nv());
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    if (joint.type != JointType::kFloating) continue;
    for (Index c = 0; c < count; ++c) states.q.col(c).segment<4>(joint.q_index + 3).normalize();
  }
  return states;
}

/// The largest condition number of M at some of the states: the factor by which the inverse may
/// increase rounding errors.
double condition_number(Candidate& textbook, const BenchStates& states) {
  const Index n = states.v.rows(), count = std::min<Index>(states.q.cols(), 8);
  MatrixXd M(n, n);
  double largest = 1.0;
  for (Index i = 0; i < count; ++i) {
    textbook.compute(Task::kMassMatrix, states.q.col(i).data(), nullptr, nullptr, M.data());
    const VectorXd eigenvalues = M.selfadjointView<Eigen::Lower>().eigenvalues();
    largest = std::max(largest, eigenvalues.maxCoeff() / eigenvalues.minCoeff());
  }
  return largest;
}

/// Adds 1e-300 times the last result to each state, so that the processor can't start before it is
/// known.
void compute_in_a_row(Candidate& candidate, Task task, const BenchStates& states, VectorXd& q) {
  double last = 0.0;
  for (Index i = 0; i < states.q.cols(); ++i) {
    q = states.q.col(i);
    q(0) += 1e-300 * last;
    last =
        candidate.compute(task, q.data(), states.v.col(i).data(), states.x.col(i).data(), nullptr);
  }
}

std::vector<Row> measure(const BenchCommand& options, Task task, const BenchStates& states,
                         const std::vector<Candidate*>& candidates) {
  std::vector<Row> table;
  table.reserve(candidates.size());
  for (const Candidate* candidate : candidates) table.push_back({candidate->name(), {}, {}});
  VectorXd q(states.q.rows());
  const auto count = static_cast<double>(states.q.cols());
  for (int round = -5; round < options.rounds; ++round) {  // negative ones warm up
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const double time =
          time_of([&] { candidates[c]->compute_all(task, states, nullptr); }) / count;
      double row = 0.0;
      if (candidates[c]->has_latency()) {
        row = time_of([&] { compute_in_a_row(*candidates[c], task, states, q); }) / count;
      }
      if (round < 0) continue;
      table[c].times.push_back(time);
      if (candidates[c]->has_latency()) table[c].in_a_row.push_back(row);
    }
  }
  return table;
}

std::string fixed(double x, int width, int digits) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%*.*f", width, digits, x);
  return buffer;
}

void write_text(Task task, const std::vector<Row>& table, std::string& out) {
  char head[120];
  std::snprintf(head, sizeof head, "%-21s%9s%9s%9s%10s%10s\n", to_string(task), "median", "p10",
                "min", "x kernel", "in a row");
  out += head;
  for (const Row& row : table) {
    std::string name = "  " + row.name;
    name.resize(21, ' ');
    out += name + fixed(quantile(row.times, 0.5), 9, 1) + fixed(quantile(row.times, 0.1), 9, 1) +
           fixed(quantile(row.times, 0.0), 9, 1) +
           fixed(median_ratio(row.times, table[1].times), 10, 2);
    if (!row.in_a_row.empty()) out += fixed(quantile(row.in_a_row, 0.5), 10, 1);
    out += '\n';
  }
}

nlohmann::json to_json(const std::vector<Row>& table) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Row& row : table) {
    nlohmann::json entry{{"name", row.name},
                         {"median_ns", quantile(row.times, 0.5)},
                         {"p10_ns", quantile(row.times, 0.1)},
                         {"min_ns", quantile(row.times, 0.0)},
                         {"times_kernel", median_ratio(row.times, table[1].times)}};
    if (!row.in_a_row.empty()) entry["in_a_row_ns"] = quantile(row.in_a_row, 0.5);
    rows.push_back(entry);
  }
  return rows;
}

/// Selects the candidates whose results agree with the textbook's, with a note for each other one.
/// Returns false if an implementation of this library does not agree.
bool choose(Task task, const Candidates& all, const BenchStates& states, const MatrixXd& expected,
            double tolerance, std::vector<Candidate*>& chosen, std::vector<std::string>& notes) {
  bool ours_agree = true;
  MatrixXd results(expected.rows(), expected.cols());
  for (const auto& candidate : all) {
    if (!candidate->can(task)) continue;
    candidate->compute_all(task, states, &results);
    const double error = difference(results, expected);
    if (error <= tolerance) {
      chosen.push_back(candidate.get());
      continue;
    }
    std::string note =
        candidate->name() + " differs by " + scientific(error) + " in " + to_string(task);
    if (candidate->is_peer() && error <= kPeerTolerance) {
      chosen.push_back(candidate.get());
    } else {
      note += " and is not timed";
    }
    notes.push_back(note);
    ours_agree = ours_agree && candidate->is_peer();
  }
  return ours_agree;
}

int bench(BenchCommand options) {
  Output output(STDOUT_FILENO);
  if (options.scaling) {
    const History times = measure_scaling(options.rounds);
    output.text() = scaling_text(times);
    output.flush();
    if (!options.plot.empty()) write_plot(options.plot, scaling_svg(times));
    return kSuccess;
  }
  options.model.load.friction = false;
  ModelReport report;
  const Model model = load_model(options.model, report);
  std::vector<std::string> notes;
  Candidates all;
  add_ours(model, all, notes);
  add_peers(model, options.peers, all, notes);
  const BenchStates states = random_states(model, options.states);
  nlohmann::json document{{"robot", model.name()}, {"dof", model.nv()}, {"isa", chosen_isa()}};
  const bool regular = model.why_forward_dynamics_fails().empty();
  const double condition = regular ? condition_number(*all[0], states) : 1.0;
  int exit_code = kSuccess;
  for (const Task task : kTasks) {
    if (needs_inverse(task) && !regular) continue;
    const Index rows = result_size(task, model.nv());
    const double tolerance = needs_inverse(task) ? condition * kTolerance : kTolerance;
    MatrixXd expected(rows, options.states);
    all[0]->compute_all(task, states, &expected);
    std::vector<Candidate*> candidates;
    if (!choose(task, all, states, expected, tolerance, candidates, notes)) exit_code = kFailure;
    // Times are printed as multiples of the kernel's.
    if (candidates.size() < 2 || candidates[1] != all[1].get()) break;
    const std::vector<Row> table = measure(options, task, states, candidates);
    if (options.json) {
      document[to_string(task)] = to_json(table);
    } else {
      write_text(task, table, output.text());
      output.flush();
    }
  }
  document["notes"] = notes;
  if (options.json) output.text() += document.dump(2) + '\n';
  if (!options.json) {
    for (const std::string& note : notes) output.text() += "note: " + note + '\n';
  }
  output.flush();
  return exit_code;
}

}  // namespace

void add_bench(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<BenchCommand>();
  CLI::App* const command = app.add_subcommand(
      "bench", "Measure the speed of each implementation and of other libraries");
  add_model_options(*command, options->model);
  command->get_option("robot")->required(false);
  command->add_option("--states", options->states, "Number of random states")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--rounds", options->rounds, "Number of interleaved rounds")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command
      ->add_option("--peers", options->peers, "Folder with the shared objects of other libraries")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "Write the table as JSON");
  command->add_flag("--scaling", options->scaling,
                    "Measure only the time per joint of chains of 7 to 10000 joints");
  command->add_option("--plot", options->plot, "With --scaling: plot the result")
      ->type_name(kPlotFile)
      ->check(CLI::Validator(plot_file_problem, "", "plot"));
  command->footer(kBenchFooter);
  command->callback([options, &exit_code] {
    if (options->model.file.empty() && !options->scaling) {
      throw CLI::RequiredError("robot or --scaling");
    }
    if (!options->plot.empty() && !options->scaling)
      throw CLI::RequiresError("--plot", "--scaling");
    exit_code = bench(*options);
  });
}

}  // namespace spatial_dynamics::cli
