#include <algorithm>
#include <filesystem>
#include <set>

#include "commands.hpp"
#include "experiments_folder.hpp"
#include "output.hpp"
#include "weir/base/catalog.hpp"
#include "weir/base/config.hpp"
#include "weir/base/error.hpp"
#include "weir/experiment/config/sections.hpp"

namespace weir::cli {
namespace {

/// What a shell fills in by itself: names of files.
constexpr const char* kFiles = "<files>";

constexpr const char* kBash =
    R"(# weir completion bash > /etc/bash_completion.d/weir, or: source <(weir completion bash)
_weir() {
  local IFS=$'\n' current=${COMP_WORDS[COMP_CWORD]} found
  mapfile -t found < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "${found[0]:-}" = "<files>" ]; then
    compopt -o default
    COMPREPLY=()
    return
  fi
  [[ ${found[0]:-} == *= ]] && compopt -o nospace
  COMPREPLY=($(compgen -W "${found[*]}" -- "$current"))
}
COMP_WORDBREAKS=${COMP_WORDBREAKS//=/}
complete -F _weir weir
)";

constexpr const char* kZsh = R"(#compdef weir
# weir completion zsh > _weir, in a folder of $fpath, or: source <(weir completion zsh)
_weir() {
  local -a found
  found=("${(@f)$($words[1] complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ ${found[1]} == "<files>" ]]; then
    _files
  elif [[ ${found[1]} == *= ]]; then
    compadd -S "" -a found
  else
    compadd -a found
  fi
}
# In a folder of $fpath this file is itself what zsh calls first.
if [[ ${funcstack[1]} == _weir ]]; then _weir "$@"; else compdef _weir weir; fi
)";

constexpr const char* kFish = R"(# weir completion fish > ~/.config/fish/completions/weir.fish
function __weir
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] complete -- $words[2..-1] 2>/dev/null)
  if test "$found[1]" = "<files>"
    __fish_complete_path (commandline -ct)
  else
    printf '%s\n' $found
  end
end
complete -c weir -f -a '(__weir)'
)";

const CLI::App* command_called(const CLI::App& app, const std::string& name) {
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_name() == name) return one;
  }
  return nullptr;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!one->get_group().empty()) names.push_back(one->get_name());
  }
  return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

void add_keys(const std::string& section, const std::vector<Parameter>& parameters,
              std::set<std::string>& out) {
  for (const Parameter& parameter : parameters) out.insert(section + "." + parameter.name + "=");
}

const CatalogKind* kind_of(const std::string& name) {
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (kind->kind() == name) return kind;
  }
  return nullptr;
}

/// The kind of model that a key of [[traffic]] or [[flow]] names; null where it names none.
const CatalogKind* kind_in_traffic(const std::string& key) {
  if (key == "destinations") return kind_of("pattern");
  return key == "arrivals" || key == "sizes" ? kind_of(key) : nullptr;
}

/// Names of the [[traffic]] or [[flow]]s of a file and of those that it includes. Only its text is
/// read: no plug-in is loaded by a key of the keyboard.
void add_names_of(const char* section, const std::filesystem::path& file, int depth,
                  std::set<std::string>& names) {
  constexpr int kDeepest = 8;
  std::error_code ignored;
  if (depth > kDeepest || !std::filesystem::is_regular_file(file, ignored)) return;
  const auto entries = [](const ConfigValue* value) {
    if (value == nullptr) return ConfigArray{};
    return value->is_array() ? value->array() : ConfigArray{*value};
  };
  try {
    const ConfigTable table = read_toml_file(file.string());
    for (const ConfigValue& one : entries(table.find("include"))) {
      if (one.is_text()) add_names_of(section, file.parent_path() / one.text(), depth + 1, names);
    }
    for (const ConfigValue& one : entries(table.find(section))) {
      const ConfigValue* name = one.is_table() ? one.table().find("name") : nullptr;
      if (name != nullptr && name->is_text()) names.insert(name->text());
    }
  } catch (const InputError&) {
    // The command itself says what is wrong.
  }
}

