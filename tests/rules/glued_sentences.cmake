# Fails when ui/ or app/ builds a sentence from translated pieces. Other languages have a different word order, so a
# sentence must be complete in one tr(), with %1 in it. ui/text/sentences joins words and sentences.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE sources "${ROOT}/ui/*.h" "${ROOT}/ui/*.cpp" "${ROOT}/app/*.h" "${ROOT}/app/*.cpp")
if(NOT sources)
  message(FATAL_ERROR "no sources under ${ROOT}/ui")
endif()
# line_text.cpp writes arithmetic in pieces from left to right, so that right-to-left words do not reorder the others.
# sentences.cpp joins words and sentences.
set(allowed "ui/figures/text/line_text.cpp" "ui/text/sentences.cpp")
set(text "\"[^\"]*\"")
set(call "(tr|translate)\\((\"[A-Za-z]*\",[ \n]*)?${text}([ \n]*${text})*(,[ \n]*${text})?\\)")
set(patterns
  # tr("…") + and tr("…").arg(…) +
  "${call}(\\.arg\\([^()]*\\))*[ \n]*\\+[^+]"
  # + tr("…")
  "[^+]\\+=?[ \n]*([A-Za-z]+::)?${call}"
  # tr(", …"): it follows other words. tr("… "): other words follow it.
  "[^a-zA-Z](tr|translate)\\(\"([,;:.] [a-zA-Z%]| [a-zA-Z])"
  "[^a-zA-Z](tr|translate)\\(\"[^\"]*[a-zA-Z,;:] \"\\)"
  # lists must use listed() or enumerated()
  "join\\(([A-Za-z]+::)?${call}\\)")
set(offenders "")
foreach(source IN LISTS sources)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${ROOT}" OUTPUT_VARIABLE name)
  if(name IN_LIST allowed)
    continue()
  endif()
  file(READ "${source}" code)
  string(REGEX REPLACE "(//|#)[^\n]*" "" code "${code}")
  string(REPLACE "\\\"" "'" code "${code}")
  string(REPLACE ";" "\\;" code "${code}")
  foreach(pattern IN LISTS patterns)
    string(REGEX MATCHALL "${pattern}" found "${code}")
    foreach(each IN LISTS found)
      string(REGEX REPLACE "[ \n]+" " " each "${each}")
      string(APPEND offenders "${name}: ${each}\n")
    endforeach()
  endforeach()
endforeach()
if(offenders)
  message(FATAL_ERROR "a sentence stands whole in one tr(), see ui/text/sentences.h:\n${offenders}")
endif()
