# Lets CMAKE_AUTOMOC run moc through moc_without_includes.sh.in, which explains why.
get_target_property(HEADLIGHT_MOC Qt6::moc LOCATION)
configure_file("${CMAKE_CURRENT_LIST_DIR}/moc_without_includes.sh.in" "${CMAKE_BINARY_DIR}/moc_without_includes.sh" @ONLY
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# CMake 3.25 reads IMPORTED_LOCATION, later versions read the property of a configuration.
set_target_properties(Qt6::moc PROPERTIES IMPORTED_LOCATION "${CMAKE_BINARY_DIR}/moc_without_includes.sh")
get_target_property(configurations Qt6::moc IMPORTED_CONFIGURATIONS)
foreach(configuration IN LISTS configurations)
  set_target_properties(Qt6::moc PROPERTIES IMPORTED_LOCATION_${configuration} "${CMAKE_BINARY_DIR}/moc_without_includes.sh")
endforeach()
