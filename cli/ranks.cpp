#include "ranks.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace weir::cli {
namespace {

/// The number in the first of these environment variables that is set.
std::optional<int> number_in(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* text = std::getenv(name);
    if (text == nullptr) continue;
    const std::string_view view(text);
    int number = 0;
    const auto parsed = std::from_chars(view.data(), view.data() + view.size(), number);
    if (parsed.ec == std::errc{}) return number;
  }
  return std::nullopt;
}

}  // namespace

int launched_processes() {
  // OpenMPI; MPICH and others.
  return number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}).value_or(1);
}

int launched_rank() {
  return number_in({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}).value_or(0);
}

}  // namespace weir::cli
