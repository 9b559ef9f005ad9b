#include "option_checks.hpp"

#include "../model/text.hpp"
#include "json_text.hpp"

namespace spatial_dynamics::cli {

CLI::Validator positive() {
  return {[](const std::string& text) -> std::string {
            double value = 0.0;
            if (parse_number(text, value) && value > 0.0) return "";
            return "must be a positive number, not " + in_quotes(text);
          },
          "", "positive"};
}

}  // namespace spatial_dynamics::cli
