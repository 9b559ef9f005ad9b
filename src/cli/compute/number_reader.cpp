#include "cli/compute/number_reader.hpp"

#include <cmath>

#include "support/text.hpp"

namespace spatial_dynamics::cli {

std::string Place::text() const {
  std::string text(member);
  if (!name.empty()) text += " of " + in_quotes(name);
  if (item != kNoIndex) text += "[" + std::to_string(item) + "]";
  return text;
}

double read_number(JsonReader& json, const Place& place) {
  if (json.kind() != JsonReader::Kind::kNumber) {
    throw InputError(place.text() + " must be a number");
  }
  const double value = json.read_number();
  if (!(std::abs(value) <= kLargestNumber)) {
    throw InputError(place.text() + " is beyond 1e15, which is not a meaningful number");
  }
  return value;
}

Index read_numbers(JsonReader& json, Place place, Index count, double* values) {
  if (json.kind() != JsonReader::Kind::kArray) {
    throw InputError(place.text() + " must be an array of " + std::to_string(count) + " numbers");
  }
  json.enter_array();
  for (place.item = 0; json.next_item(); ++place.item) {
    const double value = read_number(json, place);
    if (place.item < count) values[place.item] = value;
  }
  return place.item;
}

std::string wrong_count(const Place& place, Index count, Index got) {
  return place.text() + " must have " + std::to_string(count) +
         (count == 1 ? " number, not " : " numbers, not ") + std::to_string(got);
}

}  // namespace spatial_dynamics::cli
