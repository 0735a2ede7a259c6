#include <fmt/format.h>

#include <concepts>
#include <stdexcept>
#include <utility>

#include "weir/base/key_list.hpp"

namespace weir::keys_detail {

namespace {

template <class Element>
std::string list_text(const std::vector<Element>& values) {
  ConfigArray array;
  for (const Element& value : values) array.emplace_back(value, SourcePosition{});
  return to_toml(ConfigValue(std::move(array), {}));
}

/// Which parameter holds a T, how it is read, and how a default is written.
template <class T>
struct Form;

template <>
struct Form<bool> {
  static constexpr ParameterType type = ParameterType::boolean;
  static bool read(const Settings& s, const std::string& name) { return s.boolean(name); }
  static std::string text(bool value) { return value ? "true" : "false"; }
};
template <std::integral T>
struct Form<T> {
  static constexpr ParameterType type = ParameterType::integer;
  static T read(const Settings& s, const std::string& name) {
    const std::int64_t value = s.integer(name);
    if (!std::in_range<T>(value))
      throw s.error(name, fmt::format("this key cannot hold {}", value));
    return static_cast<T>(value);
  }
  static std::string text(T value) { return std::to_string(value); }
};
template <>
struct Form<double> {
  static constexpr ParameterType type = ParameterType::real;
  static double read(const Settings& s, const std::string& name) { return s.real(name); }
  static std::string text(double value) { return to_toml(ConfigValue(value, {})); }
};
template <>
struct Form<std::string> {
  static constexpr ParameterType type = ParameterType::text;
  static std::string read(const Settings& s, const std::string& name) { return s.text(name); }
  static std::string text(const std::string& value) { return value; }
};
template <>
struct Form<Time> {
  static constexpr ParameterType type = ParameterType::time;
  static Time read(const Settings& s, const std::string& name) { return s.time(name); }
  static std::string text(Time value) { return to_string(value); }
};
template <>
struct Form<Bytes> {
  static constexpr ParameterType type = ParameterType::bytes;
  static Bytes read(const Settings& s, const std::string& name) { return s.bytes(name); }
  static std::string text(Bytes value) { return to_string(value); }
};
template <>
struct Form<Rate> {
  static constexpr ParameterType type = ParameterType::rate;
  static Rate read(const Settings& s, const std::string& name) { return s.rate(name); }
  static std::string text(Rate value) { return to_string(value); }
};
template <>
struct Form<std::vector<std::int64_t>> {
  static constexpr ParameterType type = ParameterType::integers;
  static auto read(const Settings& s, const std::string& name) { return s.integers(name); }
  static std::string text(const std::vector<std::int64_t>& value) { return list_text(value); }
};
template <>
struct Form<std::vector<double>> {
  static constexpr ParameterType type = ParameterType::reals;
  static auto read(const Settings& s, const std::string& name) { return s.reals(name); }
  static std::string text(const std::vector<double>& value) { return list_text(value); }
};
template <>
struct Form<std::vector<std::string>> {
  static constexpr ParameterType type = ParameterType::texts;
  static auto read(const Settings& s, const std::string& name) { return s.texts(name); }
  static std::string text(const std::vector<std::string>& value) { return list_text(value); }
};
template <>
struct Form<FilePath> {
  static constexpr ParameterType type = ParameterType::path;
  static FilePath read(const Settings& s, const std::string& name) { return {s.path(name)}; }
  static std::string text(const FilePath& value) { return value.name; }
};
template <>
struct Form<TimeOrAuto> {
  static constexpr ParameterType type = ParameterType::time;
  static TimeOrAuto read(const Settings& s, const std::string& name) {
    if (s.spelling(name) == TimeOrAuto::kAuto) return {Time(), true};
    return {s.time(name), false};
  }
  static std::string text(const TimeOrAuto& value) {
    return value.is_auto ? TimeOrAuto::kAuto : to_string(value.time);
  }
};
template <>
struct Form<ConfigValue> {
  static constexpr ParameterType type = ParameterType::any;
  static ConfigValue read(const Settings& s, const std::string& name) { return s.raw(name); }
  static std::string text(const ConfigValue& value) {
    return value.is_text() ? value.text() : to_toml(value);
  }
};

template <class T>
struct Erased {
  static void read(void* member, const Settings& settings, const std::string& name) {
    *static_cast<T*>(member) = Form<T>::read(settings, name);
  }
  static std::string text(const void* member) {
    return Form<T>::text(*static_cast<const T*>(member));
  }
  static constexpr KeyForm form{Form<T>::type, read, text};
};
template <class T>
struct Erased<std::optional<T>> {
  static void read(void* member, const Settings& settings, const std::string& name) {
    *static_cast<std::optional<T>*>(member) = Form<T>::read(settings, name);
  }
  static constexpr KeyForm form{Form<T>::type, read, nullptr};
};

const char* at(const void* values, std::size_t offset) {
  return static_cast<const char*>(values) + offset;
}

std::string choice_of(const BoundKey& key, const void* member) {
  for (std::size_t c = 0; c < key.values.size(); ++c) {
    if (key.choice.equals(member, key.values[c])) return key.parameter.choices[c];
  }
  throw std::logic_error("the default of '" + key.parameter.name + "' is none of its choices");
}

}  // namespace

template <class T>
const KeyForm& form_of() {
  return Erased<T>::form;
}

template const KeyForm& form_of<bool>();
template const KeyForm& form_of<std::int8_t>();
template const KeyForm& form_of<std::int16_t>();
template const KeyForm& form_of<std::int32_t>();
template const KeyForm& form_of<std::int64_t>();
template const KeyForm& form_of<std::uint8_t>();
template const KeyForm& form_of<std::uint16_t>();
template const KeyForm& form_of<std::uint32_t>();
template const KeyForm& form_of<std::uint64_t>();
template const KeyForm& form_of<double>();
template const KeyForm& form_of<std::string>();
template const KeyForm& form_of<Time>();
template const KeyForm& form_of<Bytes>();
template const KeyForm& form_of<Rate>();
template const KeyForm& form_of<std::vector<std::int64_t>>();
template const KeyForm& form_of<std::vector<double>>();
template const KeyForm& form_of<std::vector<std::string>>();
template const KeyForm& form_of<FilePath>();
template const KeyForm& form_of<TimeOrAuto>();
template const KeyForm& form_of<ConfigValue>();
template const KeyForm& form_of<std::optional<bool>>();
template const KeyForm& form_of<std::optional<std::int32_t>>();
template const KeyForm& form_of<std::optional<std::uint8_t>>();
template const KeyForm& form_of<std::optional<std::uint16_t>>();
template const KeyForm& form_of<std::optional<std::int64_t>>();
template const KeyForm& form_of<std::optional<std::uint32_t>>();
template const KeyForm& form_of<std::optional<std::uint64_t>>();
template const KeyForm& form_of<std::optional<double>>();
template const KeyForm& form_of<std::optional<std::string>>();
template const KeyForm& form_of<std::optional<Time>>();
template const KeyForm& form_of<std::optional<Bytes>>();
template const KeyForm& form_of<std::optional<Rate>>();
template const KeyForm& form_of<std::optional<std::vector<std::int64_t>>>();
template const KeyForm& form_of<std::optional<std::vector<double>>>();
template const KeyForm& form_of<std::optional<std::vector<std::string>>>();
template const KeyForm& form_of<std::optional<FilePath>>();
template const KeyForm& form_of<std::optional<ConfigValue>>();

BoundKey::BoundKey(const KeyForm& of, std::size_t at, std::string_view name, std::string_view help)
    : parameter(Parameter::of(of.type, std::string(name), std::string(help))),
      offset(at),
      form(&of) {}

BoundKey::BoundKey(const ChoiceForm& of, bool is_never_empty, std::size_t at, std::string_view name,
                   std::string_view help)
    : parameter(Parameter::of(ParameterType::text, std::string(name), std::string(help))),
      offset(at),
      choice(of),
      has_default(is_never_empty) {}

BoundKey::BoundKey(const BoundKey&) = default;
BoundKey::BoundKey(BoundKey&&) noexcept = default;
BoundKey& BoundKey::operator=(const BoundKey&) = default;
BoundKey& BoundKey::operator=(BoundKey&&) noexcept = default;
BoundKey::~BoundKey() = default;

void BoundKey::add_choice(std::string_view name, std::uint64_t value) {
  parameter.choices.emplace_back(name);
  values.push_back(value);
}

void KeyList::add(BoundKey key, std::size_t offset, const void* defaults) {
  key.offset += offset;
  if (key.parameter.is_required) key.has_default = false;
  key.parameter.default_text.reset();
  const void* member = at(defaults, key.offset);
  if (key.form != nullptr && key.has_default && key.form->text != nullptr)
    key.parameter.default_text = key.form->text(member);
  if (key.form == nullptr && key.has_default) key.parameter.default_text = choice_of(key, member);
  parameters_.push_back(key.parameter);
  keys_.push_back(std::move(key));
  shared_ = std::make_shared<Shared>();
}

std::shared_ptr<const ParameterList> KeyList::shared() const {
  std::call_once(shared_->once,
                 [this] { shared_->list = std::make_shared<const ParameterList>(parameters_); });
  return shared_->list;
}

void KeyList::read(void* values, const Settings& settings) const {
  for (const BoundKey& key : keys_) {
    if (!settings.has(key.parameter.name)) continue;
    void* member = static_cast<char*>(values) + key.offset;
    if (key.form != nullptr) {
      key.form->read(member, settings, key.parameter.name);
      continue;
    }
    const std::string& chosen = settings.text(key.parameter.name);
    for (std::size_t c = 0; c < key.values.size(); ++c) {
      if (key.parameter.choices[c] == chosen) key.choice.assign(member, key.values[c]);
    }
  }
}

const std::string& KeyList::name_at(std::size_t offset) const {
  for (const BoundKey& key : keys_) {
    if (key.offset == offset) return key.parameter.name;
  }
  throw std::logic_error("no key is bound to this member");
}

}  // namespace weir::keys_detail
