#include "weir/report/page/reference_pages.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/experiment/config/default_routing.hpp"
#include "weir/experiment/config/sections.hpp"
#include "weir/report/figure/figure.hpp"
#include "weir/report/page/bibliography.hpp"
#include "weir/report/table/parameter_text.hpp"

namespace weir::report {

namespace {

constexpr std::string_view kMetric = "metric";

/// How every page says where it comes from.
std::string head(std::string_view title, std::string_view text) {
  return fmt::format(
      "# {}\n\n{}\n\nThis page is written by `weir reference docs/reference`; nothing in it is "
      "typed.\n",
      title, text);
}

/// "choices, limits, default" of limits_text(), without its brackets.
std::string bare_limits(const Parameter& parameter) {
  const std::string text = limits_text(parameter);
  return text.empty() ? text : text.substr(2, text.size() - 3);
}

/// With a capital letter.
std::string sentence(const std::string& text) {
  std::string out = cell(text);
  if (!out.empty())
    out.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(out.front())));
  return out;
}

std::string parameter_table(const std::vector<Parameter>& parameters) {
  if (parameters.empty()) return "";
  std::string text = "\n| key | type | meaning | values |\n|---|---|---|---|\n";
  for (const Parameter& parameter : parameters) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", parameter.name, type_text(parameter),
                        cell(parameter.help), cell(bare_limits(parameter)));
  }
  return text;
}

/// Links to the bibliography, each with its place.
std::string sources(const std::string& citation) {
  std::string text;
  for (const CitedPlace& cited : cited_places(citation)) {
    if (cited.work == nullptr) {
      text += (text.empty() ? "" : "; ") + cited.place;
      continue;
    }
    text += fmt::format("{}[{} ({})](bibliography.md#{}){}{}", text.empty() ? "" : "; ",
                        cited.work->authors, cited.work->year, cited.work->key,
                        cited.place.empty() ? "" : ", ", cited.place);
  }
  return text;
}

const CatalogKind* find_kind(std::string_view name) {
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (kind->kind() == name) return kind;
  }
  return nullptr;
}

std::string model_choice(const experiment::Section& section) {
  const CatalogKind* kind = find_kind(section.kind);
  if (kind == nullptr) return "";
  std::string names;
  for (const ModelInfo* model : kind->models()) {
    names += fmt::format("{}[`{}`](models.md#{}-{})", names.empty() ? "" : ", ", model->name,
                         section.kind, model->name);
  }
  return fmt::format("\n`model` is one of {}{}.\n", names,
                     !section.default_by.empty() ? "; without it: " + section.default_by
                     : section.default_model.empty()
                         ? "; it has to be given"
                         : "; without it: `" + section.default_model + "`");
}

std::string keys_page() {
  std::string text = head("Keys of an experiment file",
                          "Sections in the order in which `weir run FILE --dump` writes them. "
                          "[Experiment files](../guide/experiment-files.md) says how they are put "
                          "together, and how values are written.");
  for (const experiment::Section& section : experiment::sections()) {
    const bool is_inner = section.name.find('.') != std::string::npos;
    const std::string name =
        section.is_list ? "[[" + section.name + "]]" : "[" + section.name + "]";
    text += fmt::format("\n## `{}` <a id=\"{}\"></a>\n\n{}{}.\n", is_inner ? section.name : name,
                        section.name, is_inner ? "As a table: " : "",
                        is_inner ? cell(section.purpose) : sentence(section.purpose));
    text += model_choice(section);
    text += parameter_table(section.name == "plot"             ? PlotSpec::parameters()
                            : section.name == "plot.reference" ? PlotSpec::reference_parameters()
                                                               : section.parameters);
  }
  return text;
}

std::string models_page() {
  std::string text = head("Models",
                          "Every model with its keys and its sources, by kind. `weir describe "
                          "MODEL` prints the same, `weir describe --bibtex MODEL` the sources as "
                          "BibTeX.");
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (kind->kind() == kMetric) continue;
    text += fmt::format("\n## {} <a id=\"{}\"></a>\n", kind->kind(), kind->kind());
    for (const ModelInfo* model : kind->models()) {
      text += fmt::format("\n### `{}` <a id=\"{}-{}\"></a>\n\n{}.\n\nSource: {}.\n", model->name,
                          kind->kind(), model->name, sentence(model->purpose),
                          sources(model->citation));
      if (kind->kind() == "topology") {
        text +=
            fmt::format("\nRouting: {}.\n", cell(experiment::natural_routing_text(model->name)));
      }
      text += parameter_table(model->parameters);
    }
  }
  return text;
}

std::string metrics_page() {
  std::string text = head("Metrics",
                          "Names as `results.columns`, plots and claims take them; a label stands "
                          "in brackets behind the name, as in `latency_mean[cold]`.");
  text += "\n| metric | meaning | source |\n|---|---|---|\n";
  for (const ModelInfo* metric : metric_registry().models()) {
    text += fmt::format("| `{}` | {} | {} |\n", metric->name, cell(metric->purpose),
                        sources(metric->citation));
  }
  return text;
}

std::string bibliography_page() {
  std::string text = head("Bibliography",
                          "The works that weir is built on. They are cited by the keys of "
                          "[references.bib](../references.bib).");
  for (const Work& work : bibliography()) {
    text += fmt::format("\n* <a id=\"{}\"></a> {}\n", work.key,
                        reference_text({&work, "`" + work.key + "`"}));
  }
  return text;
}

}  // namespace

std::string cell(std::string text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '<') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::map<std::string, std::string> reference_pages() {
  return {{"keys.md", keys_page()},
          {"models.md", models_page()},
          {"metrics.md", metrics_page()},
          {"bibliography.md", bibliography_page()}};
}

}  // namespace weir::report
