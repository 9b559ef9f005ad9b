#include "model_object.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "spatial_dynamics/model/inertial_parameters.hpp"

namespace spatial_dynamics::python {
namespace {

/// States of one piece of a batch: few enough that the arguments and results stay in the cache and
/// that the largest result, the regressor, takes some megabytes.
Index capacity_for(const Model& model) {
  constexpr Index kMost = 256, kLeast = 8, kNumbers = Index{1} << 20;
  const Index largest = std::max<Index>(1, model.nv() * kInertialParameters * model.link_count());
  return std::clamp(kNumbers / largest / kLeast * kLeast, kLeast, kMost);
}

}  // namespace

Worker::Worker(const Model& model) : batch(model, capacity_for(model)), forces(model) {}

std::vector<std::unique_ptr<Worker>> DataObject::take_workers(const Model& model, Index count,
                                                              Dense dense) {
  std::vector<std::unique_ptr<Worker>> workers;
  while (static_cast<Index>(workers.size()) < count) {
    if (idle_.empty()) {
      workers.push_back(std::make_unique<Worker>(model));
    } else {
      workers.push_back(std::move(idle_.back()));
      idle_.pop_back();
    }
    if (!workers.back()->batch.is_reserved(dense)) workers.back()->batch.reserve(dense);
  }
  return workers;
}

void DataObject::return_workers(std::vector<std::unique_ptr<Worker>> workers) {
  std::move(workers.begin(), workers.end(), std::back_inserter(idle_));
}

Model& ModelObject::to_change(const char* what) {
  if (running > 0) {
    throw std::runtime_error(std::string(what) + " of model '" + model.name() +
                             "' can't change while a batch of this model runs in another thread. "
                             "Wait for the batch, or use a copy of the model.");
  }
  return model;
}

Types& types() noexcept {
  static Types instance;
  return instance;
}

}  // namespace spatial_dynamics::python
