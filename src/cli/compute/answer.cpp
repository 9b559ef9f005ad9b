#include "cli/compute/answer.hpp"

namespace spatial_dynamics::cli {

Answerer::Answerer(const Model& model, const std::string& backend)
    : model_(model),
      backend_name_(backend),
      backend_(make_backend(backend, model)),
      writer_(model) {}

void Answerer::answer(const State& state, std::string& out) {
  const std::size_t start = out.size();
  try {
    writer_.begin(out, state.by_name);
    for (const RequestedQuantity& request : state.requests) {
      const std::string name = to_string(request, model_);
      writer_.key(name);
      if (!backend_->write(state, request, writer_)) {
        throw InputError("backend " + backend_name_ + " does not compute " + name +
                         "; use --backend textbook or kernel");
      }
      if (!writer_.finite()) {
        throw InputError(name + " is not a finite number: the numbers of this state are too large");
      }
    }
    writer_.end();
  } catch (const InputError&) {
    out.resize(start);
    throw;
  }
}

}  // namespace spatial_dynamics::cli
