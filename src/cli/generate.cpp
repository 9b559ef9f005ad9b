#include "generate.hpp"

#include <unistd.h>

#include <filesystem>
#include <memory>

#include "counted.hpp"
#include "exit_code.hpp"
#include "history.hpp"
#include "line_io.hpp"
#include "model_options.hpp"
#include "spatial_dynamics/kernels/generate.hpp"

namespace spatial_dynamics::cli {

namespace {

constexpr const char* kGenerateFooter = R"(Example:
  spatial_dynamics generate urdf/arm7.urdf -o generated
  c++ -c -O2 -march=native -mtune=generic -ffp-contract=fast generated/arm7.cpp

Writes NAME.hpp and NAME.cpp with NAME_inverse_dynamics, NAME_mass_matrix and
NAME_forward_dynamics: straight-line code without loops, about twice as fast as
the loop kernels on an arm (see `bench`), and NAME_..._batch for many states.
Friction and rotor inertias of the URDF are in the code; gravity, a payload on
one link and wrenches on all are arguments. The files need nothing but each
other. In CMake, spatial_dynamics_generate(TARGET ROBOT.urdf) does the same at
build time.

Exit code: 0 written, 1 the robot or a file was refused, 2 the command line is
wrong.
)";

struct GenerateCommand {
  ModelOptions model;
  GenerateOptions generate;
  std::string folder = ".";
};

int generate(const GenerateCommand& options) {
  ModelReport report;
  const Model model = load_model(options.model, report);
  const GeneratedCode code = generate_code(model, options.generate);
  const std::filesystem::path folder(options.folder);
  std::error_code refused;
  std::filesystem::create_directories(folder, refused);
  if (refused) {
    throw std::runtime_error("folder '" + options.folder + "' can't be made: " + refused.message() +
                             "; give another one with -o");
  }
  Output output(STDOUT_FILENO);
  const std::string stem = (folder / code.name).string();
  write_file(stem + ".hpp", code.header);
  write_file(stem + ".cpp", code.source);
  output.text() += stem + ".hpp\n" + stem + ".cpp\n";
  for (const GeneratedFunction& f : code.functions) {
    output.text() += f.name + ": " + std::to_string(f.multiplications) + " multiplications, " +
                     std::to_string(f.additions) + " additions, " +
                     counted(f.divisions, "division") + "\n";
  }
  output.flush();
  return kSuccess;
}

}  // namespace

void add_generate(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<GenerateCommand>();
  CLI::App* const command =
      app.add_subcommand("generate", "Write C++ that computes the dynamics of one robot alone");
  add_model_options(*command, options->model);
  command->add_option("-o,--output", options->folder, "Folder for the files (.)")->type_name("DIR");
  command->add_option("--name", options->generate.name, "Name of files and functions (the robot's)")
      ->type_name("NAME");
  command
      ->add_option("--payload-link", options->generate.payload_link,
                   "Link that may carry a payload at run time (the last that moves)")
      ->type_name("LINK");
  command->add_flag_callback(
      "--no-friction", [options] { options->model.load.friction = false; },
      "Leave out the damping and friction of the URDF");
  command->footer(kGenerateFooter);
  command->callback([options, &exit_code] { exit_code = generate(*options); });
}

}  // namespace spatial_dynamics::cli
