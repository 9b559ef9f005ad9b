#include "cli/common/options.hpp"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <vector>

#include "runtime/config.hpp"
#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {

namespace {

/// Larger than any URDF that the loader accepts.
constexpr std::size_t kLargestFile = std::size_t{17} << 20U;

constexpr double kLargestGravity = 1000.0;  // m/s^2, that of the node's parameter

/// A repeatable option with one NAME=VALUE each time.
void add_assignments(CLI::App& command, const std::string& name, const std::string& form,
                     const std::string& help, std::function<void(const std::string&)> use) {
  command
      .add_option_function<std::vector<std::string>>(
          name,
          [use = std::move(use)](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) use(text);
          },
          help)
      ->type_name(form)
      ->allow_extra_args(false);
}

void add_by_joint(CLI::App& command, const std::string& name, const std::string& help,
                  std::map<std::string, double>& target) {
  const std::string form = "JOINT=VALUE";
  add_assignments(command, name, form, help, [name, form, &target](const std::string& text) {
    const Assignment given = parse_assignment(name, form, text);
    if (given.values.size() != 1) throw CLI::ValidationError(name, "expects one number per joint");
    if (!target.emplace(given.name, given.values[0]).second) {
      throw CLI::ValidationError(name, "names joint " + in_quotes(given.name) + " twice");
    }
  });
}

Vector3 parse_gravity(const std::string& text) {
  const std::vector<double> numbers = parse_numbers("--gravity", text);
  if (numbers.size() != 3) {
    throw CLI::ValidationError("--gravity", "expects X,Y,Z, not " + in_quotes(text));
  }
  Vector3 gravity(numbers[0], numbers[1], numbers[2]);
  if (gravity.lpNorm<Eigen::Infinity>() > kLargestGravity) {
    throw CLI::ValidationError("--gravity", in_quotes(text) + " is not within -1000 to 1000 m/s^2");
  }
  return gravity;
}

bool is_number(const std::string& text) {
  double value = 0.0;
  return parse_number(text, value);
}

}  // namespace

std::vector<std::string> join_numbers(const std::vector<std::string>& arguments) {
  std::vector<std::string> joined;
  bool continues = false;
  for (const std::string& argument : arguments) {
    const bool number = is_number(argument);
    const bool follows = joined.size() > 1 && continues && number;
    if (follows) {
      joined.back() += "," + argument;
      continue;
    }
    const bool option =
        !joined.empty() && (joined.back() == "--gravity" || joined.back() == "--position" ||
                            joined.back() == "--velocity");
    continues = option && number;
    joined.push_back(argument);
  }
  return joined;
}

std::vector<double> parse_numbers(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    double value = 0.0;
    const std::string number = text.substr(begin, end - begin);
    if (!parse_number(number, value)) {
      throw CLI::ValidationError(option, in_quotes(number) + " is not a finite number");
    }
    numbers.push_back(value);
    begin = end + 1;
  }
  return numbers;
}

Assignment parse_assignment(const std::string& option, const std::string& form,
                            const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    throw CLI::ValidationError(option, "expects " + form + ", not " + in_quotes(text));
  }
  return {text.substr(0, equals), parse_numbers(option, text.substr(equals + 1))};
}

Payload parse_payload(const std::string& option, const std::string& text) {
  constexpr const char* kForm = "LINK=MASS[,X,Y,Z[,IXX,IYY,IZZ,IXY,IXZ,IYZ]]";
  const Assignment given = parse_assignment(option, kForm, text);
  const std::vector<double>& x = given.values;
  if (x.size() != 1 && x.size() != 4 && x.size() != 10) {
    throw CLI::ValidationError(option,
                               std::string("expects ") + kForm + ", not " + in_quotes(text));
  }
  Payload payload;
  payload.link = given.name;
  payload.mass_properties.mass = x[0];
  if (x.size() >= 4) payload.mass_properties.com = Vector3(x[1], x[2], x[3]);
  if (x.size() == 10) {
    payload.mass_properties.inertia_about_com << x[4], x[7], x[8],  //
        x[7], x[5], x[9],                                           //
        x[8], x[9], x[6];
  }
  return payload;
}

void add_model_options(CLI::App& command, ModelOptions& options) {
  command.add_option("robot", options.file, "The URDF; - reads it from standard input")
      ->required()
      ->type_name("ROBOT.urdf");
  add_load_options(command, options);
}

void add_load_options(CLI::App& command, ModelOptions& options) {
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
      "A payload on a link, kg, with its centre of mass in the link's frame, m; six more numbers "
      "are its inertia about it, ixx,iyy,izz,ixy,ixz,iyz, kg m^2; repeatable",
      [&options](const std::string& text) {
        options.load.payloads.push_back(parse_payload("--payload", text));
      });
  command
      .add_option_function<std::string>(
          "--gravity",
          [&options](const std::string& text) {
            options.load.gravity = parse_gravity(text);
            options.gravity_given = true;
          },
          "Gravity in the world's frame (a fixed root link's), m/s^2 (0,0,-9.80665)")
      ->type_name("X,Y,Z");
}

Model load_model(const ModelOptions& options, ModelReport& report) {
  Model model = options.file != "-"
                    ? load_urdf_file(options.file, options.load, &report)
                    : load_urdf(read_all(STDIN_FILENO, kLargestFile), options.load, &report);
  require_effect(options.load.payloads, model);
  return model;
}

void note_findings(const ModelOptions& options, const ModelReport& report) {
  const auto matters = [](const Finding& finding) {
    return suggests_wrong_units(finding.code) || finding.code == FindingCode::kMasslessEndLink ||
           finding.code == FindingCode::kRobotWithoutMass ||
           finding.code == FindingCode::kSingularMassMatrix;
  };
  const auto count = static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
        return finding.severity == Severity::kWarning && matters(finding);
      }));
  if (count == 0) return;
  const std::string file = options.file == "-" ? "the URDF" : options.file;
  std::cerr << "note: " << count_text(count, "serious finding") << " in " << file
            << "; `spatial_dynamics check " << options.file << "` lists "
            << (count == 1 ? "it" : "them") << '\n';
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
