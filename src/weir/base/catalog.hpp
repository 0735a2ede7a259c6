#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/base/units.hpp"

namespace weir {

enum class ParameterType {
  boolean,
  integer,
  real,
  text,      ///< free text, or one of `choices`
  time,      ///< "30 ns"
  bytes,     ///< "4 KiB"
  rate,      ///< "100 Gbps"
  integers,  ///< list of integers
  reals,
  texts,
  path,  ///< file name, relative to the experiment file
  any,   ///< list, table or text that the model reads itself
};

/// One parameter of a model or of a section of an experiment file, as shown by `weir describe`.
struct Parameter {
  std::string name;
  ParameterType type = ParameterType::text;
  std::string help;
  std::optional<std::string>
      default_text;  ///< as written in TOML without quotes; none: see required
  bool is_required = false;
  /// In base units: ps, bytes, bit/s. Quantities without a minimum must not be negative.
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices;

  static Parameter of(ParameterType type, std::string name, std::string help) {
    Parameter p;
    p.name = std::move(name);
    p.type = type;
    p.help = std::move(help);
    return p;
  }
  Parameter&& by_default(std::string text) && {
    default_text = std::move(text);
    return std::move(*this);
  }
  Parameter&& required() && {
    is_required = true;
    return std::move(*this);
  }
  Parameter&& range(double low, double high) && {
    minimum = low;
    maximum = high;
    return std::move(*this);
  }
  Parameter&& at_least(double low) && {
    minimum = low;
    return std::move(*this);
  }
  Parameter&& one_of(std::vector<std::string> names) && {
    choices = std::move(names);
    return std::move(*this);
  }
};

/// Parameters that many tables are checked against, as those of a list of thousands: described,
/// copied and given their defaults once.
class ParameterList {
 public:
  /// Throws std::logic_error for a default that is wrong.
  explicit ParameterList(std::vector<Parameter> parameters);

  [[nodiscard]] const std::vector<Parameter>& all() const { return all_; }

 private:
  friend class Settings;
  struct Plain {};
  ParameterList(std::vector<Parameter> parameters, Plain) : all_(std::move(parameters)) {}

  std::vector<Parameter> all_;
  /// By parameter, or empty: their checked values, but those of paths, which depend on the file.
  std::vector<std::optional<ConfigValue>> defaults_;
};

/// Checked values of a described set of parameters. A getter throws std::logic_error when the
/// parameter was never described with that type: that is the programmer's mistake, not the user's.
class Settings {
 public:
  [[nodiscard]] bool boolean(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] double real(std::string_view name) const;
  /// Of either type: models may have whole and real numbers under one name.
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;
  [[nodiscard]] Time time(std::string_view name) const;
  [[nodiscard]] Bytes bytes(std::string_view name) const;
  [[nodiscard]] Rate rate(std::string_view name) const;
  /// Of a time: as to_string() writes it, or the word that stands in its place.
  [[nodiscard]] const std::string& spelling(std::string_view name) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
  [[nodiscard]] std::vector<double> reals(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  /// Path made absolute against the folder of the file the value came from.
  [[nodiscard]] std::string path(std::string_view name) const;
  /// The raw value, for ParameterType::any.
  [[nodiscard]] const ConfigValue& raw(std::string_view name) const;

  /// Has a value, given or by default. Only optional parameters without default can be absent.
  [[nodiscard]] bool has(std::string_view name) const;
  /// The user wrote it (rather than a default).
  [[nodiscard]] bool given(std::string_view name) const;

  /// The dotted key of a parameter, and where it stands: the table where the user did not write it.
  [[nodiscard]] std::string path_to(std::string_view name) const;
  [[nodiscard]] const SourcePosition& position_of(std::string_view name) const;
  /// An InputError at this parameter's place: throw settings.error("ports", "must be even").
  [[nodiscard]] InputError error(std::string_view name, std::string_view message) const;

  /// Checks `table` against `parameters`: unknown keys (with the nearest known one), wrong types
  /// and units, range, choices, missing required ones. `where` is the dotted path of the table for
  /// messages ("topology", "traffic[0].arrivals"). Keys in `also_known` are skipped.
  static Settings check(const ConfigTable& table, const std::vector<Parameter>& parameters,
                        std::string_view where, const std::vector<std::string>& also_known = {});
  /// The same for one of many tables.
  static Settings check(const ConfigTable& table, std::shared_ptr<const ParameterList> parameters,
                        std::string_view where, const std::vector<std::string>& also_known = {});

  /// All values with the defaults filled in, for `--dump`: quantities in the spelling of
  /// to_string(), reals as reals, paths absolute. check() accepts it, and it resolves to itself.
  [[nodiscard]] ConfigTable resolved() const;

 private:
  struct Entry {
    const Parameter* parameter = nullptr;  ///< of list_
    ConfigValue value;
    bool given = false;
    bool present = false;
  };
  [[nodiscard]] const Entry& entry(std::string_view name, ParameterType type) const;
  [[nodiscard]] const Entry* find(std::string_view name) const;

  std::shared_ptr<const ParameterList> list_;
  std::vector<Entry> entries_;
  std::string where_;
  SourcePosition position_;
};

/// What a model says about itself.
struct ModelInfo {
  std::string name;      ///< registered name, the paper's in lower case with hyphens
  std::string purpose;   ///< one line
  std::string citation;  ///< document, section
  std::vector<Parameter> parameters = {};
  std::string plugin = {};  ///< file name of the plug-in that brought it; empty: weir's own
};

/// One kind of models ("topology", "routing", "queueing", ...), type-erased for list and describe.
class CatalogKind {
 public:
  explicit CatalogKind(std::string kind) : kind_(std::move(kind)) {}
  CatalogKind(const CatalogKind&) = delete;
  CatalogKind& operator=(const CatalogKind&) = delete;
  virtual ~CatalogKind() = default;

