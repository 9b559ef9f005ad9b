// What the fuzz targets share. libFuzzer calls LLVMFuzzerTestOneInput with bytes that it has made up; a target that aborts, or is
// aborted by a sanitizer, has found something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace spatial_dynamics::fuzz {

/// A law that must hold, whatever the bytes.
inline void expect(bool holds, const std::string& law) {
  if (holds) return;
  std::fprintf(stderr, "BROKEN: %s\n", law.c_str());
  std::abort();
}

/// A refusal is one sentence that a person can read: no control characters, not endless.
inline void expect_sentence(const std::string& sentence) {
  expect(!sentence.empty() && sentence.size() < 4000, "a refusal is a sentence: " + sentence);
  for (const char c : sentence) {
    expect(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f,
           "a sentence has no control characters");
  }
}

}  // namespace spatial_dynamics::fuzz
