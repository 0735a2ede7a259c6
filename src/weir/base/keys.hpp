#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/key_list.hpp"

/// Keys of experiment files, each bound to the member of a struct that takes its value. The
/// struct's initial values are the defaults: a key, its type, default, range and choices are
/// written once.
///
///     struct TimerSettings {
///       Time period = microseconds(5);
///       double step = 0.5;
///       Start start = Start::full;
///       std::optional<Time> limit;      // may be left out
///     };
///     const Keys<TimerSettings> kTimerKeys{
///         key(&TimerSettings::period, "period", "time between two increases"),
///         key(&TimerSettings::step, "step", "what each adds").range(0, 1),
///         choice(&TimerSettings::start, "start", "rate of a new flow",
///                {{"full", Start::full}, {"least", Start::least}}),
///         key(&TimerSettings::limit, "limit", "longest wait (default: none)")};
namespace weir {

namespace keys_detail {

/// Where a member, or a base class, is within an S.
template <class S, class Find>
std::size_t offset_in(Find find) {
  // No S is made: only addresses are looked at.
  alignas(S) static std::byte room[sizeof(S)];
  const auto* object = reinterpret_cast<const S*>(room);
  return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(find(object)) - room);
}
template <class S, class Owner, class T>
std::size_t offset_of(T Owner::*member) {
  return offset_in<S>(
      [member](const S* object) { return &(static_cast<const Owner*>(object)->*member); });
}

template <class T>
struct Unwrapped {
  using Type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using Type = T;
};

}  // namespace keys_detail

/// A key whose value goes into a member of S. Made by key() and choice().
template <class S>
class Key {
 public:
  explicit Key(keys_detail::BoundKey bound) : bound_(std::move(bound)) {}
  /// A key of a base class is one of S.
  template <class Base>
  requires(std::derived_from<S, Base> && !std::same_as<S, Base>) Key(Key<Base> of_base)
      : bound_(std::move(of_base.bound_)) {
    bound_.offset +=
        keys_detail::offset_in<S>([](const S* object) { return static_cast<const Base*>(object); });
  }

  /// In base units: ps, bytes, bit/s.
  Key&& range(double low, double high) && {
    bound_.parameter.minimum = low;
    bound_.parameter.maximum = high;
    return std::move(*this);
  }
  Key&& at_least(double low) && {
    bound_.parameter.minimum = low;
    return std::move(*this);
  }
  /// The file has to give it.
  Key&& required() && {
    bound_.parameter.is_required = true;
    return std::move(*this);
  }
  /// Where it is left out the member keeps its value, which no file could give.
  Key&& without_default() && {
    bound_.has_default = false;
    return std::move(*this);
  }
  /// Of texts, and of lists of them.
  Key&& one_of(std::vector<std::string> names) && {
    bound_.parameter.choices = std::move(names);
    return std::move(*this);
  }

 private:
  template <class Other>
  friend class Key;
  template <class Whole>
  friend class Keys;

  keys_detail::BoundKey bound_;
};

/// Binds a key to a member. A std::optional member has no default and stays empty where the key is
/// left out.
template <class S, class T>
Key<S> key(T S::*member, std::string_view name, std::string_view help) {
  return Key<S>({keys_detail::form_of<T>(), keys_detail::offset_of<S>(member), name, help});
}

/// What a value of an enumeration, of bool or a number is called.
template <class T>
struct Choice {
  std::string_view name;
  T value;
};

/// Binds a key that names one of `choices` to a member.
template <class S, class T>
Key<S> choice(
    T S::*member, std::string_view name, std::string_view help,
    std::initializer_list<Choice<std::type_identity_t<typename keys_detail::Unwrapped<T>::Type>>>
        choices) {
  using Value = typename keys_detail::Unwrapped<T>::Type;
  const keys_detail::ChoiceForm form{
      [](void* place, std::uint64_t value) { *static_cast<T*>(place) = static_cast<Value>(value); },
      [](const void* place, std::uint64_t value) {
        return *static_cast<const T*>(place) == static_cast<Value>(value);
      }};
  keys_detail::BoundKey bound(form, std::same_as<T, Value>, keys_detail::offset_of<S>(member), name,
                              help);
  for (const auto& one : choices) bound.add_choice(one.name, static_cast<std::uint64_t>(one.value));
  return Key<S>(std::move(bound));
}

/// An S as a file gives it, and where its values stand there. The keys must outlive it.
template <class S>
class Checked {
 public:
  Checked() = default;
  Checked(S values, const keys_detail::KeyList& keys, std::shared_ptr<const Settings> settings)
      : values_(std::move(values)), keys_(&keys), settings_(std::move(settings)) {}
  /// What a function for all that derive from S takes.
  template <class Derived>
  requires(std::derived_from<Derived, S> && !std::same_as<Derived, S>)
      Checked(const Checked<Derived>& whole)
      : values_(whole.values_),
        keys_(whole.keys_),
        settings_(whole.settings_),
        offset_(whole.offset_ + keys_detail::offset_in<Derived>([](const Derived* object) {
                  return static_cast<const S*>(object);
                })) {}

