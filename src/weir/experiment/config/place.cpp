#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/keys.hpp"

namespace weir::experiment {

void at_place(const ConfigTable& table, std::string_view key, const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    if (error.has_place()) throw;
    const std::string_view named = error.key().empty() ? key : error.key();
    throw InputError(position_of(table, named), named, error.message());
  }
}

}  // namespace weir::experiment
