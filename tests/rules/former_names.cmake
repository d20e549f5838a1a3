# Fails when a declaration has a name that the project has replaced, because each thing must have one name.
#     cmake -DROOT=. -P tests/rules/former_names.cmake
cmake_minimum_required(VERSION 3.25)
# Regular expressions of former names, each followed by the name to use.
set(former
  "k(Most|Longest|Maximum)([A-Z][A-Za-z]*)?" "kMax…"
  "k(Least|Minimum)([A-Z][A-Za-z]*)?" "kMin…"
  "whyNot?([A-Z][A-Za-z]*)?" "…UnavailableReason, or unavailableReason"
  "HeadPlace" "HeadId"
  "StageAt" "StageId"
  "AskedFor" "Target"
  "withSaid" "withOverride"
  "KeptHeatmaps|KeptPainting" "HeatmapCache, PaintingCache"
  "TrainingMoment" "TrainingCheckpoint"
  "FigurePlace" "HitTestResult"
  "FigureRecipe" "FigureCommandLine"
  "RoomAllocator" "PoolAllocator"
  "StageMaker|UpdateMaker|SpreadDrawer" "…Worker"
  "WhatIfs" "MechanismPage"
  "GeometryGeometry" "GeometryLayout"
  "chances" "probabilities")
set(found "")
foreach(folder core ui app tests)
  file(GLOB_RECURSE sources "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
  foreach(source ${sources})
    file(READ "${source}" text)
    # Comments and strings may use the words.
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "\"[^\"\n]*\"" "" text "${text}")
    set(rest ${former})
    while(rest)
      list(POP_FRONT rest name instead)
      if(text MATCHES "(^|[^A-Za-z_0-9])(${name})($|[^A-Za-z_0-9])")
        string(APPEND found "\n  ${source}: ${CMAKE_MATCH_2}; use ${instead}")
      endif()
    endwhile()
  endforeach()
endforeach()
if(found)
  message(FATAL_ERROR "former names:${found}")
endif()