  const S& operator*() const { return values_; }
  const S* operator->() const { return &values_; }
  /// The file gives it, rather than the default.
  template <class Owner, class T>
  [[nodiscard]] bool is_given(T Owner::*member) const {
    return settings_->given(name_of(member));
  }
  /// An InputError at the place of a member's key.
  template <class Owner, class T>
  [[nodiscard]] InputError error(T Owner::*member, std::string_view message) const {
    return settings_->error(name_of(member), message);
  }
  /// The dotted key of a member, and where it stands, for what throws such errors itself.
  template <class Owner, class T>
  [[nodiscard]] std::string path_to(T Owner::*member) const {
    return settings_->path_to(name_of(member));
  }
  template <class Owner, class T>
  [[nodiscard]] const SourcePosition& position_of(T Owner::*member) const {
    return settings_->position_of(name_of(member));
  }
  template <class Owner, class T>
  [[nodiscard]] const std::string& name_of(T Owner::*member) const {
    return keys_->name_at(offset_ + keys_detail::offset_of<S>(member));
  }
  /// A choice by its name.
  template <class Owner, class T>
  [[nodiscard]] const std::string& written(T Owner::*member) const {
    return settings_->text(name_of(member));
  }
  [[nodiscard]] const Settings& settings() const { return *settings_; }

 private:
  template <class Base>
  friend class Checked;

  S values_{};
  const keys_detail::KeyList* keys_ = nullptr;
  std::shared_ptr<const Settings> settings_;
  std::size_t offset_ = 0;  ///< of S within what the keys are of
};

/// The keys of a section or model, with the values that they have by default.
template <class S>
class Keys {
 public:
  Keys(std::initializer_list<Key<S>> keys) : Keys(S(), keys) {}
  /// The same keys with other defaults than the initial values of S.
  Keys(S defaults, std::initializer_list<Key<S>> keys) : defaults_(std::move(defaults)) {
    for (const Key<S>& one : keys) list_.add(one.bound_, 0, &defaults_);
  }

  /// All keys of a base class of S, or of S itself.
  template <class Base>
  requires std::derived_from<S, Base> Keys && with(const Keys<Base>& part) && {
    static_cast<Base&>(defaults_) = part.defaults();
    add(part.list_, keys_detail::offset_in<S>(
                        [](const S* object) { return static_cast<const Base*>(object); }));
    return std::move(*this);
  }
  /// All keys of a member of S.
  template <class Owner, class Part>
  Keys&& with(Part Owner::*member, const Keys<Part>& part) && {
    defaults_.*member = part.defaults();
    add(part.list_, keys_detail::offset_of<S>(member));
    return std::move(*this);
  }
  /// More of them.
  Keys&& with(std::initializer_list<Key<S>> more) && {
    for (const Key<S>& one : more) list_.add(one.bound_, 0, &defaults_);
    return std::move(*this);
  }

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return list_.parameters(); }
  [[nodiscard]] const S& defaults() const { return defaults_; }

  /// The values of settings that were checked against parameters(), or against more than these,
  /// and that outlive the result.
  [[nodiscard]] Checked<S> read(const Settings& settings) const {
    return read(std::shared_ptr<const Settings>(std::shared_ptr<void>(), &settings));
  }
  [[nodiscard]] Checked<S> read(std::shared_ptr<const Settings> settings) const {
    return read(std::move(settings), defaults_);
  }
  /// Members without a key, or whose key is left out and has no default, are those of `values`.
  [[nodiscard]] Checked<S> read(std::shared_ptr<const Settings> settings, S values) const {
    list_.read(&values, *settings);
    return {std::move(values), list_, std::move(settings)};
  }
  /// Settings::check() and read() in one.
  [[nodiscard]] Checked<S> check(const ConfigTable& table, std::string_view where,
                                 const std::vector<std::string>& also_known = {}) const {
    return check(table, where, also_known, defaults_);
  }
  [[nodiscard]] Checked<S> check(const ConfigTable& table, std::string_view where,
                                 const std::vector<std::string>& also_known, S values) const {
    return read(
        std::make_shared<const Settings>(Settings::check(table, list_.shared(), where, also_known)),
        std::move(values));
  }

  /// The key that a member is bound to. Throws std::logic_error where there is none.
  template <class Owner, class T>
  [[nodiscard]] const std::string& name_of(T Owner::*member) const {
    return list_.name_at(keys_detail::offset_of<S>(member));
  }

 private:
  template <class Whole>
  friend class Keys;

  void add(const keys_detail::KeyList& part, std::size_t offset) {
    for (const keys_detail::BoundKey& one : part.keys()) list_.add(one, offset, &defaults_);
  }

  S defaults_;
  keys_detail::KeyList list_;
};

}  // namespace weir
