# Fails when ui/ or app/ formats a computed number itself. One function, core::shown(), rounds all of them. Otherwise,
# the same number could be .13 in a cell and 0.12 elsewhere.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE sources "${ROOT}/ui/*.h" "${ROOT}/ui/*.cpp" "${ROOT}/app/*.h" "${ROOT}/app/*.cpp")
if(NOT sources)
  message(FATAL_ERROR "no sources under ${ROOT}/ui")
endif()
# Allowed, because they are not numbers of a trace: lengths in files, such as pixels, milliseconds, and a copy with all
# digits.
set(allowed "ui/figures/files/export.cpp" "ui/figures/files/figure_size.cpp" "ui/figures/files/pdf_writer.cpp"
  "ui/figures/files/svg_text.cpp" "ui/window/main_window_status.cpp" "ui/panels/inspector_content.cpp")
set(offenders "")
foreach(source IN LISTS sources)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${ROOT}" OUTPUT_VARIABLE name)
  if(name IN_LIST allowed)
    continue()
  endif()
  file(STRINGS "${source}" lines REGEX "(printf|, *'[efgEFG]'|std::to_chars|std::to_string\\(static_cast<(double|float)>|setRealNumberPrecision)")
  if(lines)
    list(APPEND offenders "${name}: ${lines}")
  endif()
endforeach()
if(offenders)
  list(JOIN offenders "\n" text)
  message(FATAL_ERROR "numbers are written by core/format_number and ui/text/number_text:\n${text}")
endif()
