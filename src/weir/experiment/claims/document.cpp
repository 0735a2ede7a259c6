#include "weir/experiment/claims/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "weir/base/catalog.hpp"
#include "weir/experiment/config/read_file.hpp"

namespace weir::experiment::claims {
namespace {

namespace fs = std::filesystem;
using Type = ParameterType;

const std::vector<Parameter>& document_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "name", "that of its folder").required(),
      Parameter::of(Type::text, "title", "what it is about").required(),
      Parameter::of(Type::texts, "reading", "what the verdicts add up to").by_default("[]")};
  return parameters;
}

const std::vector<Parameter>& experiment_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "name", "of the experiment").required(),
      Parameter::of(Type::path, "file", "experiment file").required(),
      Parameter::of(Type::text, "purpose", "one line").required(),
      Parameter::of(Type::any, "quick", "keys that the scale quick changes").by_default("{}"),
      Parameter::of(Type::any, "full", "keys that the scale full changes").by_default("{}"),
      Parameter::of(Type::texts, "scales", "at which it is run")
          .by_default(R"(["quick", "full"])")
          .one_of({"quick", "full"}),
      Parameter::of(Type::texts, "figures", "plots that the page shows").by_default("[]"),
      Parameter::of(Type::text, "one_draw", "why fewer than five draws are enough").by_default("")};
  return parameters;
}

const std::vector<Parameter>& unchecked_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "statement", "in own words").required(),
      Parameter::of(Type::text, "source", "where the document says so").required(),
      Parameter::of(Type::text, "because", "why it is not checked").required()};
  return parameters;
}

ConfigTable read_overrides(const Settings& settings, std::string_view name) {
  const ConfigValue& value = settings.raw(name);
  if (!value.is_table()) {
    throw settings.error(name, R"(must be a table, as in { "experiment.duration" = "2 ms" })");
  }
  ConfigTable table = expanded(value.table());
  spell_out_models(table);
  return table;
}

