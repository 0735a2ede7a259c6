#include "weir/base/build_id.hpp"

#include <fmt/format.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace weir {

namespace {

/// The object that holds this function, and its build ID when it has been found.
struct Wanted {
  std::uintptr_t address = 0;
  std::string id;
};

std::string id_in(const char* notes, std::size_t size) {
  const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes, sizeof head);
    const char* name = notes + sizeof head;
    const char* content = name + padded(head.n_namesz);
    const std::size_t whole = sizeof head + padded(head.n_namesz) + padded(head.n_descsz);
    if (whole > size) return {};
    if (head.n_type == NT_GNU_BUILD_ID &&
        std::string_view(name, head.n_namesz).starts_with("GNU")) {
      std::string id;
      for (std::size_t i = 0; i < head.n_descsz; ++i)
        id += fmt::format("{:02x}", static_cast<unsigned char>(content[i]));
      return id;
    }
    notes += whole;
    size -= whole;
  }
  return {};
}

int look_at(dl_phdr_info* object, std::size_t, void* data) {
  Wanted& wanted = *static_cast<Wanted*>(data);
  bool is_it = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    is_it = is_it || (segment.p_type == PT_LOAD && wanted.address >= begin &&
                      wanted.address < begin + segment.p_memsz);
  }
  for (int i = 0; is_it && i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE || !wanted.id.empty()) continue;
    wanted.id =
        id_in(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
  }
  return is_it ? 1 : 0;
}

}  // namespace

std::string build_id() {
  Wanted wanted;
  wanted.address = reinterpret_cast<std::uintptr_t>(&build_id);
  dl_iterate_phdr(look_at, &wanted);
  return wanted.id;
}

}  // namespace weir
