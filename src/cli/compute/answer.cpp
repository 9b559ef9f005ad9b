#include "cli/compute/answer.hpp"

#include <stdexcept>

namespace spatial_dynamics::cli {

Answerer::Answerer(const Model& model, const std::string& backend)
    : model_(model),
      backend_name_(backend),
      backend_(make_backend(backend, model)),
      writer_(model) {}

void Answerer::answer(const State& state, std::string& out) {
  const std::size_t start = out.size();
  try {
    write(state.contacts.links.empty() ? state : with_contact_forces(state), out);
  } catch (const InputError&) {
    out.resize(start);
    throw;
  }
}

const State& Answerer::with_contact_forces(const State& state) {
  const std::vector<Contact>& contacts = state.contacts.contacts;
  if (!data_) data_.emplace(model_, Dense::kNone);
  forces_.emplace(model_, contacts.size());
  try {
    if (!contact_forces(model_, *data_, state.q.values, state.v.values, state.a.values, contacts,
                        *forces_, state.ground_friction, state.wrenches)) {
      throw InputError("contacts: " + explain(*forces_));
    }
  } catch (const std::invalid_argument& error) {  // a contact on a link that is fixed to the world
    throw InputError(error.what());
  }
  supported_ = state;
  supported_.wrenches = forces_->wrenches;
  return supported_;
}

void Answerer::write(const State& state, std::string& out) {
  writer_.begin(out, state.by_name);
  for (const RequestedQuantity& request : state.requests) {
    const std::string name = to_string(request, model_);
    writer_.key(name);
    if (request.quantity == Quantity::kContactForces) {
      writer_.contact_forces(state.contacts.links, forces_->forces);
    } else if (request.quantity == Quantity::kNeededFriction) {
      writer_.number(forces_->needed_friction);
    } else if (!backend_->write(state, request, writer_)) {
      throw InputError("backend " + backend_name_ + " does not compute " + name +
                       "; use --backend textbook or kernel");
    }
    if (!writer_.finite()) {
      throw InputError(name + " is not a finite number: the numbers of this state are too large");
    }
  }
  writer_.end();
}

}  // namespace spatial_dynamics::cli