  [[nodiscard]] const std::string& kind() const { return kind_; }
  /// Sorted by name.
  [[nodiscard]] virtual std::vector<const ModelInfo*> models() const = 0;
  /// Takes a model out again, as when a plug-in is refused after it has registered some.
  virtual void remove(const std::string& name) = 0;

 private:
  std::string kind_;
};

/// What a plug-in has registered while it was loaded.
struct PluginModels {
  std::string plugin;  ///< its file name
  std::vector<std::pair<CatalogKind*, std::string>> added;
  /// Models whose names are taken; they are left out.
  struct Clash {
    std::string kind;
    std::string name;
    std::string taken_by;  ///< a plug-in; empty: weir's own
  };
  std::vector<Clash> clashes;
};

/// All kinds that have a registry, sorted by name.
class Catalog {
 public:
  static Catalog& instance();
  void add(CatalogKind& kind);
  [[nodiscard]] std::vector<const CatalogKind*> kinds() const;

  /// From here to end_plugin() models belong to the plug-in with this file name, and one whose name
  /// is taken is noted rather than thrown about: nothing can be thrown through a library's loading.
  void begin_plugin(std::string file_name);
  PluginModels end_plugin();
  /// Of the plug-in that is being loaded, or nullptr.
  [[nodiscard]] PluginModels* loading() { return loading_.get(); }

 private:
  std::map<std::string, CatalogKind*> kinds_;
  std::unique_ptr<PluginModels> loading_;
};

/// The models that implement one interface. `Factory` is any std::function<...(const Settings&,
/// ...)>. An interface header declares `Registry<...>& topology_registry();`, defined once in a
/// .cpp as a function-local static; each model's .cpp holds one `Registration`.
template <class Factory>
class Registry : public CatalogKind {
 public:
  struct Model {
    ModelInfo info;
    Factory make;
  };

  explicit Registry(std::string kind) : CatalogKind(std::move(kind)) {
    Catalog::instance().add(*this);
  }

  /// Two models of one name are a programmer's mistake: throws std::logic_error. While a plug-in is
  /// loaded, see Catalog::begin_plugin().
  void add(Model model) {
    const std::string name = model.info.name;
    PluginModels* const loading = Catalog::instance().loading();
    if (loading != nullptr) model.info.plugin = loading->plugin;
    const auto [place, is_new] = models_.emplace(name, std::move(model));
    if (is_new) {
      if (loading != nullptr) loading->added.emplace_back(this, name);
    } else if (loading != nullptr) {
      loading->clashes.push_back({kind(), name, place->second.info.plugin});
    } else {
      throw std::logic_error("two models of the kind '" + kind() + "' are called '" + name + "'");
    }
  }

  /// Puts a model in the place of one that has its name, if there is one: for models that are
  /// written while a program goes on. Nothing may read the registry meanwhile.
  void replace(Model model) {
    const std::string name = model.info.name;
    models_.insert_or_assign(name, std::move(model));
  }

  /// A name that is refused with `now`, what to write instead: "'voqsw' or 'fifo'".
  void add_former_name(std::string name, std::string now) {
    former_names_.emplace(std::move(name), std::move(now));
  }

  /// The model called `name`; throws InputError with its new name or the nearest one.
  const Model& find(std::string_view name, const SourcePosition& position,
                    std::string_view key) const {
    const auto it = models_.find(std::string(name));
    if (it != models_.end()) return it->second;
    if (const auto former = former_names_.find(std::string(name)); former != former_names_.end()) {
      throw InputError(
          position, key,
          "the " + kind() + " '" + former->first + "' is now called " + former->second);
    }
    std::vector<std::string> known;
    for (const auto& [known_name, model] : models_) known.push_back(known_name);
    throw InputError(
        position, key,
        "no " + kind() + " is called '" + std::string(name) + "'" + suggestion(name, known));
  }

  [[nodiscard]] std::vector<const ModelInfo*> models() const override {
    std::vector<const ModelInfo*> infos;
    for (const auto& [name, model] : models_) infos.push_back(&model.info);
    return infos;
  }
  void remove(const std::string& name) override { models_.erase(name); }

 private:
  std::map<std::string, Model> models_;
  std::map<std::string, std::string> former_names_;
};

template <class S>
class Keys;

/// What makes a model of Settings, by `make`, which takes Checked<S> in their place.
template <class S, class Make>
auto of_settings(Keys<S> keys, Make make) {
  // Shared, because factories are copied.
  auto shared = std::make_shared<const Keys<S>>(std::move(keys));
  return [shared, make]<class... More>(const Settings& settings, More&&... more) {
    return make(shared->read(settings), std::forward<More>(more)...);
  };
}

/// Registers a model during static initialization.
template <class Factory>
struct Registration {
  Registration(Registry<Factory>& registry, ModelInfo info, Factory make) {
    registry.add({std::move(info), std::move(make)});
  }
  /// A model with keys (keys.hpp): `make` takes Checked<S> in place of Settings.
  template <class S, class Make>
  Registration(Registry<Factory>& registry, ModelInfo info, Keys<S> keys, Make make) {
    info.parameters = keys.parameters();
    registry.add({std::move(info), of_settings(std::move(keys), std::move(make))});
  }
};

/// Refuses the former name of a model during static initialization.
struct FormerName {
  template <class Factory>
  FormerName(Registry<Factory>& registry, std::string name, std::string now) {
    registry.add_former_name(std::move(name), std::move(now));
  }
};

}  // namespace weir
