#include <cstddef>

#include "weir/report/page/page.hpp"

// The page that viewer/ builds, as the linker finds it: as a literal it would be the slowest part
// of the build. WEIR_PAGE_TEMPLATE is the file's name; it is empty when the page was not built.
#if defined(__APPLE__)
#define WEIR_SECTION ".const_data\n"
#define WEIR_END ".text\n"
#define WEIR_SYMBOL(name) "_" #name
#define WEIR_LOCAL ".private_extern "
#else
#define WEIR_SECTION ".pushsection .rodata\n"
#define WEIR_END ".popsection\n"
#define WEIR_SYMBOL(name) #name
#define WEIR_LOCAL ".hidden "
#endif

// clang-format off
__asm__(WEIR_SECTION
        ".global " WEIR_SYMBOL(weir_page_begin) "\n"
        WEIR_LOCAL WEIR_SYMBOL(weir_page_begin) "\n"
        WEIR_SYMBOL(weir_page_begin) ":\n"
        ".incbin \"" WEIR_PAGE_TEMPLATE "\"\n"
        ".global " WEIR_SYMBOL(weir_page_end) "\n"
        WEIR_LOCAL WEIR_SYMBOL(weir_page_end) "\n"
        WEIR_SYMBOL(weir_page_end) ":\n"
        ".byte 0\n"
        WEIR_END);
// clang-format on

extern "C" {
// NOLINTBEGIN(modernize-avoid-c-arrays): the bytes between two symbols of the assembler.
extern const char weir_page_begin[];
extern const char weir_page_end[];
// NOLINTEND(modernize-avoid-c-arrays)
}

namespace weir::report {

std::string_view page_template() {
  return {weir_page_begin, static_cast<std::size_t>(weir_page_end - weir_page_begin)};
}

}  // namespace weir::report
