#include "weir/experiment/claims/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "weir/base/keys.hpp"
#include "weir/experiment/claims/claim_keys.hpp"
#include "weir/experiment/claims/unknown_keys.hpp"
#include "weir/experiment/config/read_file.hpp"

namespace weir::experiment::claims {
namespace {

namespace fs = std::filesystem;
/// An [[experiment]] table, with what the experiment has in another form.
struct ExperimentKeys : DocumentExperiment {
  FilePath path;
  ConfigValue quick_changes{ConfigTable(), {}};
  ConfigValue full_changes{ConfigTable(), {}};
  std::vector<std::string> scale_names{"quick", "full"};
};

const Keys<Document>& document_keys() {
  static const Keys<Document> keys{
      key(&Document::name, "name", "that of its folder").required(),
      key(&Document::title, "title", "what it is about").required(),
      key(&Document::reading, "reading", "what the verdicts add up to"),
      key(&Document::shortfall, "shortfall", "why not more of its statements hold")};
  return keys;
}

const Keys<ExperimentKeys>& experiment_keys() {
  using K = ExperimentKeys;
  static const Keys<K> keys{
      key(&K::name, "name", "of the experiment").required(),
      key(&K::path, "file", "experiment file").required(),
      key(&K::purpose, "purpose", "one line").required(),
      key(&K::quick_changes, "quick", "keys that the scale quick changes"),
      key(&K::full_changes, "full", "keys that the scale full changes"),
      key(&K::scale_names, "scales", "at which it is run").one_of({"quick", "full"}),
      key(&K::figures, "figures", "plots that the page shows"),
      key(&K::one_draw, "one_draw", "why fewer than five draws are enough")};
  return keys;
}

const Keys<Unchecked>& unchecked_keys() {
  static const Keys<Unchecked> keys{
      key(&Unchecked::statement, "statement", "in own words").required(),
      key(&Unchecked::source, "source", "where the document says so").required(),
      key(&Unchecked::because, "because", "why it is not checked").required()};
  return keys;
}

ConfigTable read_overrides(const Checked<ExperimentKeys>& file,
                           ConfigValue ExperimentKeys::*member) {
  const ConfigValue& value = (*file).*member;
  if (!value.is_table()) {
    throw file.error(member, R"(must be a table, as in { "experiment.duration" = "2 ms" })");
  }
  ConfigTable table = expanded(value.table());
  spell_out_models(table);
  return table;
}

DocumentExperiment read_one_experiment(const Checked<ExperimentKeys>& file) {
  DocumentExperiment out = *file;
  const bool is_plain = !out.name.empty() && out.name != "." && out.name != ".." &&
                        std::all_of(out.name.begin(), out.name.end(), [](char c) {
                          return static_cast<unsigned char>(c) > 0x20 && c != '/' && c != 0x7F;
                        });
  if (!is_plain) {
    throw file.error(&ExperimentKeys::name,
                     "must be a word without blanks and '/': a folder is called so");
  }
  out.file = file->path.name;
  out.quick = read_overrides(file, &ExperimentKeys::quick_changes);
  out.full = read_overrides(file, &ExperimentKeys::full_changes);
  out.scales = read_scales(file, &ExperimentKeys::scale_names);
  out.position = file.position_of(&ExperimentKeys::path);
  return out;
}

/// Calls `read` with each table of the list `name` and its number.
template <class Read>
void each_table(const ConfigTable& file, const std::string& name, Read read) {
  const ConfigValue* list = file.find(name);
  if (list == nullptr) return;
  const std::string what = fmt::format("must be [[{}]] tables", name);
  if (!list->is_array()) throw InputError(list->position, name, what);
  for (std::size_t i = 0; i < list->array().size(); ++i) {
    const ConfigValue& value = list->array()[i];
    if (!value.is_table()) throw InputError(value.position, name, what);
    read(placed_table(value), i);
  }
}

void refuse_other_sections(const ConfigTable& file) {
  static const std::vector<std::string> known{"document", "experiment", "claim",
                                              "unknown",  "assumption", "unchecked"};
  for (const ConfigEntry& entry : file.entries()) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    throw InputError(entry.key_position, entry.key,
                     "unknown section" + suggestion(entry.key, known));
  }
}

Document read_head(const ConfigTable& file) {
  const ConfigValue* head = file.find("document");
  if (head == nullptr) throw InputError(file.position, "document", "is missing");
  if (!head->is_table()) throw InputError(head->position, "document", "must be a section");
  const auto keys = document_keys().check(head->table(), "document");
  constexpr std::size_t kMostSentences = 5;
  if (keys->reading.size() > kMostSentences) {
    throw keys.error(&Document::reading, "has more than five sentences");
  }
  return *keys;
}

std::vector<std::string> names_of(const std::vector<DocumentExperiment>& experiments) {
  std::vector<std::string> names;
  for (const DocumentExperiment& one : experiments) names.push_back(one.name);
  return names;
}

/// Throws an InputError at the key of a member where no experiment is called so.
template <class Keyed, class Member>
void need_experiment(const Document& document, const std::string& name, const Keyed& file,
                     Member member) {
  const std::vector<std::string> known = names_of(document.experiments);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw file.error(member,
                   fmt::format("no experiment is called '{}'{}", name, suggestion(name, known)));
}

void read_experiments(const ConfigTable& file, Document& out) {
  each_table(file, "experiment", [&](const ConfigTable& table, std::size_t i) {
    const auto keys = experiment_keys().check(table, fmt::format("experiment[{}]", i));
    DocumentExperiment made = read_one_experiment(keys);
    for (const DocumentExperiment& earlier : out.experiments) {
      if (earlier.name != made.name) continue;
      throw keys.error(&ExperimentKeys::name,
                       fmt::format("two experiments are called '{}'", made.name));
    }
    out.experiments.push_back(std::move(made));
  });
}

void read_claims(const ConfigTable& file, Document& out) {
  each_table(file, "claim", [&](const ConfigTable& table, std::size_t i) {
    const auto keys = check_claim(table, i);
    Claim made = read_claim(keys);
    made.position = table.position;
    for (const Claim& earlier : out.claims) {
      if (earlier.id == made.id) throw keys.error(&ClaimKeys::id, "there are two of this id");
    }
    need_experiment(out, made.experiment, keys, &ClaimKeys::experiment);
    if (made.one_draw.empty()) made.one_draw = out.experiment(made.experiment).one_draw;
    out.claims.push_back(std::move(made));
  });
}

/// Along which a claim is measured.
std::vector<std::string> axes_of(const Claim& claim) {
  std::vector<std::string> axes = claim.grid;
  for (const auto& named : claim.readings.front().names) axes.push_back(named.first);
  return axes;
}

/// What readings have for a name; nothing where it is a key of some grid, whose values stand in
/// experiment files.
std::vector<std::string> texts_of(const std::string& axis, const Unknown& unknown,
                                  const Document& document) {
  std::vector<std::string> texts;
  for (const Claim& claim : document.claims) {
    if (!unknown.concerns(claim.experiment)) continue;
    if (std::find(claim.grid.begin(), claim.grid.end(), axis) != claim.grid.end()) return {};
    for (const ClaimReading& reading : claim.readings) {
      for (const auto& [name, text] : reading.names) {
        if (name == axis) texts.push_back(text);
      }
    }
  }
  return texts;
}

void check_axes(const Unknown& unknown, const Document& document,
                const Checked<UnknownKeys>& file) {
  std::vector<std::string> known;
  for (const Claim& claim : document.claims) {
    if (!unknown.concerns(claim.experiment)) continue;
    for (std::string& axis : axes_of(claim)) known.push_back(std::move(axis));
  }
  if (unknown.is_laid_over) {
    if (std::find(known.begin(), known.end(), unknown.name) == known.end()) return;
    throw file.error(&UnknownKeys::name,
                     "a claim is measured along it: it must have `axes`, or another name");
  }
  for (const UnknownValue& value : unknown.values) {
    for (const auto& [axis, text] : value.at) {
      if (std::find(known.begin(), known.end(), axis) == known.end()) {
        throw file.error(&UnknownKeys::axes, fmt::format("no claim is measured along '{}'{}", axis,
                                                         suggestion(axis, known)));
      }
      const std::vector<std::string> texts = texts_of(axis, unknown, document);
      if (texts.empty() || std::find(texts.begin(), texts.end(), text) != texts.end()) continue;
      throw file.error(
          &UnknownKeys::written_values,
          fmt::format("no reading has '{}' for '{}'{}", text, axis, suggestion(text, texts)));
    }
  }
}

void read_unknowns(const ConfigTable& file, Document& out) {
  each_table(file, "unknown", [&](const ConfigTable& table, std::size_t i) {
    const auto keys = check_unknown(table, i);
    Unknown made = read_unknown(keys);
    for (const std::string& name : made.experiments) {
      need_experiment(out, name, keys, &UnknownKeys::experiments);
    }
    check_axes(made, out, keys);
    for (const Unknown& earlier : out.unknowns) {
      if (earlier.name != made.name) continue;
      throw keys.error(&UnknownKeys::name, fmt::format("two unknowns are called '{}'", made.name));
    }
    for (Claim& claim : out.claims) {
      if (!made.concerns(claim.experiment)) continue;
      const Combination& own = made.values[made.adopted].at;
      claim.adopted.insert(claim.adopted.end(), own.begin(), own.end());
    }
    out.unknowns.push_back(std::move(made));
  });
}

void read_assumptions(const ConfigTable& file, Document& out) {
  each_table(file, "assumption", [&](const ConfigTable& table, std::size_t i) {
    const auto keys = assumption_keys().check(table, fmt::format("assumption[{}]", i));
    for (const std::string& name : keys->experiments) {
      need_experiment(out, name, keys, &Assumption::experiments);
    }
    out.assumptions.push_back(*keys);
    out.assumptions.back().position = table.position;
  });
}

void read_unchecked(const ConfigTable& file, Document& out) {
  each_table(file, "unchecked", [&](const ConfigTable& table, std::size_t i) {
    out.unchecked.push_back(*unchecked_keys().check(table, fmt::format("unchecked[{}]", i)));
  });
}

/// An explanation is shown by experiments and claims of the document, or by other experiment files.
void check_shown_by(const Document& document) {
  std::vector<std::string> names = names_of(document.experiments);
  for (const Claim& one : document.claims) names.push_back(one.id);
  for (const Claim& claim : document.claims) {
    for (const std::string& shown : claim.shown_by) {
      std::error_code ignored;
      const bool is_known = std::find(names.begin(), names.end(), shown) != names.end();
      if (is_known || fs::is_regular_file(fs::path(document.folder) / shown, ignored)) continue;
      throw InputError(
          claim.position, fmt::format("claim[{}].shown_by", claim.id),
          fmt::format("'{}' is no experiment, no claim and no file beside claims.toml{}", shown,
                      suggestion(shown, names)));
    }
  }
}

}  // namespace

