#pragma once

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "weir/base/error.hpp"

namespace weir::workload {

/// The library's state that all readers share: what it has to say of mistakes, which it would print
/// otherwise. One archive is read at a time.
class Otf2Library {
 public:
  explicit Otf2Library(std::shared_ptr<const std::string> file)
      : lock_(mutex()), file_(std::move(file)) {
    before_ = OTF2_Error_RegisterCallback(&Otf2Library::note, this);
  }
  ~Otf2Library() { OTF2_Error_RegisterCallback(before_, nullptr); }
  Otf2Library(const Otf2Library&) = delete;
  Otf2Library& operator=(const Otf2Library&) = delete;

  void check(OTF2_ErrorCode code, const std::string& what) const {
    if (code != OTF2_SUCCESS) fail(what, OTF2_Error_GetDescription(code));
  }
  template <class Handle>
  Handle* check(Handle* handle, const std::string& what) const {
    if (handle == nullptr) fail(what, "it cannot be read");
    return handle;
  }
  /// Throws. `otherwise`: where the library has said nothing.
  [[noreturn]] void fail(const std::string& what, const std::string& otherwise) const {
    throw error(fmt::format("{}: {}", what, said_.empty() ? otherwise : said_));
  }
  [[nodiscard]] InputError error(std::string_view text) const {
    return {SourcePosition{file_, 0, 0}, "", text};
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }

  /// The first mistake is the cause of those that follow.
  static OTF2_ErrorCode note(void* self, const char*, std::uint64_t, const char*,
                             OTF2_ErrorCode code, const char* format, va_list values) {
    std::string& said = static_cast<Otf2Library*>(self)->said_;
    if (!said.empty()) return code;
    said = OTF2_Error_GetDescription(code);
    std::array<char, 512> text{};
    if (format == nullptr) return code;
    if (std::vsnprintf(text.data(), text.size(), format, values) > 0) {
      said += std::string(" (") + text.data() + ")";
    }
    return code;
  }

  std::lock_guard<std::mutex> lock_;
  std::shared_ptr<const std::string> file_;
  OTF2_ErrorCallback before_ = nullptr;
  std::string said_;
};

}  // namespace weir::workload
