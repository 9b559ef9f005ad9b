// Any text as a log gives finite samples, or a rejection in one sentence.
#include "fuzz/fuzz.hpp"
#include "identification/log_problem.hpp"
#include "identification/text_log.hpp"
#include "spatial_dynamics/identification/log_samples.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spatial_dynamics;
  static const std::vector<ScalarCoordinate> kJoints{{"a", 1, 0, 0, false}, {"b", 2, 1, 1, true}};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are text here
  MemoryBytes bytes({reinterpret_cast<const char*>(data), size});
  try {
    const RobotLog log = to_log({read_text_log("log", bytes, kJoints)}, kJoints);
    fuzz::expect(
        log.q.allFinite() && log.v.allFinite() && log.a.allFinite() && log.effort.allFinite(),
        "numbers of a log are finite");
    for (std::size_t i = 1; i < log.time.size(); ++i) {
      fuzz::expect(log.time[i] >= log.time[i - 1], "times of a log increase");
    }
    for (std::size_t s = 0; s < log.segments.size(); ++s) {
      const Index next = s + 1 < log.segments.size() ? log.segments[s + 1].first : log.size();
      fuzz::expect(log.segments[s].first < next, "a segment has samples");
    }
    const LogSamples samples = make_samples(log, 0.0);
    fuzz::expect(samples.size() <= log.size(), "the filter adds no samples");
  } catch (const LogError& error) {
    fuzz::expect_sentence(error.what());
  } catch (const LogProblem& problem) {
    fuzz::expect_sentence(problem.what());
  }
  return 0;
}
