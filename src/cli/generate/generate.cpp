#include "cli/subcommands.hpp"

#include <unistd.h>

#include <filesystem>
#include <memory>

#include "cli/common/options.hpp"
#include "spatial_dynamics/dynamics/generate.hpp"
#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {

namespace {

constexpr const char* kGenerateFooter = R"(Example:
  spatial_dynamics generate urdf/arm7.urdf -o generated
  c++ -c -O2 -ffp-contract=fast generated/arm7.cpp

Writes NAME.hpp and NAME.cpp with NAME_inverse_dynamics, NAME_mass_matrix and
NAME_forward_dynamics: straight-line code without loops, about twice as fast as
the loop kernels on an arm (see `bench`), and NAME_..._batch for many states.
Friction and rotor inertias of the URDF are constants in the code; gravity, a
payload on one link and wrenches on all links are arguments. On x86-64 the code
is compiled for processors without and with AVX2 and chooses at start. The files
have no other dependencies. In CMake, spatial_dynamics_generate(TARGET ROBOT.urdf) does
the same at build time.

Exit code: 0; 1 if the robot was rejected or a file can't be written; 2 if the
command line is wrong.
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
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw std::runtime_error("folder '" + options.folder + "' can't be created: " +
                             error.message() + "; give another one with -o");
  }
  Output output(STDOUT_FILENO);
  const std::string stem = (folder / code.name).string();
  write_file(stem + ".hpp", code.header);
  write_file(stem + ".cpp", code.source);
  output.text() += stem + ".hpp\n" + stem + ".cpp\n";
  for (const GeneratedFunction& f : code.functions) {
    output.text() += f.name + ": " + std::to_string(f.multiplications) + " multiplications, " +
                     std::to_string(f.additions) + " additions, " +
                     count_text(static_cast<std::size_t>(f.divisions), "division") + "\n";
  }
  output.flush();
  return kSuccess;
}

}  // namespace

void add_generate(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<GenerateCommand>();
  CLI::App* const command =
      app.add_subcommand("generate", "Write C++ code for the dynamics of one robot");
  add_model_options(*command, options->model);
  command->add_option("-o,--output", options->folder, "Folder for the files (.)")->type_name("DIR");
  command->add_option("--name", options->generate.name, "Name of files and functions (the robot's)")
      ->type_name("NAME");
  command
      ->add_option("--payload-link", options->generate.payload_link,
                   "Link that may carry a payload at run time (the last moving link)")
      ->type_name("LINK");
  command->add_flag_callback(
      "--no-friction", [options] { options->model.load.friction = false; },
      "Ignore the damping and friction of the URDF");
  command->footer(kGenerateFooter);
  command->callback([options, &exit_code] {
    if (options->folder == kStandardOutput) {
      throw CLI::ValidationError("--output", "there are two files to write; give a folder");
    }
    exit_code = generate(*options);
  });
}

}  // namespace spatial_dynamics::cli
