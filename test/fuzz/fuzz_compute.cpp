// Any text as a line of states gives an answer that is JSON with finite numbers, or a rejection in
// one sentence.
#include <nlohmann/json.hpp>

#include "cli/compute/answer.hpp"
#include "cli/compute/state_reader.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/robots.hpp"
#include "support/text.hpp"

namespace {

using namespace spatial_dynamics;

struct Machine {
  explicit Machine(const char* urdf, bool floating_base) {
    LoadOptions options;
    options.floating_base = floating_base;
    model = load_urdf(urdf, options, &report);
    states.emplace(model, report);
    answers.emplace(model);
  }
  ModelReport report;
  Model model = load_urdf(fuzz::kFinger);
  std::optional<cli::StateReader> states;
  std::optional<cli::Answerer> answers;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Machine fixed(fuzz::kFinger, false);
  static Machine floating(fuzz::kFinger, true);
  if (size == 0) return 0;
  Machine& machine = data[0] % 2 == 0 ? fixed : floating;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are text here
  const std::string_view line(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string out;
  try {
    machine.answers->answer(machine.states->read(line), out);
    const auto json = nlohmann::json::parse(out, nullptr, false);
    fuzz::expect(json.is_object(), "an answer is an object:", out);
    fuzz::expect(out.find("nan") == std::string::npos && out.find("inf") == std::string::npos,
                 "numbers are finite");
  } catch (const cli::InputError& error) {
    fuzz::expect(out.empty(), "a rejected line has no answer");
    std::string quoted;
    append_json_string(quoted, error.what());
    fuzz::expect(nlohmann::json::accept(quoted), "a rejection can be quoted:", quoted);
  }
  return 0;
}
