# Every test goes through one of these functions, so that all of them run in the same surroundings.
#
#   headlight_core_test(tst_softmax tst_softmax.cpp)    doctest, links headlight_core
#   headlight_qt_test(tst_document tst_document.cpp)    QtTest, links headlight_ui, paints offscreen
#
# Each runs twice: in the C locale, and as NAME.de_DE in the German one. Both give the sources HEADLIGHT_TEST_DATA (tests/data) and HEADLIGHT_TEST_SCRATCH (a folder of the test's own).

include(HeadlightLocales)

# Seconds after which a test is taken to hang. No test is slow enough to meet it, not even on a slow machine: waiting for
# something that never comes ends before (tests/support/waiting.h).
set(HEADLIGHT_TEST_HANGS 3600)

function(headlight_test_surroundings NAME)
  set(scratch "${CMAKE_BINARY_DIR}/test-scratch/${NAME}")
  file(MAKE_DIRECTORY "${scratch}/config" "${scratch}/cache" "${scratch}/data" "${scratch}/runtime")
  file(CHMOD "${scratch}/runtime" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  target_compile_definitions(${NAME} PRIVATE
    "HEADLIGHT_TEST_DATA=\"${CMAKE_SOURCE_DIR}/tests/data\""
    "HEADLIGHT_TEST_SCRATCH=\"${scratch}\"")
  set(surroundings "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/tsan.supp;LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0;QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=3000000;LOCPATH=${HEADLIGHT_LOCALES};XDG_CONFIG_HOME=${scratch}/config;XDG_CACHE_HOME=${scratch}/cache;XDG_DATA_HOME=${scratch}/data;XDG_RUNTIME_DIR=${scratch}/runtime")
  set_tests_properties(${NAME} PROPERTIES
    TIMEOUT ${HEADLIGHT_TEST_HANGS} RESOURCE_LOCK ${NAME} ENVIRONMENT "LC_ALL=C.UTF-8;${surroundings}")
  # Numbers must not follow the user's locale: everything once more where 0.5 is written 0,5.
  if(HEADLIGHT_LOCALES)
    add_test(NAME ${NAME}.de_DE COMMAND ${NAME})
    set_tests_properties(${NAME}.de_DE PROPERTIES
      TIMEOUT ${HEADLIGHT_TEST_HANGS} RESOURCE_LOCK ${NAME} ENVIRONMENT "LC_ALL=de_DE.UTF-8;${surroundings}")
  endif()
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

function(headlight_core_test NAME)
  if(NOT TARGET headlight_core_test_headers)
    headlight_test_headers(headlight_core_test_headers SOURCE "// main() is doctest's"
      LINK headlight_doctest_main headlight_core
      HEADERS <doctest/doctest.h> <algorithm> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional> <random>
        <sstream> <string> <variant> <vector>)
  endif()
  add_executable(${NAME} ${ARGN})
  target_precompile_headers(${NAME} REUSE_FROM headlight_core_test_headers)
  set_target_properties(${NAME} PROPERTIES AUTOMOC OFF AUTORCC OFF)
  target_link_libraries(${NAME} PRIVATE headlight_doctest_main headlight_core)
  add_test(NAME ${NAME} COMMAND ${NAME})
  headlight_test_surroundings(${NAME})
endfunction()

function(headlight_qt_test NAME)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
  if(NOT TARGET headlight_qt_test_headers)
    headlight_test_headers(headlight_qt_test_headers SOURCE "int main() {}" LINK headlight_ui
      HEADERS <QtWidgets> <algorithm> <cmath> <filesystem> <functional> <map> <memory> <optional> <string> <variant>
        <vector>)
  endif()
  add_executable(${NAME} ${ARGN})
  target_precompile_headers(${NAME} REUSE_FROM headlight_qt_test_headers)
  set_target_properties(${NAME} PROPERTIES AUTOMOC ON)
  target_link_libraries(${NAME} PRIVATE Qt6::Test headlight_ui)
  add_test(NAME ${NAME} COMMAND ${NAME})
  headlight_test_surroundings(${NAME})
endfunction()
