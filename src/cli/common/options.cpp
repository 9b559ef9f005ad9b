#include "cli/common/options.hpp"

#include <unistd.h>

#include <functional>
#include <vector>

#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {

namespace {

/// Larger than any URDF that the loader accepts.
constexpr std::size_t kLargestFile = std::size_t{17} << 20U;

struct Assignment {
  std::string name;
  std::vector<double> values;
};

/// Parses "NAME=1,2,3"; a name may contain '='. `form` describes the syntax in errors.
Assignment parse_assignment(const std::string& option, const std::string& form,
                            const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    throw CLI::ValidationError(option, "expects " + form + ", not " + in_quotes(text));
  }
  Assignment assignment{text.substr(0, equals), {}};
  std::size_t begin = equals + 1;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    double value = 0.0;
    const std::string number = text.substr(begin, end - begin);
    if (!parse_number(number, value)) {
      throw CLI::ValidationError(option, in_quotes(number) + " is not a finite number");
    }
    assignment.values.push_back(value);
    begin = end + 1;
  }
  return assignment;
}

/// A repeatable option with one NAME=VALUE each time.
void add_assignments(CLI::App& command, const std::string& name, const std::string& form,
                     const std::string& help, std::function<void(const Assignment&)> use) {
  command
      .add_option_function<std::vector<std::string>>(
          name,
          [name, form, use = std::move(use)](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) use(parse_assignment(name, form, text));
          },
          help)
      ->type_name(form)
      ->allow_extra_args(false);
}

void add_by_joint(CLI::App& command, const std::string& name, const std::string& help,
                  std::map<std::string, double>& target) {
  add_assignments(command, name, "JOINT=VALUE", help, [name, &target](const Assignment& given) {
    if (given.values.size() != 1) throw CLI::ValidationError(name, "expects one number per joint");
    if (!target.emplace(given.name, given.values[0]).second) {
      throw CLI::ValidationError(name, "names joint " + in_quotes(given.name) + " twice");
    }
  });
}

void add_payload(const Assignment& given, std::vector<Payload>& payloads) {
  if (given.values.size() != 1 && given.values.size() != 4) {
    throw CLI::ValidationError("--payload", "expects LINK=MASS or LINK=MASS,X,Y,Z");
  }
  Payload payload;
  payload.link = given.name;
  payload.mass_properties.mass = given.values[0];
  if (given.values.size() == 4) {
    payload.mass_properties.com = Vector3(given.values[1], given.values[2], given.values[3]);
  }
  payloads.push_back(payload);
}

}  // namespace

void add_model_options(CLI::App& command, ModelOptions& options) {
  command.add_option("robot", options.file, "The URDF; - reads it from standard input")
      ->required()
      ->type_name("ROBOT.urdf");
  command.add_flag("--strict", options.load.strict,
                   "Reject physically inconsistent inertias instead of warning");
  command.add_flag("--floating-base", options.load.floating_base,
                   "Let the root link float, on a joint called floating_base");
  add_by_joint(command, "--armature",
               "Rotor inertia, reflected to a joint, kg m^2 (kg if prismatic); repeatable",
               options.load.armature);
  add_by_joint(command, "--lock", "Hold a joint at a position, rad (m if prismatic); repeatable",
               options.load.locked);
  add_assignments(
      command, "--payload", "LINK=MASS[,X,Y,Z]",
      "A point mass on a link, kg, at x, y, z of its frame, m; repeatable",
      [&options](const Assignment& given) { add_payload(given, options.load.payloads); });
}

Model load_model(const ModelOptions& options, ModelReport& report) {
  Model model = options.file != "-"
                    ? load_urdf_file(options.file, options.load, &report)
                    : load_urdf(read_all(STDIN_FILENO, kLargestFile), options.load, &report);
  for (const Payload& payload : options.load.payloads) {
    if (model.link(model.find_link(payload.link)).body != 0) continue;
    const std::string element = "payload on " + link_element(payload.link);
    throw ModelError(
        element,
        "the " + element +
            " has no effect, because the link is fixed to the world; name a link that moves");
  }
  return model;
}

CLI::Validator positive() {
  return {[](const std::string& text) -> std::string {
            double value = 0.0;
            if (parse_number(text, value) && value > 0.0) return "";
            return "must be a positive number, not " + in_quotes(text);
          },
          "", "positive"};
}

}  // namespace spatial_dynamics::cli
