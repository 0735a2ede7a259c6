#pragma once

#include <cstddef>
#include <cstdint>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/catalog.hpp"

namespace weir {

/// The name of a file; relative ones are made absolute against the folder of the experiment file.
struct FilePath {
  std::string name;
};

/// A time, or the word "auto" (a choice of the key).
struct TimeOrAuto {
  static constexpr const char* kAuto = "auto";
  Time time;
  bool is_auto = false;
};

}  // namespace weir

/// What keys.hpp is made of: keys bound to the places of members, whatever struct they are of.
namespace weir::keys_detail {

/// What a member of some type is as a parameter.
struct KeyForm {
  ParameterType type;
  void (*read)(void* member, const Settings& settings, const std::string& name);
  /// Writes a default; null: a member of this type has none.
  std::string (*text)(const void* member);
};

/// Of bool, integers, double, text, quantities, lists, paths and ConfigValue, and of
/// std::optional of each.
template <class T>
const KeyForm& form_of();

extern template const KeyForm& form_of<bool>();
extern template const KeyForm& form_of<std::int8_t>();
extern template const KeyForm& form_of<std::int16_t>();
extern template const KeyForm& form_of<std::int32_t>();
extern template const KeyForm& form_of<std::int64_t>();
extern template const KeyForm& form_of<std::uint8_t>();
extern template const KeyForm& form_of<std::uint16_t>();
extern template const KeyForm& form_of<std::uint32_t>();
extern template const KeyForm& form_of<std::uint64_t>();
extern template const KeyForm& form_of<double>();
extern template const KeyForm& form_of<std::string>();
extern template const KeyForm& form_of<Time>();
extern template const KeyForm& form_of<Bytes>();
extern template const KeyForm& form_of<Rate>();
extern template const KeyForm& form_of<std::vector<std::int64_t>>();
extern template const KeyForm& form_of<std::vector<double>>();
extern template const KeyForm& form_of<std::vector<std::string>>();
extern template const KeyForm& form_of<FilePath>();
extern template const KeyForm& form_of<TimeOrAuto>();
extern template const KeyForm& form_of<ConfigValue>();
extern template const KeyForm& form_of<std::optional<bool>>();
extern template const KeyForm& form_of<std::optional<std::int32_t>>();
extern template const KeyForm& form_of<std::optional<std::uint8_t>>();
extern template const KeyForm& form_of<std::optional<std::uint16_t>>();
extern template const KeyForm& form_of<std::optional<std::int64_t>>();
extern template const KeyForm& form_of<std::optional<std::uint32_t>>();
extern template const KeyForm& form_of<std::optional<std::uint64_t>>();
extern template const KeyForm& form_of<std::optional<double>>();
extern template const KeyForm& form_of<std::optional<std::string>>();
extern template const KeyForm& form_of<std::optional<Time>>();
extern template const KeyForm& form_of<std::optional<Bytes>>();
extern template const KeyForm& form_of<std::optional<Rate>>();
extern template const KeyForm& form_of<std::optional<std::vector<std::int64_t>>>();
extern template const KeyForm& form_of<std::optional<std::vector<double>>>();
extern template const KeyForm& form_of<std::optional<std::vector<std::string>>>();
extern template const KeyForm& form_of<std::optional<FilePath>>();
extern template const KeyForm& form_of<std::optional<ConfigValue>>();

/// A key that stands for one of a few values of a type that it does not know.
struct ChoiceForm {
  /// Puts the value into the member, or tells whether it is the member's.
  void (*assign)(void* member, std::uint64_t value);
  bool (*equals)(const void* member, std::uint64_t value);
};

/// A key, and where its member is within the struct. Its functions are not inline: there are
/// hundreds of keys.
struct BoundKey {
  BoundKey(const KeyForm& of, std::size_t at, std::string_view name, std::string_view help);
  BoundKey(const ChoiceForm& of, bool is_never_empty, std::size_t at, std::string_view name,
           std::string_view help);
  BoundKey(const BoundKey&);
  BoundKey(BoundKey&&) noexcept;
  BoundKey& operator=(const BoundKey&);
  BoundKey& operator=(BoundKey&&) noexcept;
  ~BoundKey();

  void add_choice(std::string_view name, std::uint64_t value);

  Parameter parameter;
  std::size_t offset;
  const KeyForm* form = nullptr;  ///< or, for a choice:
  ChoiceForm choice{};
  std::vector<std::uint64_t> values;  ///< of the choices
  bool has_default = true;
};

class KeyList {
 public:
  /// `offset`: of the struct that the key's member belongs to, within `defaults`. Throws
  /// std::logic_error for a default that is none of the choices.
  void add(BoundKey key, std::size_t offset, const void* defaults);

  [[nodiscard]] const std::vector<BoundKey>& keys() const { return keys_; }
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  /// The same for checks, with their defaults; made when it is first asked for.
  [[nodiscard]] std::shared_ptr<const ParameterList> shared() const;
  /// Fills the members of the struct at `values` for which there is something.
  void read(void* values, const Settings& settings) const;
  /// The key of the member there. Throws std::logic_error where there is none.
  [[nodiscard]] const std::string& name_at(std::size_t offset) const;

 private:
  struct Shared {
    std::once_flag once;
    std::shared_ptr<const ParameterList> list;
  };

  std::vector<BoundKey> keys_;
  std::vector<Parameter> parameters_;
  /// By copies of the same keys, too.
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace weir::keys_detail
