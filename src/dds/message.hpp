// Messages that own their memory, and access to their strings and sequences. Cyclone's C structs
// own their parts through plain pointers; all code that allocates and frees them is in this file.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "dds/messages.hpp"

namespace spatial_dynamics::dds {

/// A message with everything that it points to. It starts with zeros, empty strings and empty
/// sequences. assign() and resize() keep its memory, so filling it repeatedly allocates only if a
/// string or sequence becomes longer than ever before.
template <typename T>
class Message {
 public:
  Message() noexcept = default;
  ~Message() { clear(); }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  Message(Message&& other) noexcept : value_(other.value_) { other.value_ = T{}; }
  Message& operator=(Message&& other) noexcept {
    if (this != &other) {
      clear();
      value_ = other.value_;
      other.value_ = T{};
    }
    return *this;
  }

  [[nodiscard]] T& operator*() noexcept { return value_; }
  [[nodiscard]] const T& operator*() const noexcept { return value_; }
  [[nodiscard]] T* operator->() noexcept { return &value_; }
  [[nodiscard]] const T* operator->() const noexcept { return &value_; }

  /// Sets the message to zero and frees its memory.
  void clear() noexcept {
    dds_sample_free(&value_, &descriptor<T>(), DDS_FREE_CONTENTS);
    value_ = T{};
  }

 private:
  T value_{};
};

/// Copies a text into a message. Allocates only if the previous text is shorter.
inline void assign(char*& field, std::string_view text) {
  if (field == nullptr || std::strlen(field) < text.size()) {
    field = static_cast<char*>(dds_realloc(field, text.size() + 1));
  }
  if (!text.empty()) std::memcpy(field, text.data(), text.size());
  field[text.size()] = '\0';
}
inline void assign(double& field, double value) noexcept { field = value; }

/// Sets the number of elements of a sequence. Elements that never existed before are zero; others
/// keep their old contents and must be assigned. Allocates only if the sequence has never been that
/// long.
template <typename Sequence>
void resize(Sequence& sequence, std::size_t size) {
  using Element = std::remove_reference_t<decltype(*sequence._buffer)>;
  static_assert(std::is_trivially_copyable_v<Element>);
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("a sequence of a message can't be that long");
  }
  if (size > sequence._maximum) {
    sequence._buffer = static_cast<Element*>(dds_realloc(sequence._buffer, size * sizeof(Element)));
    std::memset(static_cast<void*>(sequence._buffer + sequence._maximum), 0,
                (size - sequence._maximum) * sizeof(Element));
    sequence._maximum = static_cast<std::uint32_t>(size);
    sequence._release = true;
  }
  sequence._length = static_cast<std::uint32_t>(size);
}

/// Copies numbers or texts into a message: `assign(state->name, names); assign(state->effort,
/// tau);`.
template <typename Sequence, typename Range, typename = decltype(std::declval<Sequence&>()._buffer)>
void assign(Sequence& sequence, const Range& values) {
  resize(sequence, static_cast<std::size_t>(values.size()));
  std::uint32_t i = 0;
  for (const auto& value : values) assign(sequence._buffer[i++], value);
}

/// A text of a message; empty if it is missing.
inline std::string_view text(const char* field) noexcept {
  return field == nullptr ? std::string_view{} : std::string_view{field};
}

/// A read-only view of a message's sequence, valid while the message lives. Texts are returned as
/// std::string_view. Real-time safe.
template <typename Element>
class SequenceView {
 public:
  SequenceView(const Element* data, std::size_t size) noexcept : data_(data), size_(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const Element* data() const noexcept { return data_; }
  [[nodiscard]] decltype(auto) operator[](std::size_t i) const noexcept {
    if constexpr (std::is_same_v<Element, char*>) {
      return text(data_[i]);
    } else {
      return (data_[i]);
    }
  }

  class Iterator {
   public:
    Iterator(const SequenceView& view, std::size_t at) noexcept : view_(&view), at_(at) {}
    decltype(auto) operator*() const noexcept { return (*view_)[at_]; }
    Iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const noexcept { return at_ != other.at_; }

   private:
    const SequenceView* view_;
    std::size_t at_;
  };
  [[nodiscard]] Iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] Iterator end() const noexcept { return {*this, size_}; }

 private:
  const Element* data_;
  std::size_t size_;
};

/// `for (const std::string_view name : view(state.name))`, `view(state.position)[i]`.
template <typename Sequence>
auto view(const Sequence& sequence) noexcept {
  using Element = std::remove_reference_t<decltype(*sequence._buffer)>;
  return SequenceView<Element>(sequence._buffer, sequence._length);
}

/// A mutable view of a message's sequence: `for (double& effort : elements(state->effort)) effort
/// *= 2.0;`.
template <typename Element>
class Elements {
 public:
  Elements(Element* data, std::size_t size) noexcept : data_(data), size_(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Element& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] Element* begin() const noexcept { return data_; }
  [[nodiscard]] Element* end() const noexcept { return data_ + size_; }

 private:
  Element* data_;
  std::size_t size_;
};
template <typename Sequence>
auto elements(Sequence& sequence) noexcept {
  using Element = std::remove_reference_t<decltype(*sequence._buffer)>;
  return Elements<Element>(sequence._buffer, sequence._length);
}

/// ROS time as one number, and back.
inline std::int64_t nanoseconds(const Time& time) noexcept {
  return std::int64_t{time.sec} * 1'000'000'000 + time.nanosec;
}
inline std::int64_t nanoseconds(const Duration& duration) noexcept {
  return std::int64_t{duration.sec} * 1'000'000'000 + duration.nanosec;
}
template <typename TimeOrDuration = Time>
TimeOrDuration from_nanoseconds(std::int64_t count) noexcept {
  std::int64_t seconds = count / 1'000'000'000;
  std::int64_t rest = count % 1'000'000'000;
  if (rest < 0) {  // nanosec is unsigned: -0.25 s is -1 s and 0.75 s
    --seconds;
    rest += 1'000'000'000;
  }
  return {static_cast<std::int32_t>(seconds), static_cast<std::uint32_t>(rest)};
}

}  // namespace spatial_dynamics::dds
