# Fails when a file of the window or of the command line checks a model and its input without having created a new
# pair. Session, OpenedSource, Change, Document and SideA each have a core::Computable, so everything that is read,
# opened or edited, and side A, is already checked.
cmake_minimum_required(VERSION 3.25)
set(makers
  app/command_cosine.cpp # words as the input of a folder's model
  ui/document/comparison.cpp # the ablated run with the document's input
  ui/document/state/change.cpp # an edit
  ui/window/start/show/show_runs.cpp) # sentences of the show, and edits of them
file(GLOB_RECURSE sources RELATIVE "${ROOT}" "${ROOT}/ui/*.h" "${ROOT}/ui/*.cpp" "${ROOT}/app/*.h" "${ROOT}/app/*.cpp")
set(offenders "")
foreach(source IN LISTS sources)
  file(STRINGS "${ROOT}/${source}" lines REGEX "[^.]Computable::of\\(")
  list(FILTER lines EXCLUDE REGEX "^ *//")
  if(lines AND NOT source IN_LIST makers)
    list(APPEND offenders "${source}: ${lines}")
  elseif(NOT lines AND source IN_LIST makers)
    list(APPEND offenders "${source}: it checks nothing, take it off the list")
  endif()
endforeach()
if(offenders)
  list(JOIN offenders "\n" text)
  message(FATAL_ERROR "take the Computable that comes with the state:\n${text}")
endif()
