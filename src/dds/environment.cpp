#include "dds/environment.hpp"

#include <cstdlib>

namespace spatial_dynamics::dds {

Environment process_environment() {
  return [](const std::string& name) {
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): see the header
    return std::string(value == nullptr ? "" : value);
  };
}

}  // namespace spatial_dynamics::dds
