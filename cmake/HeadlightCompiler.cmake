# Compile options of all targets of Headlight: one interface target, linked by all.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(HEADLIGHT_CCACHE ccache)
if(HEADLIGHT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${HEADLIGHT_CCACHE}")
endif()

add_library(headlight_compiler INTERFACE)
target_compile_options(headlight_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns about overlapping copies and bounds inside its own std::string (GCC bug 105651). Even the length of the
  # folder's name affects these warnings.
  target_compile_options(headlight_compiler INTERFACE -Wno-restrict -Wno-array-bounds
    # At -O3 it also reports members of a std::variant as uninitialized; the dev preset keeps these warnings.
    $<$<CONFIG:Release>:-Wno-maybe-uninitialized> $<$<CONFIG:Release>:-Wno-stringop-overflow>)
endif()
# Warnings are errors only with compilers that have been tested, because a later compiler's new warnings must not
# break a user's build.
if(HEADLIGHT_WARNINGS_AS_ERRORS)
  string(REGEX MATCH "^[0-9]+" major "${CMAKE_CXX_COMPILER_VERSION}")
  if("${CMAKE_CXX_COMPILER_ID} ${major}" MATCHES "^GNU (12|13|14)$")
    target_compile_options(headlight_compiler INTERFACE -Werror)
  else()
    message(STATUS "Warnings are not errors: ${CMAKE_CXX_COMPILER_ID} ${major} is not known here yet")
  endif()
endif()
if(HEADLIGHT_NATIVE)
  target_compile_options(headlight_compiler INTERFACE -march=native)
endif()
if(HEADLIGHT_FUZZ)
  target_compile_options(headlight_compiler INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(headlight_compiler INTERFACE -fsanitize=address,undefined)
endif()
if(HEADLIGHT_SANITIZERS)
  target_compile_options(headlight_compiler INTERFACE
    -fsanitize=${HEADLIGHT_SANITIZERS} -fno-omit-frame-pointer -fno-sanitize-recover=all
    # With sanitizers, GCC 12 reports members of a std::variant as uninitialized.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(headlight_compiler INTERFACE -fsanitize=${HEADLIGHT_SANITIZERS})
endif()
if(HEADLIGHT_COVERAGE)
  # Atomic counters, for threads. Absolute paths, because gcovr runs in another folder.
  target_compile_options(headlight_compiler INTERFACE --coverage -fprofile-update=atomic -fprofile-abs-path)
  target_link_options(headlight_compiler INTERFACE --coverage)
endif()
