// Measures the node against a bare echo, each in its own process.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/options.hpp"
#include "cli/nodes/common/child.hpp"
#include "cli/nodes/latency/latency_figures.hpp"
#include "cli/nodes/latency/questions.hpp"
#include "cli/nodes/latency/round_trip.hpp"
#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics::cli {

struct LatencyOptions {
  ModelOptions model;       ///< without a file: the shipped arm
  int rounds = 20;          ///< of `trips` round trips to each peer
  int trips = 200;          ///< per round and peer
  double rate_hz = 1000.0;  ///< of the states to each peer, and of the fixed-rate loop
  bool json = false;
};

/// The measurement has several sections, each with new processes, so that the result does not
/// depend on the memory layout of one process. In a section, the node with `trigger: state` and the
/// echo get states alternately, half a period apart, so that other load affects both equally. Then
/// the node with its fixed-rate loop is measured alone.
///
/// Every torque is compared with the library's. Allocates; throws std::runtime_error.
class LatencyRun {
 public:
  explicit LatencyRun(const LatencyOptions& options);
  LatencyReport run();

 private:
  struct Peer {
    Child& child;
    RoundTrip& trip;
    RoundTrips& trips;
    bool computes;  // else it returns the efforts of the state
  };

  void measure_against_echo(int rounds);
  void measure_timed();
  void round(Peer& first, Peer& second);
  void meet(Peer& peer);
  std::optional<double> ask(Peer& peer);
  void check(const Peer& peer, const Question& question);
  [[nodiscard]] std::vector<std::string> node_arguments(const char* command, double rate_hz,
                                                        const char* trigger) const;

  LatencyOptions options_;
  std::string namespace_;
  Model model_;
  std::vector<ScalarCoordinate> coordinates_;
  std::vector<std::string> names_;
  std::vector<Question> questions_;
  std::size_t next_question_ = 0;
  std::vector<LoopTiming> timings_;
  LatencyReport report_;
  std::unique_ptr<dds::Node> node_;
};

}  // namespace spatial_dynamics::cli
