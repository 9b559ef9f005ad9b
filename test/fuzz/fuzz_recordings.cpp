// Any bytes as a recording give rows of a log, or a rejection in one sentence, and no more memory
// than the bytes justify. The first byte selects the reader.
#include "fuzz/fuzz.hpp"
#include "identification/log_problem.hpp"
#include "identification/mcap_log.hpp"
#include "identification/sqlite_log.hpp"

namespace spatial_dynamics::fuzz {
namespace {

void read_recording(char kind, std::string_view bytes) {
  static const std::vector<ScalarCoordinate> kJoints{{"a", 1, 0, 0, false}, {"b", 2, 1, 1, true}};
  static const LogReadOptions kOptions;
  JointStateTopics topics(kJoints, kOptions);
  JointStateMessage message;
  constexpr std::size_t kLimit = std::size_t{1} << 22U;
  switch (kind) {
    case 'm': {  // a file in MCAP
      MemoryBytes source(bytes);
      const std::string note = read_mcap(source, topics);
      if (!note.empty()) expect_sentence(note);
      break;
    }
    case 'r': {  // its records
      const std::string file = std::string(kMcapMagic).append(bytes);
      MemoryBytes source(file);
      (void)read_mcap(source, topics);
      break;
    }
    case 's':
      read_sqlite_bytes(bytes, topics);
      break;
    case 'z': {
      MemoryBytes source(bytes);
      ZstdBytes unpacked(source);
      std::string all;
      (void)unpacked.read_exactly(kLimit, all);
      (void)decompress_zstd_up_to(bytes, kLimit);
      return;
    }
    case 'l':
      (void)decompress_lz4(bytes, kLimit);
      return;
    default:  // a message
      if (decode_joint_state(bytes, message).empty()) {
        expect(8 * (message.position.size() + message.velocity.size() + message.effort.size()) <=
                   bytes.size(),
               "a message has no more numbers than bytes");
      }
      return;
  }
  const LogTable table = topics.choose();
  expect(table.rows() > 0, "a chosen topic has rows");
  (void)to_log({table}, kJoints);
}

}  // namespace
}  // namespace spatial_dynamics::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spatial_dynamics;
  if (size == 0) return 0;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are text here
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    fuzz::read_recording(bytes[0], bytes.substr(1));
  } catch (const LogError& error) {
    fuzz::expect_sentence(error.what());
  } catch (const LogProblem& problem) {
    fuzz::expect_sentence(problem.what());
  }
  return 0;
}
