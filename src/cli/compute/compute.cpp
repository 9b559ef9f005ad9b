#include "cli/subcommands.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <iostream>
#include <memory>
#include <system_error>
#include <vector>

#include "cli/common/options.hpp"
#include "cli/compute/answer.hpp"
#include "cli/compute/state_reader.hpp"
#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {

namespace {

constexpr const char* kComputeFooter = R"(Example:
  echo '{"q":[0.1,0.2],"v":[0,0],"a":[1,0]}' |
    spatial_dynamics compute urdf/double_pendulum.urdf

A line of input is one state:
  {"q":...,"v":...,"a":...,"tau":...,"wrenches":{"LINK":[fx,fy,fz,tx,ty,tz]},
   "contacts":["LINK",...],"want":[...]}
  q v a tau   arrays in the order that `check` shows, or objects by joint name
              (the answer is then by name too). v is optional; default: zero.
              A floating base comes first, or is called "floating_base":
              x y z qx qy qz qw in q; angular xyz, linear xyz, along the base
              link's axes, in v a tau.
              A planar joint has three numbers: x y angle in q; in v a tau
              along x, along y and about the normal, with axes that are fixed
              to the moving link. The axes are x y of the joint frame if the
              normal is z, y z if it is x, z x if it is y; otherwise those of
              the nearest axis, the first of them projected into the plane.
  wrenches    forces and moments on links, in the link's frame at its origin
  contacts    links that stand on a ground perpendicular to gravity, at their
              origin; {"link":"LINK","point":[x,y,z]} at a point of the link,
              with "points":[[x,y,z],...] at several. The smallest forces that
              support the motion are computed, and added to the wrenches.
              Needs --floating-base. a is then optional; default: zero.
  ground_friction
              friction coefficient of the contacts; default: 1
  want        any of id fd bias gravity coriolis_matrix mass_matrix
              kinetic_energy potential_energy center_of_mass pose:LINK
              jacobian:LINK joint_wrenches mass_matrix_inverse momentum
              id_derivatives fd_derivatives regressor contact_forces
              needed_friction;
              default: id if there is an a, fd if there is a tau, and with
              contacts also contact_forces needed_friction id.
SI units. id and fd include the damping and friction of the URDF, unless
--no-friction is given; bias and gravity never do. Rotors (--armature) are
included in id, fd, the mass matrix and the kinetic energy.

The backends textbook and kernel compute every quantity, batch computes id fd
bias gravity mass_matrix mass_matrix_inverse, generated computes id fd
mass_matrix; other quantities are errors. All backends accept contacts.

Each line of input, except blank ones, gives one line of output with the
requested quantities as keys:
  vectors and matrices in coordinate order, or as objects by joint name (an
  entry of a joint with several coordinates is an array);
  pose: position, quaternion (x y z w) and rotation of the link in the world;
  jacobian: rows linear x y z, angular x y z, at the link's origin along the
  world's axes; joint_wrenches: what the parent exerts on the child through
  each joint, [fx,fy,fz,tx,ty,tz] in the child link's frame at its origin, at
  the acceleration a, or without a, the acceleration that tau causes (an
  array has the joints of the coordinates, an object also the mimic joints);
  momentum: linear, and angular about the centre of mass, world's axes;
  id_derivatives: dtau_dq dtau_dv dtau_da at a; fd_derivatives: da_dq da_dv
  da_dtau at tau; derivatives by q are along velocities, so planar and
  floating joints have 3 and 6 columns; regressor: matrix times parameters is id
  without friction, armature, payloads and wrenches; per link: m, m times
  centre of mass xyz, Ixx Ixy Ixz Iyy Iyz Izz about the link's origin;
  contact_forces: by link, [fx,fy,fz] along the world's axes; needed_friction:
  the largest ratio of their horizontal to their normal parts.
A line with an error gives {"error":"...","line":N}.

Exit code: 0; 1 if the robot or a line was rejected; 2 if the command line is
wrong.
)";

/// Printed if standard input is a terminal.
constexpr const char* kTerminalHint =
    "Type states, one JSON object per line; Ctrl-D ends. `spatial_dynamics compute --help` "
    "describes them.\n";

struct ComputeOptions {
  ModelOptions model;
  std::string input;
  std::string backend = "textbook";
};

class File {
 public:
  explicit File(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0)
      throw CLI::ValidationError("--input", "can't open " + in_quotes(path) + ": " +
                                                std::generic_category().message(errno));
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

void append_error(std::string& out, const std::string& why, std::uint64_t line) {
  out += "{\"error\":";
  append_json_string(out, why);
  out += ",\"line\":" + std::to_string(line) + "}";
}

int answer_lines(const Model& model, const ModelReport& report, const std::string& backend,
                 int input) {
  StateReader states(model, report);
  Answerer answerer(model, backend);
  Output output(STDOUT_FILENO);
  LineReader lines(input, [&output] { output.flush(); });
  int exit_code = kSuccess;
  std::string_view line;
  for (std::uint64_t number = 1; !output.closed(); ++number) {
    const LineReader::Result result = lines.next(line);
    if (result == LineReader::Result::kEnd) break;
    if (result == LineReader::Result::kLine && is_blank(line)) continue;
    try {
      if (result == LineReader::Result::kTooLong) throw InputError("the line is over 16 MiB long");
      answerer.answer(states.read(line), output.text());
    } catch (const InputError& error) {
      append_error(output.text(), error.what(), number);
      exit_code = kFailure;
    }
    output.text() += '\n';
    output.flush_if_large();
  }
  output.flush();
  return exit_code;
}

int compute(const ComputeOptions& options) {
  if (options.model.file == "-" && options.input.empty()) {
    throw CLI::ValidationError("robot",
                               "standard input is the states; give the URDF as a file, "
                               "or the states by --input");
  }
  std::unique_ptr<File> file;
  if (!options.input.empty()) file = std::make_unique<File>(options.input);
  const bool from_terminal = !file && ::isatty(STDIN_FILENO) == 1;
  ModelReport report;
  const Model model = load_model(options.model, report);
  note_findings(options.model, report);
  if (from_terminal) std::cerr << kTerminalHint;
  return answer_lines(model, report, options.backend, file ? file->descriptor() : STDIN_FILENO);
}

}  // namespace

void add_compute(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ComputeOptions>();
  CLI::App* const command =
      app.add_subcommand("compute", "Compute torques, accelerations, ... of states (JSON lines)");
  add_model_options(*command, options->model);
  command->add_flag_callback(
      "--no-friction", [options] { options->model.load.friction = false; },
      "Ignore the damping and friction of the URDF");
  command->add_option("--input", options->input, "Read the states from a file")->type_name("FILE");
  command->add_option("--backend", options->backend, "Implementation to use")
      ->type_name("NAME")
      ->capture_default_str()
      ->check(CLI::IsMember(backend_names()));
  command->footer(kComputeFooter);
  command->callback([options, &exit_code] { exit_code = compute(*options); });
}

}  // namespace spatial_dynamics::cli
