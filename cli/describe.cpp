#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "commands.hpp"
#include "experiments_folder.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/base/catalog.hpp"
#include "weir/experiment/config/default_routing.hpp"
#include "weir/experiment/config/sections.hpp"
#include "weir/report/figure/figure.hpp"
#include "weir/report/page/bibliography.hpp"
#include "weir/report/page/catalogue_json.hpp"
#include "weir/report/table/assumptions_text.hpp"
#include "weir/report/table/parameter_text.hpp"

namespace weir::cli {
namespace {

void print_parameters(const std::vector<Parameter>& parameters) {
  if (parameters.empty()) return;
  std::vector<std::vector<std::string>> rows;
  rows.reserve(parameters.size());
  for (const Parameter& parameter : parameters) {
    rows.push_back({"  " + parameter.name, report::type_text(parameter),
                    parameter.help + report::limits_text(parameter)});
  }
  print_columns(rows);
}

void print_sources(const ModelInfo& model) {
  for (const report::CitedPlace& cited : report::cited_places(model.citation))
    say("  Source: {}\n", wrapped(report::reference_text(cited), line_width() - 10, 10));
}

void print_routings(const ModelInfo& topology) {
  const std::string text = experiment::natural_routing_text(topology.name);
  say("  Routing: {}\n", wrapped(text, line_width() - 11, 11));
}

/// `is_after`: something stands above.
bool describe_models(const std::string& kind_name, const std::string& name, bool is_after) {
  bool found = false;
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (!kind_name.empty() && kind->kind() != kind_name) continue;
    for (const ModelInfo* model : kind->models()) {
      if (model->name != name) continue;
      if (found || is_after) say("\n");
      found = true;
      say("{} ({})\n  {}\n", model->name, kind->kind(),
          wrapped(model->purpose, line_width() - 2, 2));
      print_sources(*model);
      if (kind->kind() == "topology") print_routings(*model);
      if (!model->plugin.empty()) say("  From the plug-in {}\n", model->plugin);
      if (!model->parameters.empty()) say("\n");
      print_parameters(model->parameters);
    }
  }
  return found;
}

bool describe_section(const std::string& name) {
  const auto& all = experiment::sections();
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const experiment::Section& s) { return s.name == name; });
  if (it == all.end()) return false;
  const std::string head = it->is_list ? "[[" + name + "]]" : "[" + name + "]";
  say("{} {}\n", head, it->purpose);
  if (!it->kind.empty()) {
    std::vector<std::string> names;
    for (const CatalogKind* kind : Catalog::instance().kinds()) {
      if (kind->kind() != it->kind) continue;
      for (const ModelInfo* model : kind->models()) names.push_back(model->name);
    }
    std::string list;
    for (const std::string& one : names) list += (list.empty() ? "" : " | ") + one;
    const std::string text =
        list + (!it->default_by.empty()     ? " (default: " + it->default_by + ")"
                : it->default_model.empty() ? " (required)"
                                            : " (default " + it->default_model + ")");
    print_columns({{"  model", "string", text}});
  }
  if (name == "plot") {
    print_parameters(report::PlotSpec::parameters());
  } else if (name == "plot.reference") {
    print_parameters(report::PlotSpec::reference_parameters());
  } else {
    print_parameters(it->parameters);
  }
  return true;
}

constexpr const char* kSection = "section";

std::vector<std::string> kind_names() {
  std::vector<std::string> names{kSection};
  for (const CatalogKind* kind : Catalog::instance().kinds()) names.push_back(kind->kind());
  return names;
}

/// Of one kind, or of all.
std::vector<std::string> known_names(const std::string& of_kind) {
  std::vector<std::string> names;
  if (of_kind.empty() || of_kind == kSection) {
    for (const experiment::Section& section : experiment::sections()) names.push_back(section.name);
  }
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (!of_kind.empty() && kind->kind() != of_kind) continue;
    for (const ModelInfo* model : kind->models()) names.push_back(model->name);
  }
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "; 'mvpm' is a marking: weir describe marking mvpm", or empty when nothing has that name.
std::string other_kind(const std::string& name) {
  for (const std::string& kind : kind_names()) {
    if (!contains(known_names(kind), name)) continue;
    return fmt::format("; '{}' is of the kind '{}': weir describe {} {}", name, kind, kind, name);
  }
  return "";
}

/// "marking" for "marker" too: the kind that begins alike where none is spelt nearly so.
std::string nearest_kind(const std::string& wrong) {
  const std::vector<std::string> kinds = kind_names();
  std::string nearest = nearest_name(wrong, kinds);
  constexpr std::size_t kAlike = 4;
  for (const std::string& kind : kinds) {
    if (nearest.empty() && wrong.size() >= kAlike && kind.starts_with(wrong.substr(0, kAlike))) {
      nearest = kind;
    }
  }
  return nearest;
}

