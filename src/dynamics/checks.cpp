#include "checks.hpp"

#include <stdexcept>
#include <string>

namespace spatial_dynamics {
namespace {

[[noreturn]] void fail(const char* function, const Model& model, const std::string& sentence) {
  throw std::invalid_argument(std::string(function) + "() on model '" + model.name() +
                              "': " + sentence);
}

std::string numbers(Index count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

void Checks::wrong_model() const {
  fail(function_, model_, "the data belongs to another model. Construct one from this model.");
}
void Checks::moved_from() const {
  fail(function_, model_, "the data was moved from. Construct one from this model.");
}
void Checks::empty_model() const {
  fail(function_, model_, "the model is empty or was moved from. Load or build one.");
}
void Checks::wrong_size(const char* argument, Index size, Index expected) const {
  fail(function_, model_,
       std::string(argument) + " has " + numbers(size, "number") + ", expected " +
           std::to_string(expected) + ".");
}
void Checks::wrong_rows(const char* argument, Index rows, Index expected) const {
  fail(function_, model_,
       std::string(argument) + " has " + numbers(rows, "row") + ", expected " +
           std::to_string(expected) + ".");
}
void Checks::wrong_columns(const char* argument, Index columns, Index expected) const {
  fail(function_, model_,
       std::string(argument) + " has " + numbers(columns, "column") + ", expected " +
           std::to_string(expected) + ", one per state.");
}
void Checks::over_capacity(const char* argument, Index columns, Index capacity) const {
  fail(function_, model_,
       std::string(argument) + " has " + numbers(columns, "column") +
           ", but the BatchData was constructed for " + numbers(capacity, "state") + ".");
}
void Checks::wrong_forces(const ExternalForces& external) const {
  fail(function_, model_,
       "the external forces have " + std::to_string(external.body_count()) + " bodies, expected " +
           std::to_string(model_.body_count()) + ". Construct ExternalForces from this model.");
}
void Checks::violated(const std::string& sentence) const { fail(function_, model_, sentence); }
void Checks::not_reserved(const char* data_class, const char* dense) const {
  fail(function_, model_,
       std::string("no memory is reserved for its result. Call ") + data_class +
           "::reserve(Dense::" + dense + ") once, outside of the loop.");
}

}  // namespace spatial_dynamics
