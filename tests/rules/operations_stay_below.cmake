# Fails when a file outside of the plan, its execution and its meaning names an operation. Code that explains a number
# reads the expressions of core/explain/meaning.h and backward_meaning.h, so that a new operation is explained
# everywhere at once. Also fails when there are more than 130 handlers, which are functions for a single operation. A
# function that treats several operations in the same way is a template with OneOf. script/house prints their number.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE sources RELATIVE "${ROOT}" "${ROOT}/core/*.h" "${ROOT}/core/*.cpp" "${ROOT}/ui/*.h" "${ROOT}/ui/*.cpp"
  "${ROOT}/app/*.h" "${ROOT}/app/*.cpp")
if(NOT sources)
  message(FATAL_ERROR "no sources under ${ROOT}")
endif()
set(below "^core/(transformer|operations|training)/|^core/explain/(backward_)?meaning(_maker|_positions|_experts)?\\.(cpp|h)$")
set(offenders "")
set(most_handlers 130)
set(handlers 0)
foreach(source IN LISTS sources)
  # Excludes declarations, and functions of a part of an operation, such as op::JoinNeighbours::Part.
  file(STRINGS "${ROOT}/${source}" defined REGEX "\\(const (core::)?op::[A-Z].*[^;]$")
  list(FILTER defined EXCLUDE REGEX "op::(Function([^A-Za-z]|$)|[A-Za-z]+::)")
  list(FILTER defined INCLUDE REGEX "op::") # a line with a semicolon is two items
  list(LENGTH defined found)
  math(EXPR handlers "${handlers} + ${found}")
  if(source MATCHES "${below}")
    continue()
  endif()
  file(STRINGS "${ROOT}/${source}" lines REGEX "(^|[^A-Za-z_])op::")
  if(lines)
    list(APPEND offenders "${source}: ${lines}")
  endif()
endforeach()
if(offenders)
  list(JOIN offenders "\n" text)
  message(FATAL_ERROR "what a number is, core/explain/meaning.h says:\n${text}")
endif()
if(handlers GREATER most_handlers)
  message(FATAL_ERROR "${handlers} handlers of operations, at most ${most_handlers}: join those that do the same")
endif()
message(STATUS "${handlers} handlers of operations")
