# Fails when a file outside of the plan, its execution and its meaning names an operation. Code that explains a number
# reads the expressions of core/explain/meaning.h and backward_meaning.h, so that a new operation is explained
# everywhere at once.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE sources RELATIVE "${ROOT}" "${ROOT}/core/*.h" "${ROOT}/core/*.cpp" "${ROOT}/ui/*.h" "${ROOT}/ui/*.cpp"
  "${ROOT}/app/*.h" "${ROOT}/app/*.cpp")
if(NOT sources)
  message(FATAL_ERROR "no sources under ${ROOT}")
endif()
set(below "^core/(transformer|operations|training)/|^core/explain/(backward_)?meaning(_maker|_positions|_experts)?\\.(cpp|h)$")
set(offenders "")
foreach(source IN LISTS sources)
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
