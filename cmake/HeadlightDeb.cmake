# The Debian package, built by packaging/make-deb. dpkg-shlibdeps finds the libraries that the program links. make-deb
# sets the variables below, because they depend on the release that it runs on.
set(HEADLIGHT_DEB_DEPENDS "" CACHE STRING "Packages of plugins and fonts that dpkg-shlibdeps cannot see")
set(HEADLIGHT_DEB_DOCUMENTS "" CACHE PATH "Folder with the package's copyright file and changelog")

if(HEADLIGHT_DEB_DOCUMENTS)
  install(FILES "${HEADLIGHT_DEB_DOCUMENTS}/copyright" "${HEADLIGHT_DEB_DOCUMENTS}/changelog.gz"
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/headlight)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME headlight)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "The Headlight developers <maintainers@users.noreply.a-seed-e0880492.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "see and step through the attention mechanism of transformers")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION # CPack prepends the summary
"Headlight shows how a transformer computes attention, with the real numbers
of every stage: from the vectors of the words over queries, keys and values
to the weights and the output.
.
It has lessons for a class or for yourself, trains small transformers, opens
pretrained models, and paints figures as PNG, SVG and PDF, from its window
and from the command line.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${HEADLIGHT_DEB_DEPENDS}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
