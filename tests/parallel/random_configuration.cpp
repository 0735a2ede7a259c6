#include "parallel/random_configuration.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "parallel/refused.hpp"
#include "parallel/same_numbers.hpp"
#include "weir/experiment/combinations/dimension.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"

namespace weir::experiment::parallel {
namespace {

void lay_text(ConfigTable& experiment, const std::string& toml) {
  lay_over(experiment, expanded(parse_toml(toml, "random")));
}

/// What it puts into a list stands behind what is there.
bool is_in_a_list(const std::string& toml) { return toml.starts_with("[["); }

}  // namespace

ConfigTable RandomConfiguration::put_together(const std::vector<Choice>& choices) {
  std::string base = small_experiment();
  for (const Choice& one : choices)
    if (is_in_a_list(one.own)) base += one.own;
  ConfigTable experiment = parse_experiment(base, "random");
  for (const Choice& one : choices) lay_text(experiment, one.needs);
  for (const Choice& one : choices)
    if (!is_in_a_list(one.own)) lay_text(experiment, one.own);
  return experiment;
}

bool RandomConfiguration::add(const Choice& choice) {
  std::vector<Choice> with = choices_;
  with.push_back(choice);
  try {
    const std::optional<InputError> error = refusal_in_parts(resolve(put_together(with)));
    if (error) {
      if (find_refused(*error) == nullptr) unexpected_ += choice.name + ": " + error->what() + "\n";
      return false;
    }
  } catch (const InputError&) {
    return false;  // it does not fit to what is there
  }
  choices_ = std::move(with);
  return true;
}

void RandomConfiguration::add_parts(Draw& draw) {
  // Threads are what the others are tried with.
  std::vector<Dimension> all = dimensions();
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[draw.below(i)]);
  for (const Dimension& dimension : all) {
    if (!draw.happens(0.5)) continue;
    const Part& part = dimension.parts[draw.below(dimension.parts.size())];
    if (part.name == "threads") continue;
    for (const std::string& needs : part.needs) {
      if (add({dimension.name + " " + part.name, needs, part.own})) break;
    }
  }
}

void RandomConfiguration::add_knobs(Draw& draw) {
  for (const Knob& knob : knobs()) {
    if (draw.happens(knob.probability)) add({knob.name, "", knob.toml(draw)});
  }
}

RandomConfiguration::RandomConfiguration(std::uint64_t seed, std::uint32_t number,
                                         const std::string& with) {
  Draw draw(seed, number);
  if (!with.empty()) add({"what is asked for", "", with});
  if (draw.happens(0.7)) add({"network", "", draw_network(draw)});
  add_parts(draw);
  add_knobs(draw);
}

std::vector<std::string> RandomConfiguration::names() const {
  std::vector<std::string> out;
  for (const Choice& one : choices_) out.push_back(one.name);
  return out;
}

void RandomConfiguration::shrink(const std::function<bool(const ConfigTable&)>& fails) {
  for (std::size_t i = choices_.size(); i-- > 0;) {
    std::vector<Choice> without = choices_;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    try {
      if (fails(put_together(without))) choices_ = std::move(without);
    } catch (const InputError&) {
      continue;  // something else needs it
    }
  }
}

}  // namespace weir::experiment::parallel
