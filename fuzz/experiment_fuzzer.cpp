// Experiments: any text is resolved or refused with an InputError, and what was resolved reads back
// to itself. Nothing is built and no file is opened.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/config/variants.hpp"

namespace {

constexpr std::size_t kMostRuns = 20;

std::string resolved(std::string_view text, const std::string& file) {
  const weir::experiment::ExperimentFile experiment(weir::experiment::parse_experiment(text, file),
                                                    {});
  if (experiment.run_count() > kMostRuns) return {};
  (void)experiment.variants();
  return weir::to_toml(experiment.resolved());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.find("include") != std::string_view::npos) return 0;
  std::string first;
  try {
    first = resolved(text, "/fuzz/fuzz.toml");
  } catch (const weir::InputError&) {
    return 0;
  }
  if (!first.empty() && resolved(first, "/fuzz/again.toml") != first) std::abort();
  return 0;
}
