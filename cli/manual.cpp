#include "manual.hpp"

#include <fmt/format.h>

#include <vector>

#include "commands.hpp"
#include "weir/base/catalog.hpp"
#include "weir/base/version.hpp"
#include "weir/experiment/config/sections.hpp"

namespace weir::cli {
namespace {

/// Adds the character that begins at `i` in UTF-8; returns where the next one begins.
std::size_t add_character(const std::string& text, std::size_t i, std::string& out) {
  const auto first = static_cast<unsigned char>(text[i]);
  const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  unsigned code = first & (0xFFU >> (length + 1));
  std::size_t end = i + 1;
  for (; end < std::min(i + length, text.size()); ++end)
    code = (code << 6U) | (static_cast<unsigned char>(text[end]) & 0x3FU);
  out += fmt::format("\\[u{:04X}]", code);
  return end;
}

/// Text as roff shows it as it stands. `is_code`: a minus is one, not a hyphen.
std::string roff(const std::string& text, bool is_code = false) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80U) {
      i = add_character(text, i, out);
      continue;
    }
    if ((c == '.' || c == '\'') && out.empty()) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-' && is_code) {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '~' || c == '^' || c == '`') {
      out += c == '~' ? "\\(ti" : c == '^' ? "\\(ha" : "\\(ga";
    } else {
      out += c == '\n' ? ' ' : c;
    }
    ++i;
  }
  return out;
}

std::string roff_sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return roff(text);
}

/// A term and what it means.
std::string roff_entry(const std::string& term, const std::string& meaning) {
  return ".TP\n\\fB" + roff(term, true) + "\\fR\n" + roff(meaning) + "\n";
}

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  std::vector<const CLI::App*> shown;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!one->get_group().empty()) shown.push_back(one);  // others are for programs
  }
  return shown;
}

std::string option_entries(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options())
    text += roff_entry(option_name(*option), option->get_description());
  return text;
}

std::string commands_text(const CLI::App& app) {
  std::string text = ".SH COMMANDS\n";
  for (const CLI::App* command : shown_commands(app)) {
    text += ".SS " + roff("weir " + command->get_name(), true) + "\n" +
            roff_sentence(command->get_description()) + "\n" + option_entries(*command);
    for (const CLI::App* inner : command->get_subcommands([](const CLI::App*) { return true; })) {
      text += roff_entry(inner->get_name(), inner->get_description()) + ".RS\n" +
              option_entries(*inner) + ".RE\n";
    }
  }
  return text;
}

std::string sections_text() {
  std::string text =
      ".SH EXPERIMENT FILES\nTOML files of these sections; \\fBweir describe\\fR \\fISECTION\\fR "
      "shows "
      "the keys of one, \\fBweir run\\fR \\fIFILE\\fR \\fB\\-\\-dump\\fR those of an experiment "
      "with "
      "all defaults.\n";
  for (const experiment::Section& section : experiment::sections()) {
    const std::string name =
        section.is_list ? "[[" + section.name + "]]" : "[" + section.name + "]";
    text += roff_entry(name, section.purpose);
  }
  return text;
}

std::string models_text() {
  std::string text =
      ".SH MODELS\nBy kind; \\fBweir describe\\fR \\fIMODEL\\fR shows the keys and the source of "
      "one, "
      "\\fBweir list metric\\fR what is measured.\n";
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (kind->kind() == "metric") continue;
    text += ".SS " + roff(kind->kind(), true) + "\n";
    for (const ModelInfo* model : kind->models()) text += roff_entry(model->name, model->purpose);
  }
  return text;
}

constexpr const char* kEnvironmentText = R"(.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
Set to anything but nothing: tables have no colour on a terminal either.
.TP
\fBWEIR_EXPERIMENTS\fR
Folder of the documents that \fBweir reproduce\fR checks, in place of those that are installed.
.TP
\fBWEIR_JOURNAL\fR
How programs keep out of each other\(aqs way in a results database: \fBwal\fR, for those of one machine, or
\fBdelete\fR, by file locks alone, for those of several. By default the file system decides.
)";

constexpr const char* kFilesText = R"(.SH FILES
.TP
\fIresults/NAME/results.sqlite\fR
All runs of an experiment, written as soon as each of them ends.
.TP
\fIresults/NAME/\fR{\fIscalars.csv\fR,\fIseries.csv\fR,\fIresults.json\fR,\fIreport.html\fR}
The same as tables and as a page.
)";

std::string exit_statuses() {
  return ".SH EXIT STATUS\n" + roff_entry(std::to_string(kDone), "Everything was done.") +
         roff_entry(
             std::to_string(kRunFailed),
             "A run failed or was interrupted (the same command goes on), or with --strict a claim "
             "that is recorded as holding does not.") +
         roff_entry(
             std::to_string(kWrongInput),
             "The input is wrong: nothing was run. All mistakes of an experiment are told, with "
             "file, "
             "line and column.");
}

constexpr const char* kExamplesText = R"(.SH EXAMPLES
.TP
\fBweir run experiments/quickstart.toml\fR
runs an experiment: table, results, plots, report.
.TP
\fBweir run FILE \-\-set host.mtu="2 KiB" \-\-seed 7\fR
the same with other values.
.TP
\fBweir watch results/NAME\fR
shows how far a run is that goes on elsewhere.
.TP
\fBweir describe d\-mod\-k\fR
tells what a model does, its keys and its source.
)";

}  // namespace

std::string option_name(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true) : option.get_name(false, true);
}

std::string manual(const CLI::App& app) {
  std::string text = fmt::format(
      ".\\\" Written by weir reference \\-\\-man; nothing in it is typed.\n"
      ".TH WEIR 1 \"\" \"weir {}\" \"User Commands\"\n.SH NAME\nweir \\- simulates congestion in "
      "lossless interconnects, packet by packet\n.SH SYNOPSIS\n",
      version());
  for (const CLI::App* command : shown_commands(app)) {
    if (command != shown_commands(app).front()) text += ".br\n";
    text += "\\fBweir " + roff(command->get_name(), true) + "\\fR";
    bool has_options = false;
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_positional()) has_options = true;
    }
    if (has_options) text += " [\\fIOPTION\\fR ...]";
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_positional()) continue;
      const std::string name = "\\fI" + roff(option->get_name(true), true) + "\\fR";
      const std::string more = option->get_items_expected_max() > 1 ? " ..." : "";
      text += option->get_required() ? " " + name + more : " [" + name + more + "]";
    }
    text += "\n";
  }
  text +=
      ".SH DESCRIPTION\nA laboratory for congestion in lossless networks: topologies and real "
      "InfiniBand fabrics, routing, queueing, isolation, marking and reactions, workloads, "
      "published "
      "experiments and their claims. An experiment is a file of text; everything that it does not "
      "say "
      "has a default.\n";
  text += commands_text(app) + sections_text() + models_text();
  text += std::string(kEnvironmentText) + kFilesText + exit_statuses() + kExamplesText;
  return text;
}

}  // namespace weir::cli