/// "traffic.hot.stop=" and all others for the classes of a section ("traffic" or "flow") in the
/// files among `words`.
void add_keys_of_classes(const std::string& of, const std::vector<std::string>& words,
                         std::set<std::string>& out) {
  std::set<std::string> names;
  for (const std::string& word : words) {
    if (word.ends_with(".toml")) add_names_of(of.c_str(), word, 0, names);
  }
  for (const experiment::Section& section : experiment::sections()) {
    const bool is_inner = (section.name.starts_with(of + ".") && !section.is_list) ||
                          section.name == "traffic.sources";  // of both
    if (section.name != of && !is_inner) continue;
    for (const std::string& name : names) {
      const std::string own =
          of + "." + name + (is_inner ? section.name.substr(section.name.find('.')) : "");
      add_keys(own, section.parameters, out);
      if (is_inner) continue;
      for (const Parameter& parameter : section.parameters) {
        const CatalogKind* kind = kind_in_traffic(parameter.name);
        if (kind == nullptr) continue;
        const std::string model = own + "." + parameter.name;
        out.insert(model + ".model=");
        for (const ModelInfo* one : kind->models()) add_keys(model, one->parameters, out);
      }
    }
  }
}

/// Every key that --set takes: those without a name of the file in it, and those of the traffic of
/// the files among `words`. Each may be swept, too.
std::vector<std::string> keys_to_set(const std::vector<std::string>& words) {
  std::set<std::string> all;
  for (const experiment::Section& section : experiment::sections()) {
    if (section.is_list || section.is_open || section.name.rfind("traffic", 0) == 0) continue;
    add_keys(section.name, section.parameters, all);
    const CatalogKind* kind = kind_of(section.kind);
    if (kind == nullptr) continue;
    all.insert(section.name + ".model=");
    for (const ModelInfo* model : kind->models()) add_keys(section.name, model->parameters, all);
  }
  add_keys_of_classes("traffic", words, all);
  add_keys_of_classes("flow", words, all);
  constexpr std::string_view kSweep = "sweep.";
  if (words.back().starts_with(kSweep)) {
    std::vector<std::string> swept;
    for (const std::string& key : all) swept.push_back(std::string(kSweep) + key);
    return swept;
  }
  return {all.begin(), all.end()};
}

/// The kind of the model that a key names: "routing.model", "traffic.hot.sizes.model".
const CatalogKind* kind_of_key(const std::string& key) {
  constexpr std::string_view kModel = ".model";
  if (!key.ends_with(kModel)) return nullptr;
  const std::string owner = key.substr(0, key.size() - kModel.size());
  if (!owner.starts_with("traffic.") && !owner.starts_with("flow.")) return kind_of(owner);
  return kind_in_traffic(owner.substr(owner.rfind('.') + 1));
}

/// "routing.model=" with every routing.
std::vector<std::string> values_of(const std::string& key) {
  std::vector<std::string> all;
  if (const CatalogKind* kind = kind_of_key(key); kind != nullptr) {
    for (const ModelInfo* model : kind->models()) all.push_back(key + "=" + model->name);
    return all;
  }
  for (const experiment::Section& one : experiment::sections()) {
    for (const Parameter& parameter : one.parameters) {
      if (one.name + "." + parameter.name != key) continue;
      for (const std::string& choice : parameter.choices) all.push_back(key + "=" + choice);
      if (parameter.type == ParameterType::boolean) {
        all.insert(all.end(), {key + "=true", key + "=false"});
      }
    }
  }
  return all;
}

std::vector<std::string> models_and_sections() {
  std::set<std::string> all;
  for (const experiment::Section& section : experiment::sections()) all.insert(section.name);
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    for (const ModelInfo* model : kind->models()) all.insert(model->name);
  }
  return {all.begin(), all.end()};
}

