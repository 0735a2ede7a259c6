#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace weir::cli {

/// "--jobs,-j", or the name of what stands without one: "FILE".
std::string option_name(const CLI::Option& option);

/// weir(1) in the language of man(7): commands with their options as --help has them, and sections
/// and models as list has them.
std::string manual(const CLI::App& app);

}  // namespace weir::cli
