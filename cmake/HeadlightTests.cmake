# Add tests with these functions only, so that all of them run in the same environment.
#
#   headlight_core_tests(operations tst_linear tst_rotary)    doctest, links headlight_core
#   headlight_qt_tests(document tst_undo tst_places)          QtTest, links headlight_ui, paints offscreen
#   headlight_qt_test(tst_kill tst_kill.cpp)                  QtTest, with its own main()
#
# The first two build one program from the tests of a folder, to link only once. ctest runs each of its files separately,
# in the German locale, which writes 0.5 as 0,5, to find numbers that follow the user's locale. Tests that compare
# numbers as text are also listed after IN_C_TOO, and run again as NAME.C in the C locale. Long tests that do not depend
# on the system, such as those of damaged sessions, are also listed after SWEEPS: script/test --brief leaves them out.
# The files have HEADLIGHT_TEST_DATA (tests/data) and HEADLIGHT_TEST_SCRATCH (the test's own folder).

include(HeadlightLocales)

# Seconds after which a test counts as hanging. No test takes that long, not even on a slow machine. Waiting for
# an event that never happens ends earlier (tests/support/waiting.h).
set(HEADLIGHT_TEST_HANGS 3600)

# Adds the test in the German locale, and with IN_C_TOO also in the C locale.
function(headlight_add_test NAME)
  cmake_parse_arguments(PARSE_ARGV 1 arg "IN_C_TOO" "" "COMMAND")
  set(scratch "${CMAKE_BINARY_DIR}/test-scratch/${NAME}")
  file(MAKE_DIRECTORY "${scratch}/config" "${scratch}/cache" "${scratch}/data" "${scratch}/runtime")
  file(CHMOD "${scratch}/runtime" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(surroundings "ASAN_OPTIONS=allocator_may_return_null=1;TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/tsan.supp:allocator_may_return_null=1;LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0;QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=3000000;LOCPATH=${HEADLIGHT_LOCALES};XDG_CONFIG_HOME=${scratch}/config;XDG_CACHE_HOME=${scratch}/cache;XDG_DATA_HOME=${scratch}/data;XDG_RUNTIME_DIR=${scratch}/runtime")
  set(names ${NAME})
  set(locale_of_${NAME} C.UTF-8)
  if(HEADLIGHT_LOCALES)
    set(locale_of_${NAME} de_DE.UTF-8)
    if(arg_IN_C_TOO)
      list(APPEND names ${NAME}.C)
      set(locale_of_${NAME}.C C.UTF-8)
    endif()
  endif()
  foreach(name IN LISTS names)
    add_test(NAME ${name} COMMAND ${arg_COMMAND})
    set_tests_properties(${name} PROPERTIES
      TIMEOUT ${HEADLIGHT_TEST_HANGS} RESOURCE_LOCK ${NAME} ENVIRONMENT "LC_ALL=${locale_of_${name}};${surroundings}")
  endforeach()
endfunction()

# Adds the tests of a program. NAMES: all tests; IN_C_TOO: the ones that also run in the C locale; CHOSEN_BY: the
# argument that selects one test, with @ for its name.
function(headlight_add_tests PROGRAM)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CHOSEN_BY" "NAMES;IN_C_TOO;SWEEPS")
  foreach(test IN LISTS arg_IN_C_TOO arg_SWEEPS)
    if(NOT test IN_LIST arg_NAMES)
      message(FATAL_ERROR "IN_C_TOO or SWEEPS ${test}: ${PROGRAM} has no such test")
    endif()
  endforeach()
  foreach(test IN LISTS arg_NAMES)
    headlight_scratch_of(${test})
    set(again "")
    if(test IN_LIST arg_IN_C_TOO)
      set(again IN_C_TOO)
    endif()
    string(REPLACE "@" "${test}" choice "${arg_CHOSEN_BY}")
    headlight_add_test(${test} ${again} COMMAND ${PROGRAM} "${choice}")
    if(TEST ${test}.C)
      set_tests_properties(${test}.C PROPERTIES LABELS sweep)
    endif()
    if(test IN_LIST arg_SWEEPS)
      set_tests_properties(${test} PROPERTIES LABELS sweep)
    endif()
  endforeach()
endfunction()

# Compiles the program's own files at -O1, because -O3 takes 1.5 times as long, and only Headlight itself has to be fast.
function(headlight_compile_quickly PROGRAM)
  target_compile_options(${PROGRAM} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

function(headlight_test_definitions PROGRAM)
  headlight_compile_quickly(${PROGRAM})
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

# Precompiled headers that every test of one kind includes, built once instead of once per program. They belong to a
# dummy program, because GCC only accepts them from a target with the same options.
function(headlight_test_headers OWNER)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE" "LINK;HEADERS")
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/tests/${OWNER}.cpp" CONTENT "${arg_SOURCE}\n")
  add_executable(${OWNER} "${CMAKE_BINARY_DIR}/tests/${OWNER}.cpp")
  set_target_properties(${OWNER} PROPERTIES AUTOMOC OFF AUTORCC OFF)
  target_link_libraries(${OWNER} PRIVATE ${arg_LINK})
  target_precompile_headers(${OWNER} PRIVATE ${arg_HEADERS})
  headlight_compile_quickly(${OWNER})
endfunction()

# In a unity build (CMAKE_UNITY_BUILD), the files of a test program are compiled up to 21 at a time, because most of the
# compile time is in the shared headers. So names in an unnamed namespace must be unique in their folder. Each test
# still has its own scratch folder, which CMake's own unity build cannot provide.
function(headlight_compile_tests_together PROGRAM)
  # Test classes have members whose types are local to the file, which GCC warns about in a unity build.
  target_compile_options(${PROGRAM} PRIVATE -Wno-subobject-linkage)
  set(group 0)
  set(left ${ARGN})
  list(LENGTH left count)
  math(EXPR groups "(${count} + 20) / 21")
  math(EXPR size "(${count} + ${groups} - 1) / ${groups}")
  while(left)
    list(SUBLIST left 0 ${size} some)
    list(REMOVE_ITEM left ${some})
    set(code "")
    foreach(file IN LISTS some)
      get_filename_component(test "${file}" NAME_WE)
      string(APPEND code "#define HEADLIGHT_TEST_SCRATCH \"${CMAKE_BINARY_DIR}/test-scratch/${test}\"\n"
        "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${file}\"\n#undef HEADLIGHT_TEST_SCRATCH\n")
      set_source_files_properties(${file} PROPERTIES HEADER_FILE_ONLY ON)
    endforeach()
    set(file "${CMAKE_CURRENT_BINARY_DIR}/${PROGRAM}_${group}.cpp")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${code}")
    target_sources(${PROGRAM} PRIVATE "${file}")
    set_source_files_properties("${file}" PROPERTIES SKIP_AUTOGEN ON)
    math(EXPR group "${group} + 1")
  endwhile()
endfunction()

function(headlight_core_tests FOLDER)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK;IN_C_TOO;SWEEPS")
  if(NOT TARGET headlight_core_test_headers)
    headlight_test_headers(headlight_core_test_headers SOURCE "// main() is doctest's"
      LINK headlight_doctest_main headlight_core nlohmann_json::nlohmann_json
      HEADERS <doctest/doctest.h> <nlohmann/json.hpp> <algorithm> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional> <random>
        <sstream> <string> <variant> <vector> "${CMAKE_SOURCE_DIR}/core/transformer/run/forward.h"
        "${CMAKE_SOURCE_DIR}/core/generation/generator.h")
  endif()
  set(program tests_of_${FOLDER})
  list(TRANSFORM arg_UNPARSED_ARGUMENTS APPEND .cpp OUTPUT_VARIABLE files)
  add_executable(${program} ${files})
  target_precompile_headers(${program} REUSE_FROM headlight_core_test_headers)
  set_target_properties(${program} PROPERTIES AUTOMOC OFF AUTORCC OFF)
  target_link_libraries(${program} PRIVATE ${arg_LINK} headlight_doctest_main headlight_core nlohmann_json::nlohmann_json)
  target_include_directories(${program} PRIVATE "${CMAKE_SOURCE_DIR}/tests/core")
  headlight_test_definitions(${program})
  if(HEADLIGHT_TESTS_TOGETHER)
    headlight_compile_tests_together(${program} ${files})
  endif()
  headlight_add_tests(${program} CHOSEN_BY "--source-file=*/@.cpp" NAMES ${arg_UNPARSED_ARGUMENTS} IN_C_TOO ${arg_IN_C_TOO} SWEEPS ${arg_SWEEPS})
endfunction()

# Settings of both kinds of Qt tests.
function(headlight_qt_program PROGRAM)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
  if(NOT TARGET headlight_qt_test_headers)
    headlight_test_headers(headlight_qt_test_headers SOURCE "int main() {}" LINK headlight_ui
      HEADERS <QtWidgets> <algorithm> <cmath> <filesystem> <functional> <map> <memory> <optional> <string> <variant> <vector>)
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
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;IN_C_TOO;SWEEPS")
  set(program tests_of_${FOLDER})
  list(TRANSFORM arg_UNPARSED_ARGUMENTS APPEND .cpp OUTPUT_VARIABLE files)
  list(APPEND files ${arg_SOURCES})
  headlight_qt_program(${program} ${files} "${CMAKE_SOURCE_DIR}/tests/support/test_main.cpp")
  target_link_libraries(${program} PRIVATE ${arg_LINK})
  if(HEADLIGHT_TESTS_TOGETHER)
    headlight_compile_tests_together(${program} ${files})
  endif()
  headlight_add_tests(${program} CHOSEN_BY @ NAMES ${arg_UNPARSED_ARGUMENTS} IN_C_TOO ${arg_IN_C_TOO} SWEEPS ${arg_SWEEPS})
endfunction()

function(headlight_qt_test NAME)
  headlight_qt_program(${NAME} ${ARGN})
  headlight_scratch_of(${NAME})
  headlight_add_test(${NAME} COMMAND ${NAME})
endfunction()
