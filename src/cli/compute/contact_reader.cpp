#include "cli/compute/contact_reader.hpp"

#include <string>
#include <utility>

#include "cli/compute/number_reader.hpp"
#include "spatial_dynamics/model/coordinates.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

using ContactKind = JsonReader::Kind;

constexpr std::size_t kMostContacts = 1000;
constexpr const char* kContactsForm =
    R"(contacts must be an array of "LINK", {"link":"LINK","point":[x,y,z]} or )"
    R"({"link":"LINK","points":[[x,y,z],...]})";

Index find_contact_link(const Model& model, std::string_view name) {
  const Index link = model.find_link(name);
  if (link == kNoIndex) {
    throw InputError("contacts names link " + in_quotes(name) + ", which the robot does not have");
  }
  return link;
}

void read_point(JsonReader& json, const std::string& place, std::vector<Contact>& contacts) {
  if (contacts.size() == kMostContacts) {
    throw InputError("contacts has more than " + std::to_string(kMostContacts) + " points");
  }
  Vector3& point = contacts.emplace_back().point;
  if (const Index got = read_numbers(json, {place}, 3, point.data()); got != 3) {
    throw InputError(wrong_count({place}, 3, got));
  }
}

void read_points(JsonReader& json, const std::string& place, std::vector<Contact>& contacts) {
  if (json.kind() != ContactKind::kArray) throw InputError(kContactsForm);
  json.enter_array();
  for (Index i = 0; json.next_item(); ++i) {
    read_point(json, place + "[" + std::to_string(i) + "]", contacts);
  }
}

/// {"link":"LINK","point":[x,y,z]}, with "points" instead of "point", or the link alone.
LinkContacts read_contact_object(JsonReader& json, const Model& model, const std::string& place,
                                 std::vector<Contact>& contacts) {
  LinkContacts result{kNoIndex, 0, false};
  const std::size_t before = contacts.size();
  bool points_given = false;
  json.enter_object();
  std::string_view key;
  while (json.next_member(key)) {
    if (key == "link" && result.link == kNoIndex && json.kind() == ContactKind::kString) {
      result.link = find_contact_link(model, json.read_string());
    } else if (key == "point" && !std::exchange(points_given, true)) {
      read_point(json, place + ".point", contacts);
    } else if (key == "points" && !std::exchange(points_given, true)) {
      result.listed = true;
      read_points(json, place + ".points", contacts);
    } else {
      throw InputError(kContactsForm);
    }
  }
  if (result.link == kNoIndex) throw InputError(place + " has no link; " + kContactsForm);
  if (!points_given) contacts.emplace_back();
  if (contacts.size() == before) throw InputError(place + " has no points");
  return result;
}

}  // namespace

void read_contacts(JsonReader& json, const Model& model, ContactList& list) {
  if (!has_floating_base(model)) {
    throw InputError("contacts need a floating base; use --floating-base");
  }
  if (json.kind() != ContactKind::kArray) throw InputError(kContactsForm);
  json.enter_array();
  while (json.next_item()) {
    const std::size_t before = list.contacts.size();
    const std::string place = "contacts[" + std::to_string(list.links.size()) + "]";
    LinkContacts added;
    if (json.kind() == ContactKind::kString) {
      added.link = find_contact_link(model, json.read_string());
      list.contacts.emplace_back();
    } else if (json.kind() == ContactKind::kObject) {
      added = read_contact_object(json, model, place, list.contacts);
    } else {
      throw InputError(kContactsForm);
    }
    for (const LinkContacts& other : list.links) {
      if (other.link != added.link) continue;
      throw InputError("contacts names link " + in_quotes(model.link(added.link).name) +
                       " twice; list all its points as \"points\"");
    }
    added.count = list.contacts.size() - before;
    for (std::size_t i = before; i < list.contacts.size(); ++i) list.contacts[i].link = added.link;
    list.links.push_back(added);
  }
  if (list.links.empty()) {
    throw InputError("contacts is empty: a robot without contacts cannot stand");
  }
}

}  // namespace spatial_dynamics::cli