DocumentExperiment read_one_experiment(const ConfigTable& table, const std::string& where) {
  const Settings settings = Settings::check(table, experiment_parameters(), where);
  DocumentExperiment out;
  out.name = settings.text("name");
  const bool is_plain = !out.name.empty() && out.name != "." && out.name != ".." &&
                        std::all_of(out.name.begin(), out.name.end(), [](char c) {
                          return static_cast<unsigned char>(c) > 0x20 && c != '/' && c != 0x7F;
                        });
  if (!is_plain) {
    throw settings.error("name", "must be a word without blanks and '/': a folder is called so");
  }
  out.file = settings.path("file");
  out.purpose = settings.text("purpose");
  out.quick = read_overrides(settings, "quick");
  out.full = read_overrides(settings, "full");
  out.scales = read_scales(settings);
  out.figures = settings.texts("figures");
  out.one_draw = settings.text("one_draw");
  out.position = table.find("file")->position;
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
    ConfigTable table = value.table();
    if (table.position.line == 0) table.position = value.position;
    read(table, i);
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

void read_head(const ConfigTable& file, Document& out) {
  const ConfigValue* head = file.find("document");
  if (head == nullptr) throw InputError(file.position, "document", "is missing");
  if (!head->is_table()) throw InputError(head->position, "document", "must be a section");
  const Settings settings = Settings::check(head->table(), document_parameters(), "document");
  out.name = settings.text("name");
  out.title = settings.text("title");
  out.reading = settings.texts("reading");
  constexpr std::size_t kMostSentences = 5;
  if (out.reading.size() > kMostSentences) {
    throw settings.error("reading", "has more than five sentences");
  }
}

void read_experiments(const ConfigTable& file, Document& out) {
  each_table(file, "experiment", [&](const ConfigTable& table, std::size_t i) {
    const std::string where = fmt::format("experiment[{}]", i);
    DocumentExperiment made = read_one_experiment(table, where);
    for (const DocumentExperiment& earlier : out.experiments) {
      if (earlier.name != made.name) continue;
      throw InputError(table.find("name")->position, where + ".name",
                       fmt::format("two experiments are called '{}'", made.name));
    }
    out.experiments.push_back(std::move(made));
  });
}

void read_claims(const ConfigTable& file, Document& out) {
  std::vector<std::string> experiments;
  for (const DocumentExperiment& one : out.experiments) experiments.push_back(one.name);
  each_table(file, "claim", [&](const ConfigTable& table, std::size_t i) {
    Claim made = read_claim(table, i);
    const std::string where = fmt::format("claim[{}]", made.id);
    for (const Claim& earlier : out.claims) {
      if (earlier.id != made.id) continue;
      throw InputError(table.find("id")->position, where + ".id", "there are two of this id");
    }
    if (std::find(experiments.begin(), experiments.end(), made.experiment) == experiments.end()) {
      throw InputError(table.find("experiment")->position, where + ".experiment",
                       fmt::format("no experiment is called '{}'{}", made.experiment,
                                   suggestion(made.experiment, experiments)));
    }
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

void check_unknown(const Unknown& unknown, const Document& document,
                   const SourcePosition& position) {
  const std::string where = fmt::format("unknown[{}]", unknown.name);
  std::vector<std::string> known;
  for (const DocumentExperiment& one : document.experiments) known.push_back(one.name);
  for (const std::string& name : unknown.experiments) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError(position, where + ".experiments",
                     fmt::format("no experiment is called '{}'{}", name, suggestion(name, known)));
  }
  known.clear();
  for (const Claim& claim : document.claims) {
    if (!unknown.concerns(claim.experiment)) continue;
    for (std::string& axis : axes_of(claim)) known.push_back(std::move(axis));
  }
  if (unknown.is_laid_over) {
    if (std::find(known.begin(), known.end(), unknown.name) == known.end()) return;
    throw InputError(position, where + ".name",
                     "a claim is measured along it: it must have `axes`, or another name");
  }
  for (const UnknownValue& value : unknown.values) {
    for (const auto& [axis, text] : value.at) {
      if (std::find(known.begin(), known.end(), axis) == known.end()) {
        throw InputError(
            position, where + ".axes",
            fmt::format("no claim is measured along '{}'{}", axis, suggestion(axis, known)));
      }
      const std::vector<std::string> texts = texts_of(axis, unknown, document);
      if (texts.empty() || std::find(texts.begin(), texts.end(), text) != texts.end()) continue;
      throw InputError(
          position, where + ".values",
          fmt::format("no reading has '{}' for '{}'{}", text, axis, suggestion(text, texts)));
    }
  }
}

void read_unknowns(const ConfigTable& file, Document& out) {
  each_table(file, "unknown", [&](const ConfigTable& table, std::size_t i) {
    Unknown made = read_unknown(table, i);
    check_unknown(made, out, table.position);
    for (const Unknown& earlier : out.unknowns) {
      if (earlier.name != made.name) continue;
      throw InputError(table.find("name")->position, fmt::format("unknown[{}].name", i),
                       fmt::format("two unknowns are called '{}'", made.name));
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
    Assumption made = read_assumption(table, i);
    for (const std::string& name : made.experiments) {
      std::vector<std::string> known;
      for (const DocumentExperiment& one : out.experiments) known.push_back(one.name);
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      throw InputError(
          table.position, fmt::format("assumption[{}].experiments", i),
          fmt::format("no experiment is called '{}'{}", name, suggestion(name, known)));
    }
    out.assumptions.push_back(std::move(made));
  });
}

void read_unchecked(const ConfigTable& file, Document& out) {
  each_table(file, "unchecked", [&](const ConfigTable& table, std::size_t i) {
    const Settings settings =
        Settings::check(table, unchecked_parameters(), fmt::format("unchecked[{}]", i));
    out.unchecked.push_back(
        {settings.text("statement"), settings.text("source"), settings.text("because")});
  });
}

/// An explanation is shown by experiments and claims of the document, or by other experiment files.
void check_shown_by(const Document& document) {
  std::vector<std::string> names;
  for (const DocumentExperiment& one : document.experiments) names.push_back(one.name);
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
  std::vector<std::string> names;
  for (const DocumentExperiment& one : experiments) {
    if (one.name == wanted) return one;
    names.push_back(one.name);
  }
  throw InputError(
      fmt::format("{} has no experiment '{}'{}", name, wanted, suggestion(wanted, names)));
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
  Document out;
  out.folder = fs::path(file).parent_path().string();
  read_head(table, out);
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
