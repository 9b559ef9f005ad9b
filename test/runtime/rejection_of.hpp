#pragma once

#include <gtest/gtest.h>

#include <string>

#include "runtime/parameters.hpp"

namespace spatial_dynamics::test {

/// The sentence of the ParameterError that `call` throws.
template <typename Call>
std::string rejection_of(const char* parameter, const Call& call) {
  try {
    call();
    ADD_FAILURE() << parameter << " was accepted";
  } catch (const ParameterError& error) {
    EXPECT_EQ(error.parameter(), parameter);
    return error.what();
  }
  return "";
}

}  // namespace spatial_dynamics::test
