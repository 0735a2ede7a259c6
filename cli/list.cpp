#include <algorithm>

#include "commands.hpp"
#include "output.hpp"
#include "weir/base/catalog.hpp"
#include "weir/experiment/config/sections.hpp"
#include "weir/report/page/catalogue_json.hpp"

namespace weir::cli {
namespace {

void print_kind(const CatalogKind& kind) {
  std::vector<std::vector<std::string>> rows;
  for (const ModelInfo* model : kind.models()) {
    const std::string from = model->plugin.empty() ? "" : " [" + model->plugin + "]";
    rows.push_back({"  " + model->name, model->purpose + from});
  }
  say("{}\n", kind.kind());
  print_columns(rows);
}

void print_sections() {
  std::vector<std::vector<std::string>> rows;
  for (const experiment::Section& section : experiment::sections()) {
    rows.push_back({"  " + section.name, section.purpose});
  }
  say("section\n");
  print_columns(rows);
}

void print_texts(const std::string& owner, const std::string& purpose,
                 const std::vector<Parameter>& parameters) {
  say("{}\t{}\n", owner, purpose);
  for (const Parameter& parameter : parameters)
    say("{}.{}\t{}\n", owner, parameter.name, parameter.help);
}

/// A line for each text: whose it is, a tab, the text.
int list_texts() {
  for (const experiment::Section& section : experiment::sections())
    print_texts("section " + section.name, section.purpose, section.parameters);
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    for (const ModelInfo* model : kind->models())
      print_texts(kind->kind() + " " + model->name, model->purpose, model->parameters);
  }
  return kDone;
}

int list(const std::string& wanted) {
  const auto kinds = Catalog::instance().kinds();
  std::vector<std::string> names{"section"};
  bool is_first = true;
  for (const CatalogKind* kind : kinds) {
    names.push_back(kind->kind());
    if (!wanted.empty() && wanted != kind->kind()) continue;
    if (wanted.empty() && kind->kind() == "metric") continue;
    if (!is_first) say("\n");
    is_first = false;
    print_kind(*kind);
  }
  if (wanted == "section") print_sections();
  if (wanted.empty()) {
    say("\nAlso: weir list section, weir list metric. Details: weir describe NAME\n");
  }
  if (!wanted.empty() && std::find(names.begin(), names.end(), wanted) == names.end()) {
    throw InputError("no kind of models is called '" + wanted + "'" + suggestion(wanted, names));
  }
  return kDone;
}

int list_for_programs(const std::string& kind, const std::string& format) {
  if (format == "schema") {
    if (!kind.empty()) throw InputError("the schema is of the whole file, not of a KIND");
    say(std::string_view(report::experiment_schema()));
    return kDone;
  }
  say(std::string_view(kind.empty() ? report::catalogue_json() : report::catalogue_json(kind)));
  return kDone;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("list", "The models of each kind, sections, metrics");
  auto kind = std::make_shared<std::string>();
  command->add_option("KIND", *kind, "topology, routing, queueing, ..., section, metric");
  auto format = std::make_shared<std::string>("table");
  command
      ->add_option("--format", *format, "table, json, or schema: a JSON schema of experiment files")
      ->check(CLI::IsMember({"table", "json", "schema"}));
  auto texts = std::make_shared<bool>(false);
  command
      ->add_flag("--texts", *texts,
                 "Print every purpose and every help text instead, a line each, for proof-reading")
      ->excludes("KIND");
  command->callback([kind, format, texts, &action] {
    action = [kind, format, texts] {
      if (*texts) return list_texts();
      return *format == "table" ? list(*kind) : list_for_programs(*kind, *format);
    };
  });
}

}  // namespace weir::cli
