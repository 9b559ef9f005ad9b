// The answer to one state: calls the algorithms, writes the results.
#pragma once

#include <string>

#include "answer_writer.hpp"
#include "backend.hpp"
#include "spatial_dynamics/algorithms/data.hpp"
#include "state_reader.hpp"

namespace spatial_dynamics::cli {

/// Computes what a state wants: id, fd and mass_matrix by the chosen backend, all else by the textbook.
class Answerer {
 public:
  /// The model must outlive the answerer. Allocates.
  explicit Answerer(const Model& model, const std::string& backend = "textbook");

  /// Appends {"id":…,…} to `out`. Throws InputError where a quantity does not exist at this state; `out` is then as it was.
  void answer(const State& state, std::string& out);

 private:
  void write(const State& state, const Want& want);
  void write_matrix_inverse(const State& state);
  void write_id_derivatives(const State& state);
  void write_fd_derivatives(const State& state);
  void write_regressor(const State& state);
  const VectorXd& acceleration_from_forces(const State& state);
  /// Throws InputError unless forces determine an acceleration.
  void require_forward_dynamics() const;
  void update_positions(const State& state);

  const Model& model_;
  Data data_;
  std::unique_ptr<Backend> backend_;
  Matrix6X jacobian_;
  AnswerWriter writer_;
  bool positions_current_ = false;
};

}  // namespace spatial_dynamics::cli
