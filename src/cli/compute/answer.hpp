// The answer to one state: the requested quantities as JSON.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/compute/answer_writer.hpp"
#include "cli/compute/backend.hpp"
#include "cli/compute/state_reader.hpp"

namespace spatial_dynamics::cli {

/// Computes the quantities that a state requests, all by the chosen backend. The forces at contacts
/// are computed first and added to the state's wrenches.
class Answerer {
 public:
  /// The model must outlive the answerer. Allocates.
  explicit Answerer(const Model& model, const std::string& backend = "textbook");

  /// Appends {"id":…,…} to `out`. Throws InputError, with `out` unchanged, if a quantity does not
  /// exist at this state or the backend does not compute it.
  void answer(const State& state, std::string& out);

 private:
  void write(const State& state, std::string& out);
  const State& with_contact_forces(const State& state);

  const Model& model_;
  std::string backend_name_;
  std::unique_ptr<Backend> backend_;
  AnswerWriter writer_;
  // Since the first state with contacts.
  std::optional<Data> data_;
  std::optional<ContactForces> forces_;
  State supported_;  // the last such state, with the forces
};

}  // namespace spatial_dynamics::cli
