#include "weir/base/ranks.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "weir/base/error.hpp"

namespace weir {

namespace {

enum class Kind : unsigned char { none, input, run, memory, other };

/// An error as others hear of it: its kind, then its text.
Ranks::Parcel told(const std::exception_ptr& failure) {
  Kind kind = Kind::none;
  std::string text;
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const InputError& error) {
    kind = Kind::input;
    text = error.what();
  } catch (const RunError& error) {
    kind = Kind::run;
    text = error.what();
  } catch (const std::bad_alloc&) {
    kind = Kind::memory;
  } catch (const std::exception& error) {
    kind = Kind::other;
    text = error.what();
  } catch (...) {
    kind = Kind::other;
    text = "something unknown was thrown";
  }
  Ranks::Parcel parcel(1 + text.size());
  parcel.front() = static_cast<std::byte>(kind);
  std::transform(text.begin(), text.end(), parcel.begin() + 1,
                 [](char letter) { return static_cast<std::byte>(letter); });
  return parcel;
}

[[noreturn]] void throw_what(const Ranks::Parcel& parcel) {
  const auto kind = static_cast<Kind>(parcel.front());
  std::string text(parcel.size() - 1, ' ');
  std::transform(parcel.begin() + 1, parcel.end(), text.begin(),
                 [](std::byte letter) { return static_cast<char>(letter); });
  switch (kind) {
    case Kind::input:
      throw InputError(text);
    case Kind::run:
      throw RunError(text);
    case Kind::memory:
      throw std::bad_alloc();
    case Kind::none:
    case Kind::other:
      break;
  }
  throw std::runtime_error(text);
}

}  // namespace

void agree(Ranks* ranks, const std::exception_ptr& failure) {
  if (ranks == nullptr) {
    if (failure) std::rethrow_exception(failure);
    return;
  }
  const std::vector<Ranks::Parcel> all = ranks->gather(told(failure));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (static_cast<Kind>(all[rank].front()) == Kind::none) continue;
    if (rank == ranks->rank()) std::rethrow_exception(failure);
    throw_what(all[rank]);
  }
}

void together(Ranks* ranks, const std::function<void()>& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
    if (ranks == nullptr) throw;
  }
  agree(ranks, failure);
}

}  // namespace weir