const DocumentExperiment& Document::experiment(std::string_view wanted) const {
  for (const DocumentExperiment& one : experiments) {
    if (one.name == wanted) return one;
  }
  throw InputError(fmt::format("{} has no experiment '{}'{}", name, wanted,
                               suggestion(wanted, names_of(experiments))));
}

const Claim* Document::find_claim(std::string_view id) const {
  const auto it =
      std::find_if(claims.begin(), claims.end(), [&](const Claim& one) { return one.id == id; });
  return it == claims.end() ? nullptr : &*it;
}

std::vector<const Claim*> Document::claims_of(std::string_view wanted) const {
  std::vector<const Claim*> found;
  for (const Claim& claim : claims) {
    if (claim.experiment == wanted) found.push_back(&claim);
  }
  return found;
}

namespace {

Document made_from(const ConfigTable& table, const std::string& file) {
  refuse_other_sections(table);
  Document out = read_head(table);
  out.folder = fs::path(file).parent_path().string();
  read_experiments(table, out);
  read_claims(table, out);
  read_unknowns(table, out);
  read_assumptions(table, out);
  read_unchecked(table, out);
  check_shown_by(out);
  return out;
}

}  // namespace

Document parse_document(std::string_view text, const std::string& file) {
  return made_from(parse_toml(text, file), file);
}

Document read_document(const std::string& folder) {
  const fs::path path = fs::path(folder) / "claims.toml";
  const ConfigTable table = read_toml_file(path.string());
  Document out = made_from(table, path.string());
  const std::string wanted = fs::weakly_canonical(path).parent_path().filename().string();
  if (out.name != wanted) {
    throw InputError(position_of(table, "document.name"), "document.name",
                     fmt::format("must be that of the folder, '{}'", wanted));
  }
  return out;
}

std::vector<std::string> document_names(const std::string& root) {
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(root, error)) {
    std::error_code ignored;
    if (fs::is_regular_file(entry.path() / "claims.toml", ignored)) {
      names.push_back(entry.path().filename().string());
    }
  }
  if (error) {
    throw InputError(
        fmt::format("cannot read the folder of experiments '{}': {}", root, error.message()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace weir::experiment::claims
