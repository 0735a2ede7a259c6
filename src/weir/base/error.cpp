#include "weir/base/error.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>
#include <vector>

namespace weir {

namespace {

std::string with_place(const SourcePosition& position, std::string_view key,
                       std::string_view message) {
  std::string text = position.to_string();
  if (!text.empty()) text += ": ";
  if (!key.empty()) text.append(key).append(": ");
  return text.append(message);
}

std::string lines_of(const std::vector<InputError>& problems) {
  std::string text;
  for (const InputError& one : problems) text.append(text.empty() ? "" : "\n").append(one.what());
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string SourcePosition::to_string() const {
  std::string text = file ? *file : std::string();
  if (line == 0) return text;
  if (!text.empty()) text += ':';
  text += std::to_string(line);
  if (column != 0) text += ':' + std::to_string(column);
  return text;
}

InputError::InputError(const SourcePosition& position, std::string_view key,
                       std::string_view message)
    : std::runtime_error(with_place(position, key, message)),
      key_(key),
      message_(message),
      position_(position) {}

InputError::InputError(std::vector<InputError> problems)
    : std::runtime_error(lines_of(problems)),
      key_(problems.at(0).key_),
      message_(problems[0].message_),
      position_(problems[0].position_) {
  if (problems.size() > 1) {
    all_ = std::make_shared<const std::vector<InputError>>(std::move(problems));
  }
}

std::vector<InputError> InputError::all() const {
  return all_ ? *all_ : std::vector<InputError>{*this};
}

std::string nearest_name(std::string_view wrong, std::span<const std::string> known) {
  // A third of the letters may be wrong, but never all of them.
  const std::size_t allowed =
      std::min(std::max<std::size_t>(1, wrong.size() / 3), wrong.empty() ? 0 : wrong.size() - 1);
  const std::string lower = lower_case(wrong);
  std::string nearest;
  std::size_t best = allowed + 1;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(lower, lower_case(name));
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string suggestion(std::string_view wrong, std::span<const std::string> known) {
  if (known.empty()) return {};
  const std::string nearest = nearest_name(wrong, known);
  if (!nearest.empty()) return " (did you mean '" + nearest + "'?)";
  // Nobody reads hundreds of names: those that begin most like it.
  constexpr std::size_t kMost = 24;
  std::vector<std::string> shown(known.begin(), known.end());
  if (known.size() > kMost) {
    const auto shared = [&](const std::string& name) {
      const auto end = std::mismatch(name.begin(), name.end(), wrong.begin(), wrong.end()).first;
      return end - name.begin();
    };
    std::stable_sort(shown.begin(), shown.end(), [&](const std::string& a, const std::string& b) {
      return shared(a) > shared(b);
    });
    shown.resize(kMost / 2);
  }
  std::string text = shown.size() < known.size()
                         ? " (" + std::to_string(known.size()) + " are known, among them "
                         : " (known: ";
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i > 0) text += ", ";
    text += shown[i];
  }
  return text + ")";
}

}  // namespace weir
