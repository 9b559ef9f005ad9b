#include "shipped_robot.hpp"

#include <filesystem>
#include <system_error>

namespace spatial_dynamics::cli {

std::string shipped_robot() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& prefix : {folder / "..", folder / "../.."}) {
    const fs::path file = prefix / "share/spatial_dynamics/urdf/arm7.urdf";
    if (fs::exists(file, ignored)) return fs::weakly_canonical(file, ignored).string();
  }
  return SPATIAL_DYNAMICS_URDF_DIR "/arm7.urdf";
}

}  // namespace spatial_dynamics::cli
