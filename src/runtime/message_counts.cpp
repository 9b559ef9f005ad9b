#include "message_counts.hpp"

#include <cstdint>
#include <cstring>

#include "messages.hpp"

namespace spatial_dynamics {
namespace {

/// Reads a message in XCDR1 or XCDR2, in either byte order.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) {
    constexpr std::size_t kHeader = 4;
    if (bytes.size() < kHeader || bytes[0] != 0) return;
    const auto encoding = static_cast<unsigned char>(bytes[1]);
    little_ = (encoding & 1U) != 0;
    second_ = encoding >= 6;
    rest_ = bytes.substr(kHeader);
  }

  [[nodiscard]] bool good() const noexcept { return good_; }

  std::uint32_t number() noexcept {
    position_ = (position_ + 3) / 4 * 4;
    if (position_ + 4 > rest_.size()) {
      good_ = false;
      return 0;
    }
    unsigned char b[4];
    std::memcpy(b, rest_.data() + position_, sizeof b);
    position_ += 4;
    const auto byte = [&b](int i) { return static_cast<std::uint32_t>(b[i]); };
    return little_ ? byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
                   : byte(3) | byte(2) << 8 | byte(1) << 16 | byte(0) << 24;
  }
  void skip_text() noexcept { position_ += number(); }
  /// The length of a sequence of texts or structs, whose elements follow.
  std::uint32_t length() noexcept {
    if (second_) (void)number();  // XCDR2 has the size in bytes before it
    return number();
  }
  /// std_msgs/Header.
  void skip_header() noexcept {
    (void)number();
    (void)number();
    skip_text();
  }

 private:
  std::string_view rest_;
  std::size_t position_ = 0;
  bool little_ = true;
  bool second_ = false;
  bool good_ = true;
};

std::string too_many(std::uint32_t count, const char* what, std::size_t most) {
  if (count <= most) return {};
  return "it has " + std::to_string(count) + ' ' + what + ", and at most " + std::to_string(most) +
         " are read";
}

}  // namespace

std::string check_joint_state_counts(std::string_view bytes) {
  Cursor cursor(bytes);
  cursor.skip_header();
  const std::uint32_t names = cursor.length();
  return cursor.good() ? too_many(names, "names", kMostNames) : std::string();
}

std::string check_trajectory_counts(std::string_view bytes) {
  Cursor cursor(bytes);
  cursor.skip_header();
  const std::uint32_t names = cursor.length();
  if (!cursor.good()) return {};
  if (std::string reason = too_many(names, "names", kMostNames); !reason.empty()) return reason;
  for (std::uint32_t i = 0; i < names && cursor.good(); ++i) cursor.skip_text();
  const std::uint32_t points = cursor.length();
  return cursor.good() ? too_many(points, "points", kMostPoints) : std::string();
}

}  // namespace spatial_dynamics
