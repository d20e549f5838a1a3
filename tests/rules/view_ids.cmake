# Fails when the id of a view is written anywhere except in their list, core/selection/view.h. Properties of views
# belong in the table of views (ui/figures/table/views.cpp). "heads" is not checked, because it is also the name of
# other things.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE sources "${ROOT}/core/*.h" "${ROOT}/core/*.cpp" "${ROOT}/ui/*.h" "${ROOT}/ui/*.cpp" "${ROOT}/app/*.h"
  "${ROOT}/app/*.cpp")
list(REMOVE_ITEM sources "${ROOT}/core/selection/view.h")
file(STRINGS "${ROOT}/core/selection/view.h" list REGEX "\"(flow|similarity|geometry)\"")
if(NOT list)
  message(FATAL_ERROR "core/selection/view.h does not list the views")
endif()
set(offenders "")
foreach(source IN LISTS sources)
  file(STRINGS "${source}" lines REGEX "\"(flow|similarity|geometry)\"")
  if(lines)
    list(APPEND offenders "${source}: ${lines}")
  endif()
endforeach()
if(offenders)
  list(JOIN offenders "\n" text)
  message(FATAL_ERROR "a view is asked for by core::View, not by its id:\n${text}")
endif()