std::vector<std::string> names_of(const CatalogKind& kind) {
  std::vector<std::string> all;
  for (const ModelInfo* model : kind.models()) all.push_back(model->name);
  return all;
}

/// What a word behind `option` may be: one of its choices, a metric, or a file.
std::vector<std::string> values_of(const CLI::Option& option) {
  // "TEXT:{table,json}"
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin != std::string::npos && end != std::string::npos) {
    return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
  }
  const CatalogKind* metrics = kind_of("metric");
  if (option.check_lname("by") && metrics != nullptr) return names_of(*metrics);
  return {kFiles};
}

/// The option that `word` is, if it takes the word behind it; else null.
const CLI::Option* option_before(const CLI::App& command, const std::string& word) {
  const CLI::Option* option = word.starts_with('-') ? command.get_option_no_throw(word) : nullptr;
  return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

std::vector<std::string> kinds() {
  std::vector<std::string> all{"section"};
  for (const CatalogKind* kind : Catalog::instance().kinds()) all.push_back(kind->kind());
  return all;
}

std::vector<std::string> documents() {
  try {
    return experiment::claims::document_names(experiments_folder());
  } catch (const InputError&) {
    return {};  // none is installed
  }
}

/// Behind a kind its models, else kinds, models, sections and documents.
std::vector<std::string> words_to_describe(const std::string& before) {
  if (const CatalogKind* kind = kind_of(before); kind != nullptr) return names_of(*kind);
  std::vector<std::string> all = models_and_sections();
  for (const auto& more : {kinds(), documents()}) {
    for (const std::string& one : more) {
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
    }
  }
  return all;
}

/// Models of plug-ins that are named before the last word can be completed, too.
void load_plugins_in(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i] != kPluginOption) continue;
    try {
      load_plugins({words[i + 1]});
    } catch (const InputError&) {
      // The command itself says what is wrong.
    }
  }
}

/// What the last of `words` can become.
std::vector<std::string> candidates(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() < 2) return commands_of(app);
  const CLI::App* command = command_called(app, words.front());
  if (command == nullptr) return {};
  const std::string& last = words.back();
  const std::string& before = words[words.size() - 2];
  if (before == kPluginOption) return {kFiles};
  if (before == "--set") {
    const std::size_t equals = last.find('=');
    return equals == std::string::npos ? keys_to_set(words) : values_of(last.substr(0, equals));
  }
  if (const CLI::Option* option = option_before(*command, before); option != nullptr) {
    return values_of(*option);
  }
  if (last.rfind('-', 0) == 0) return options_of(*command);
  const std::string& name = words.front();
  if (name == "list") return kinds();
  if (name == "describe") return words_to_describe(before);
  if (name == "reproduce" || name == "calibrate") return documents();
  if (name == "completion") return {"bash", "zsh", "fish"};
  return {kFiles};
}

int complete(const CLI::App& app, const std::vector<std::string>& words) {
  load_plugins_in(words);
  const std::string last = words.empty() ? "" : words.back();
  for (const std::string& one : candidates(app, words)) {
    if (one == kFiles || one.rfind(last, 0) == 0) say("{}\n", one);
  }
  return kDone;
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("completion", "Print a script by which a shell completes what you type");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &action] {
    action = [shell] {
      say(std::string_view(*shell == "bash" ? kBash : *shell == "zsh" ? kZsh : kFish));
      return kDone;
    };
  });
  // For these scripts; not among the commands that --help shows.
  auto* words_of = app.add_subcommand("complete", "What the last word can become")->group("");
  auto words = std::make_shared<std::vector<std::string>>();
  words_of->add_option("WORDS", *words, "words of the command line so far");
  words_of->callback(
      [words, &app, &action] { action = [words, &app] { return complete(app, *words); }; });
}

}  // namespace weir::cli
