// What the fuzz targets share. libFuzzer calls LLVMFuzzerTestOneInput with bytes that it has made
// up; a target that aborts, or is aborted by a sanitizer, has found something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace spatial_dynamics::fuzz {

/// A law that must hold, whatever the bytes. Costs nothing while it does: it is asked some hundred
/// times per execution.
inline void expect(bool holds, std::string_view law, std::string_view seen = "") {
  if (holds) return;
  std::fprintf(stderr, "BROKEN: %.*s %.*s\n", static_cast<int>(law.size()), law.data(),
               static_cast<int>(seen.size()), seen.data());
  std::abort();
}

/// A rejection is one sentence that a person can read: no control characters, not endless.
inline void expect_sentence(std::string_view sentence) {
  expect(!sentence.empty() && sentence.size() < 4000, "a rejection is a sentence:", sentence);
  for (const char c : sentence) {
    expect(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f,
           "a sentence has no control characters");
  }
}

}  // namespace spatial_dynamics::fuzz
