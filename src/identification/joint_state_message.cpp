#include "identification/joint_state_message.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::size_t kEncapsulation = 4;  // bytes before the data, not part of the alignment

/// Reads primitive types from CDR. After a read beyond the end ok() is false and numbers are 0.
class CdrReader {
 public:
  CdrReader(std::string_view data, bool big_endian, std::size_t largest_alignment)
      : data_(data), big_endian_(big_endian), largest_alignment_(largest_alignment) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] std::size_t rest() const noexcept { return data_.size() - at_; }

  template <typename T>
  T number() {
    std::array<char, sizeof(T)> bytes{};
    const std::size_t alignment = std::min(sizeof(T), largest_alignment_);
    const std::size_t start = (at_ + alignment - 1) / alignment * alignment;
    if (!ok_ || start > data_.size() || data_.size() - start < sizeof(T)) {
      ok_ = false;
      return T{};
    }
    std::memcpy(bytes.data(), data_.data() + start, sizeof(T));
    if (big_endian_) std::reverse(bytes.begin(), bytes.end());  // this machine is little endian
    at_ = start + sizeof(T);
    T value{};
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }

  /// A string with its length, which includes the terminating zero.
  std::string text() {
    const auto size = number<std::uint32_t>();
    if (!ok_ || size > rest()) {
      ok_ = false;
      return {};
    }
    std::string value(data_.substr(at_, size));
    at_ += size;
    if (!value.empty() && value.back() == '\0') value.pop_back();
    return value;
  }

  /// The length of a sequence whose elements take at least `element` bytes each.
  std::uint32_t length(std::size_t element) {
    const auto count = number<std::uint32_t>();
    if (ok_ && count <= rest() / element) return count;
    ok_ = false;
    return 0;
  }

 private:
  std::string_view data_;
  bool big_endian_;
  std::size_t largest_alignment_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

bool read_array(CdrReader& in, std::vector<double>& values) {
  values.resize(in.length(sizeof(double)));
  for (double& value : values) value = in.number<double>();
  return in.ok();
}

/// A number, also "nan" and "inf".
bool echo_number(std::string_view field, double& value) {
  if (field == "nan" || field == "-nan") {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  if (field == "inf" || field == "-inf") {
    value = std::numeric_limits<double>::infinity();
    return true;
  }
  return parse_number(field, value);
}

/// Reads `count` numbers from the fields at `at`, or an empty array, which is one empty field.
bool echo_array(const std::vector<std::string_view>& fields, std::size_t count, std::size_t& at,
                std::vector<double>& values) {
  values.clear();
  if (at < fields.size() && fields[at].empty()) {
    ++at;
    return true;
  }
  if (fields.size() - at < count) return false;
  values.resize(count);
  for (double& value : values) {
    if (!echo_number(fields[at++], value)) return false;
  }
  return true;
}

}  // namespace

std::string decode_joint_state(std::string_view bytes, JointStateMessage& message) {
  if (bytes.size() < kEncapsulation) return "it is empty";
  const auto kind = static_cast<unsigned char>(bytes[1]);
  // 0 and 1: XCDR1; 6 and 7: XCDR2 of a final type, which aligns to at most 4. Odd: little endian.
  if (bytes[0] != 0 || (kind != 0 && kind != 1 && kind != 6 && kind != 7)) {
    return "its encoding is not CDR";
  }
  CdrReader in(bytes.substr(kEncapsulation), kind % 2 == 0, kind < 2 ? 8 : 4);
  const auto seconds = in.number<std::int32_t>();
  const auto nanoseconds = in.number<std::uint32_t>();
  message.stamp = std::int64_t{seconds} * 1'000'000'000 + nanoseconds;
  (void)in.text();
  if (!in.ok()) return "it ends within its header";
  message.name.resize(in.length(sizeof(std::uint32_t)));
  for (std::string& name : message.name) name = in.text();
  if (!in.ok()) return "it ends within its names";
  if (!read_array(in, message.position)) return "it ends within its positions";
  if (!read_array(in, message.velocity)) return "it ends within its velocities";
  if (!read_array(in, message.effort)) return "it ends within its efforts";
  return {};
}

bool parse_echo_line(std::string_view line, JointStateMessage& message) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  constexpr std::size_t kFirstName = 3;
  double seconds = 0.0, nanoseconds = 0.0;
  if (fields.size() < kFirstName + 4 || !parse_number(fields[0], seconds) ||
      !parse_number(fields[1], nanoseconds) || std::abs(seconds) > 2147483648.0 ||
      seconds != std::floor(seconds) || nanoseconds < 0.0 || nanoseconds >= 1e9) {
    return false;
  }
  message.stamp =
      static_cast<std::int64_t>(seconds) * 1'000'000'000 + static_cast<std::int64_t>(nanoseconds);
  message.name.clear();
  std::size_t at = kFirstName;
  double number = 0.0;
  while (at < fields.size() && !fields[at].empty() && !echo_number(fields[at], number)) {
    message.name.emplace_back(fields[at++]);
  }
  const std::size_t count = message.name.size();
  return count > 0 && echo_array(fields, count, at, message.position) &&
         echo_array(fields, count, at, message.velocity) &&
         echo_array(fields, count, at, message.effort) && at == fields.size();
}

}  // namespace spatial_dynamics
