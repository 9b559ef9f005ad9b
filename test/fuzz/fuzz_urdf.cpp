// Any text as a URDF gives a model whose dynamics are numbers, or a rejection in one sentence.
#include "fuzz/fuzz.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spatial_dynamics;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are text here
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  LoadOptions options;
  options.floating_base = size % 2 == 1;
  ModelReport report;
  try {
    const Model model = load_urdf(text, options, &report);
    fuzz::expect(model.nv() == report.dof, "the report counts what the model has");
    if (model.nv() > 200) return 0;  // matrices would only cost time
    Data state(model);
    const VectorXd q = neutral_configuration(model);
    const VectorXd zero = VectorXd::Zero(model.nv());
    fuzz::expect(inverse_dynamics(model, state, q, zero, zero).allFinite(), "torques are finite");
    if (model.why_forward_dynamics_fails().empty()) {
      fuzz::expect(forward_dynamics(model, state, q, zero, zero).allFinite(),
                   "accelerations are finite");
    }
  } catch (const ModelError& error) {
    fuzz::expect_sentence(error.what());
    fuzz::expect(!error.element().empty(), "a rejection names an element");
  }
  return 0;
}
