#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::report {

/// Of a line, or of the bars of one colour.
struct LineColor {
  std::string_view light;    ///< on paper and on the light page, "#0072B2"
  std::string_view dark;     ///< on the dark page
  std::string_view letters;  ///< on white, as dark as small letters need
};

/// Colours of Okabe and Ito, which people with colour-blindness tell apart, but for their yellow,
/// which nobody sees on white. On a dark page the same hues, so light that each stands out from it
/// (4.5 to 1) and chosen to be as far apart for people with and without colour-blindness.
inline constexpr std::array<LineColor, 8> kLineColors{{{"#0072B2", "#4D8BFB", "#0072B2"},
                                                       {"#D55E00", "#D95D1B", "#C04A00"},
                                                       {"#009E73", "#53E3A1", "#008B62"},
                                                       {"#CC79A7", "#BA71AD", "#A55583"},
                                                       {"#E69F00", "#C7A61D", "#A76300"},
                                                       {"#56B4E9", "#A8C4EE", "#0E7EB0"},
                                                       {"#000000", "#FFFFFF", "#000000"},
                                                       {"#882255", "#F0E442", "#882255"}}};

/// Marks of points: filled for lines, hollow for references.
enum class Symbol : std::uint8_t { circle, square, triangle, diamond, triangle_down, pentagon };
inline constexpr std::array<std::string_view, 6> kSymbolNames{
    "circle", "square", "triangle", "diamond", "triangle-down", "pentagon"};  ///< on the page
inline constexpr std::array<Symbol, 5> kReferenceSymbols{
    Symbol::diamond, Symbol::square, Symbol::triangle, Symbol::circle, Symbol::triangle_down};

inline std::string_view to_string(Symbol symbol) {
  return kSymbolNames.at(static_cast<std::size_t>(symbol));
}
inline const LineColor& line_color(std::size_t index) {
  return kLineColors.at(index % kLineColors.size());
}
inline Symbol line_symbol(std::size_t index) {
  return static_cast<Symbol>(index % kSymbolNames.size());
}
inline Symbol reference_symbol(std::size_t index) {
  return kReferenceSymbols.at(index % kReferenceSymbols.size());
}
/// Where the colours begin anew.
inline bool is_dashed(std::size_t index) { return index >= kLineColors.size(); }

}  // namespace weir::report
