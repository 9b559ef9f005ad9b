#include "identification/mcap_log.hpp"

#include <map>

#include "identification/log_problem.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::uint64_t kLargestRecord = std::uint64_t{1}
                                         << 30U;  // bytes, also of an unpacked chunk

enum Opcode : unsigned char {
  kHeader = 0x01,
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kDataEnd = 0x0F,
};

/// Little-endian fields of a record. After a read beyond its end ok() is false.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T number() {
    if (bytes_.size() < sizeof(T)) {
      ok_ = false;
      bytes_ = {};
      return T{};
    }
    std::uint64_t value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) {
      value = (value << 8U) | static_cast<unsigned char>(bytes_[i]);
    }
    bytes_.remove_prefix(sizeof(T));
    return static_cast<T>(value);
  }
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) {
      ok_ = false;
      size = bytes_.size();
    }
    const std::string_view taken = bytes_.substr(0, static_cast<std::size_t>(size));
    bytes_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view text() { return take(number<std::uint32_t>()); }
  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] std::string_view rest() const noexcept { return bytes_; }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

class McapReader {
 public:
  McapReader(ByteSource& bytes, JointStateTopics& topics) : bytes_(bytes), topics_(topics) {}

  std::string read() {
    std::string magic;
    if (!bytes_.read_exactly(kMcapMagic.size(), magic) || magic != kMcapMagic) {
      throw LogProblem("is not an MCAP file");
    }
    for (;;) {
      std::string head;
      if (!bytes_.read_exactly(1 + sizeof(std::uint64_t), head))
        return cut_off("between two records");
      RecordReader fields(head);
      const auto opcode = fields.number<unsigned char>();
      const auto size = fields.number<std::uint64_t>();
      if (opcode == kDataEnd || opcode == kFooter) return {};
      if (opcode == 0) throw LogProblem("has a damaged record (opcode 0)");
      if (!is_needed(opcode)) {
        if (!bytes_.skip(size)) return cut_off("within a record");
        continue;
      }
      if (size > kLargestRecord) throw LogProblem("has a record that claims " + size_text(size));
      std::string content;
      if (!bytes_.read_exactly(static_cast<std::size_t>(size), content)) {
        return cut_off(opcode == kChunk ? "within a chunk" : "within a record");
      }
      if (opcode == kChunk) {
        read_chunk(content);
      } else {
        read_record(opcode, content);
      }
    }
  }

 private:
  struct ChannelTopic {
    std::string name;
    std::uint16_t schema = 0;
    std::size_t topic = 0;
  };

  static bool is_needed(unsigned char opcode) {
    return opcode == kSchema || opcode == kChannel || opcode == kMessage || opcode == kChunk;
  }

  static std::string size_text(std::uint64_t size) {
    return std::to_string(size) + " bytes; at most 1 GiB is read";
  }

  [[nodiscard]] std::string cut_off(const std::string& where) const {
    return "is cut off " + where + "; the " + count_text(messages_, "message") + " before that " +
           (messages_ == 1 ? "is" : "are") + " read";
  }

  void read_chunk(std::string_view content) {
    const std::string where = "chunk " + std::to_string(++chunks_);
    RecordReader chunk(content);
    (void)chunk.number<std::uint64_t>();  // first time
    (void)chunk.number<std::uint64_t>();  // last time
    const auto size = chunk.number<std::uint64_t>();
    const auto checksum = chunk.number<std::uint32_t>();
    const std::string compression(chunk.text());
    const std::string_view packed = chunk.take(chunk.number<std::uint64_t>());
    if (!chunk.ok()) throw LogProblem("has a damaged record (" + where + ")");
    if (size > kLargestRecord) throw LogProblem("has a chunk that claims " + size_text(size));
    std::string unpacked;
    std::string_view records = packed;
    try {
      if (compression == "zstd") {
        records = unpacked = decompress_zstd(packed, static_cast<std::size_t>(size));
      } else if (compression == "lz4") {
        records = unpacked = decompress_lz4(packed, static_cast<std::size_t>(size));
      } else if (!compression.empty()) {
        throw LogProblem("has the compression " + in_quotes(compression) +
                         "; only zstd, lz4 and none are read");
      } else if (packed.size() != size) {
        throw LogProblem("claims " + std::to_string(size) + " bytes but holds " +
                         std::to_string(packed.size()));
      }
    } catch (const LogProblem& error) {
      throw LogProblem("is damaged: " + where + " " + error.what());
    }
    if (checksum != 0 && checksum != crc32(records)) {
      throw LogProblem("is damaged: the checksum of " + where + " does not match its content");
    }
    for (RecordReader in(records); !in.rest().empty();) {
      const auto opcode = in.number<unsigned char>();
      const std::string_view record = in.take(in.number<std::uint64_t>());
      if (!in.ok() || opcode == kChunk) {
        throw LogProblem("is damaged: " + where + " has a damaged record");
      }
      read_record(opcode, record);
    }
  }

  void read_record(unsigned char opcode, std::string_view content) {
    RecordReader record(content);
    if (opcode == kSchema) {
      const auto id = record.number<std::uint16_t>();
      const std::string name(record.text());
      if (record.ok() && id != 0) schemas_[id] = name;
    } else if (opcode == kChannel) {
      const auto id = record.number<std::uint16_t>();
      ChannelTopic channel;
      channel.schema = record.number<std::uint16_t>();
      channel.name = std::string(record.text());
      const std::string encoding(record.text());
      if (record.ok()) add_channel(id, std::move(channel), encoding);
    } else if (opcode == kMessage) {
      const auto id = record.number<std::uint16_t>();
      (void)record.number<std::uint32_t>();  // sequence
      const auto received = record.number<std::uint64_t>();
      (void)record.number<std::uint64_t>();  // sent
      if (record.ok()) add_message(id, received, record.rest());
    }
    if (!record.ok()) {
      throw LogProblem("has a damaged record (opcode " + std::to_string(opcode) + ")");
    }
  }

  void add_channel(std::uint16_t id, ChannelTopic channel, const std::string& encoding) {
    const auto known = channels_.find(id);
    if (known != channels_.end()) {
      if (known->second.name == channel.name && known->second.schema == channel.schema) return;
      throw LogProblem("is damaged: channel " + std::to_string(id) + " has two topics");
    }
    const auto schema = schemas_.find(channel.schema);
    channel.topic =
        topics_.topic(channel.name, schema == schemas_.end() ? "" : schema->second, encoding);
    channels_.emplace(id, std::move(channel));
  }

  void add_message(std::uint16_t id, std::uint64_t received, std::string_view data) {
    const auto channel = channels_.find(id);
    if (channel == channels_.end()) {
      throw LogProblem("is damaged: a message is on the unknown channel " + std::to_string(id));
    }
    if (!topics_.wanted(channel->second.topic)) return;
    topics_.message(channel->second.topic, static_cast<std::int64_t>(received), data);
    ++messages_;
  }

  ByteSource& bytes_;
  JointStateTopics& topics_;
  std::map<std::uint16_t, std::string> schemas_;
  std::map<std::uint16_t, ChannelTopic> channels_;
  std::size_t chunks_ = 0, messages_ = 0;
};

}  // namespace

std::string read_mcap(ByteSource& bytes, JointStateTopics& topics) {
  return McapReader(bytes, topics).read();
}

}  // namespace spatial_dynamics
