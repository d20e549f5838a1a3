# Groups the files that a unity build (CMAKE_UNITY_BUILD) compiles together: at most 16 of one folder, in list order.
# CMake's own batches differ between its versions, so code that compiles with one might not compile with another. Names
# in an unnamed namespace must be unique in their folder.
function(headlight_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  # In large files GCC 12 reports warnings about inlined code of its own std::string and std::variant (see its bug
  # 105651). They stay enabled if each file is compiled separately, as in the dev preset.
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
