# Which files a whole build (CMAKE_UNITY_BUILD) compiles as one: those of a folder, at most 16, in the order of their list. CMake's
# own batches begin at another file in another version of it, and what compiles here would not compile there. So what stands in
# an unnamed namespace has a name that its folder has once.
function(headlight_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  # In large files GCC 12 warns of what it inlines of its own std::string and std::variant (as in its bug 105651). Where each file
  # is compiled alone, as by the dev preset, these warnings stay.
  if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-maybe-uninitialized -Wno-stringop-overflow
      -Wno-stringop-overread)
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(IS_ABSOLUTE "${source}" OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    get_filename_component(folder "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "in_${folder}" name)
    list(APPEND in_${name} "${source}")
    list(LENGTH in_${name} count)
    math(EXPR group "(${count} - 1) / 16")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${name}_${group}")
  endforeach()
endfunction()
