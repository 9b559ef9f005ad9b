// Reads the points of a robot that touch the ground.
#pragma once

#include <vector>

#include "cli/compute/json_reader.hpp"
#include "spatial_dynamics/dynamics/contact_forces.hpp"

namespace spatial_dynamics::cli {

/// The contacts of one link.
struct LinkContacts {
  Index link = 0;
  std::size_t count = 1;
  bool listed = false;  ///< given as "points", so that their forces are a list too
};

/// The member `contacts` of a state.
struct ContactList {
  std::vector<LinkContacts> links;  ///< each link once
  std::vector<Contact> contacts;    ///< of all links, in their order
};

/// Reads ["LINK",{"link":"LINK","point":[x,y,z]},{"link":"LINK","points":[[x,y,z],...]}].
/// Allocates; throws InputError that names the problem.
void read_contacts(JsonReader& json, const Model& model, ContactList& list);

}  // namespace spatial_dynamics::cli
