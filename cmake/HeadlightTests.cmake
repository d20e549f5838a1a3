# Every test goes through one of these functions, so that all of them run in the same surroundings.
#
#   headlight_core_tests(operations tst_linear tst_rotary)    doctest, links headlight_core
#   headlight_qt_tests(document tst_undo tst_places)          QtTest, links headlight_ui, paints offscreen
#   headlight_qt_test(tst_kill tst_kill.cpp)                  the same with a main() of its own
#
# The first two make one program of a folder's tests, which links once; ctest runs each file of it by itself, in the C locale, and
# as NAME.de_DE in the German one. The files have HEADLIGHT_TEST_DATA (tests/data) and HEADLIGHT_TEST_SCRATCH (a folder of the test's own).

include(HeadlightLocales)

# Seconds after which a test is taken to hang. No test is slow enough to meet it, not even on a slow machine: waiting for
# something that never comes ends before (tests/support/waiting.h).
set(HEADLIGHT_TEST_HANGS 3600)

# Adds the test twice, once in each locale. Numbers must not follow the user's: 0.5 is written 0,5 in the second.
function(headlight_add_test NAME)
  set(scratch "${CMAKE_BINARY_DIR}/test-scratch/${NAME}")
  file(MAKE_DIRECTORY "${scratch}/config" "${scratch}/cache" "${scratch}/data" "${scratch}/runtime")
  file(CHMOD "${scratch}/runtime" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(surroundings "ASAN_OPTIONS=allocator_may_return_null=1;TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/tsan.supp;LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0;QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=3000000;LOCPATH=${HEADLIGHT_LOCALES};XDG_CONFIG_HOME=${scratch}/config;XDG_CACHE_HOME=${scratch}/cache;XDG_DATA_HOME=${scratch}/data;XDG_RUNTIME_DIR=${scratch}/runtime")
  add_test(NAME ${NAME} COMMAND ${ARGN})
  set_tests_properties(${NAME} PROPERTIES
    TIMEOUT ${HEADLIGHT_TEST_HANGS} RESOURCE_LOCK ${NAME} ENVIRONMENT "LC_ALL=C.UTF-8;${surroundings}")
  if(HEADLIGHT_LOCALES)
    add_test(NAME ${NAME}.de_DE COMMAND ${ARGN})
    set_tests_properties(${NAME}.de_DE PROPERTIES
      TIMEOUT ${HEADLIGHT_TEST_HANGS} RESOURCE_LOCK ${NAME} ENVIRONMENT "LC_ALL=de_DE.UTF-8;${surroundings}")
  endif()
endfunction()

function(headlight_test_definitions PROGRAM)
  target_compile_definitions(${PROGRAM} PRIVATE
    "HEADLIGHT_TEST_DATA=\"${CMAKE_SOURCE_DIR}/tests/data\""
    "HEADLIGHT_SESSIONS=\"${CMAKE_SOURCE_DIR}/tests/data/sessions\""
    "HEADLIGHT_LESSONS=\"${CMAKE_SOURCE_DIR}/resources/lessons\""
    "HEADLIGHT_DOCS=\"${CMAKE_SOURCE_DIR}/docs\"")
endfunction()

function(headlight_scratch_of NAME)
  set_source_files_properties(${NAME}.cpp PROPERTIES
    COMPILE_DEFINITIONS "HEADLIGHT_TEST_SCRATCH=\"${CMAKE_BINARY_DIR}/test-scratch/${NAME}\"")
endfunction()

# The headers that every test of one kind includes, compiled once and not once for each program. They belong to a program that
# does nothing: GCC only takes them from a target that was compiled with the same options.
function(headlight_test_headers OWNER)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE" "LINK;HEADERS")
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/tests/${OWNER}.cpp" CONTENT "${arg_SOURCE}\n")
  add_executable(${OWNER} "${CMAKE_BINARY_DIR}/tests/${OWNER}.cpp")
  set_target_properties(${OWNER} PROPERTIES AUTOMOC OFF AUTORCC OFF)
  target_link_libraries(${OWNER} PRIVATE ${arg_LINK})
  target_precompile_headers(${OWNER} PRIVATE ${arg_HEADERS})
endfunction()

function(headlight_core_tests FOLDER)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  if(NOT TARGET headlight_core_test_headers)
    headlight_test_headers(headlight_core_test_headers SOURCE "// main() is doctest's"
      LINK headlight_doctest_main headlight_core
      HEADERS <doctest/doctest.h> <algorithm> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional> <random>
        <sstream> <string> <variant> <vector>)
  endif()
  set(program tests_of_${FOLDER})
  list(TRANSFORM arg_UNPARSED_ARGUMENTS APPEND .cpp OUTPUT_VARIABLE files)
  add_executable(${program} ${files} ${arg_SOURCES})
  target_precompile_headers(${program} REUSE_FROM headlight_core_test_headers)
  set_target_properties(${program} PROPERTIES AUTOMOC OFF AUTORCC OFF)
  target_link_libraries(${program} PRIVATE headlight_doctest_main headlight_core nlohmann_json::nlohmann_json)
  target_include_directories(${program} PRIVATE "${CMAKE_SOURCE_DIR}/tests/core")
  headlight_test_definitions(${program})
  foreach(test ${arg_UNPARSED_ARGUMENTS})
    headlight_scratch_of(${test})
    headlight_add_test(${test} ${program} "--source-file=*/${test}.cpp")
  endforeach()
endfunction()

# What both kinds of Qt tests are made with.
function(headlight_qt_program PROGRAM)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
  if(NOT TARGET headlight_qt_test_headers)
    headlight_test_headers(headlight_qt_test_headers SOURCE "int main() {}" LINK headlight_ui
      HEADERS <QtWidgets> <algorithm> <cmath> <filesystem> <functional> <map> <memory> <optional> <string> <variant>
        <vector>)
  endif()
  add_executable(${PROGRAM} ${ARGN})
  target_precompile_headers(${PROGRAM} REUSE_FROM headlight_qt_test_headers)
  set_target_properties(${PROGRAM} PROPERTIES AUTOMOC ON)
  target_link_libraries(${PROGRAM} PRIVATE Qt6::Test headlight_ui)
  headlight_test_definitions(${PROGRAM})
  target_compile_definitions(${PROGRAM} PRIVATE "HEADLIGHT_PROGRAM=\"$<TARGET_FILE:headlight>\"")
  add_dependencies(${PROGRAM} headlight)
endfunction()

function(headlight_qt_tests FOLDER)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  set(program tests_of_${FOLDER})
  list(TRANSFORM arg_UNPARSED_ARGUMENTS APPEND .cpp OUTPUT_VARIABLE files)
  headlight_qt_program(${program} ${files} "${CMAKE_SOURCE_DIR}/tests/support/test_main.cpp")
  target_link_libraries(${program} PRIVATE ${arg_LINK})
  foreach(test ${arg_UNPARSED_ARGUMENTS})
    headlight_scratch_of(${test})
    headlight_add_test(${test} ${program} ${test})
  endforeach()
endfunction()

function(headlight_qt_test NAME)
  headlight_qt_program(${NAME} ${ARGN})
  headlight_scratch_of(${NAME})
  headlight_add_test(${NAME} ${NAME})
endfunction()