[[noreturn]] void refuse(const std::string& kind, const std::string& name) {
  if (!kind.empty() && !contains(kind_names(), kind)) {
    const std::string nearest = nearest_kind(kind);
    const std::string other = other_kind(name);
    throw InputError("there is no kind '" + kind + "'" +
                     (!other.empty()    ? other
                      : nearest.empty() ? " (weir list shows the kinds)"
                                        : " (did you mean '" + nearest + "'?)"));
  }
  const std::string nearest = nearest_name(name, known_names(kind));
  const std::string what = kind.empty() ? "nothing" : "no " + kind;
  const std::string other = kind.empty() ? "" : other_kind(name);
  const std::string list = kind.empty() || kind == kSection ? "weir list" : "weir list " + kind;
  throw InputError(what + " is called '" + name + "'" +
                   (!other.empty()    ? other
                    : nearest.empty() ? " (" + list + " shows what there is)"
                                      : " (did you mean '" + nearest + "'?)"));
}

/// BibTeX entries of the works that all models of that name follow, each once.
bool print_bibtex(const std::string& kind_name, const std::string& name) {
  bool found = false;
  std::set<std::string> printed;
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (!kind_name.empty() && kind->kind() != kind_name) continue;
    for (const ModelInfo* model : kind->models()) {
      if (model->name != name) continue;
      found = true;
      for (const report::CitedPlace& cited : report::cited_places(model->citation)) {
        if (cited.work == nullptr || !printed.insert(cited.work->key).second) continue;
        say("{}{}", printed.size() > 1 ? "\n" : "", cited.work->bibtex);
      }
    }
  }
  return found;
}

std::vector<std::string> shipped_documents() {
  try {
    return experiment::claims::document_names(experiments_folder());
  } catch (const InputError&) {
    return {};  // none is installed
  }
}

/// What a document is about, and where the values of its experiments come from.
void describe_document(const std::string& name) {
  const experiment::claims::Document document = document_called(name);
  say("{} (document)\n  {}\n\n", document.name, wrapped(document.title, line_width() - 2, 2));
  say(std::string_view(report::assumptions_table(document, has_color(), table_width())));
  const std::string more = fmt::format(
      "weir calibrate {0} shows what it leaves open, weir reproduce {0} checks its claims",
      document.name);
  say("\n{}\n", wrapped(more, line_width(), 0));
}

nlohmann::json document_json(const std::string& name) {
  const experiment::claims::Document document = document_called(name);
  nlohmann::json values = nlohmann::json::array();
  for (const auto& one : document.assumptions) {
    values.push_back({{"origin", to_string(one.origin)},
                      {"key", one.key},
                      {"value", experiment::short_text(one.value)},
                      {"source", one.source}});
  }
  return {{"kind", "document"},
          {"name", document.name},
          {"title", document.title},
          {"assumptions", std::move(values)}};
}

int describe_for_programs(const std::string& kind, const std::string& name) {
  if (kind.empty() && contains(shipped_documents(), name)) {
    say("{}\n", nlohmann::json::array({document_json(name)}).dump(2));
    return kDone;
  }
  const std::string text = report::description_json(kind, name);
  if (text.empty()) refuse(kind, name);
  say(std::string_view(text));
  return kDone;
}

int describe(const std::vector<std::string>& words, bool as_bibtex, bool as_json) {
  const std::string& name = words.back();
  const std::string kind = words.size() > 1 ? words.front() : "";
  if (as_json) return describe_for_programs(kind, name);
  if (as_bibtex) {
    if (!print_bibtex(kind, name)) refuse(kind == kSection ? "" : kind, name);
    return kDone;
  }
  if (kind.empty() && contains(shipped_documents(), name)) {
    describe_document(name);
    return kDone;
  }
  const bool found = (kind.empty() || kind == kSection) && describe_section(name);
  const bool found_models = describe_models(kind, name, found);
  if (!found && !found_models) refuse(kind, name);
  return kDone;
}

}  // namespace

void print_model(const std::string& kind, const std::string& name) {
  (void)describe_models(kind, name, true);
}

void add_describe(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "describe", "What a model, a section, a metric or a document is, and its parameters");
  auto words = std::make_shared<std::vector<std::string>>();
  command
      ->add_option("NAME", *words,
                   "name, or kind and name: d-mod-k, switch, metric efficiency, section switch")
      ->required()
      ->expected(1, 2);
  auto as_bibtex = std::make_shared<bool>(false);
  command->add_flag("--bibtex", *as_bibtex,
                    "Print the works that a model or a metric follows, as BibTeX entries");
  auto format = std::make_shared<std::string>("table");
  command
      ->add_option("--format", *format,
                   "table, or json for programs: a list of all that is called so")
      ->check(CLI::IsMember({"table", "json"}))
      ->excludes("--bibtex");
  command->callback([words, as_bibtex, format, &action] {
    action = [words, as_bibtex, format] { return describe(*words, *as_bibtex, *format == "json"); };
  });
}

}  // namespace weir::cli
