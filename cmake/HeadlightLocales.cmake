# Creates locales for the tests in the build folder: German, whose decimal point is a comma, and Turkish, whose
# lower-case I is not i. If this fails, HEADLIGHT_LOCALES stays empty and the tests that need them are skipped with a
# message.

set(HEADLIGHT_LOCALES "${CMAKE_BINARY_DIR}/locales")
find_program(LOCALEDEF localedef)
foreach(locale de_DE tr_TR)
  if(LOCALEDEF AND NOT EXISTS "${HEADLIGHT_LOCALES}/${locale}.UTF-8/LC_NUMERIC")
    file(MAKE_DIRECTORY "${HEADLIGHT_LOCALES}")
    execute_process(
      COMMAND "${LOCALEDEF}" --no-archive -i ${locale} -f UTF-8 "${HEADLIGHT_LOCALES}/${locale}.UTF-8"
      OUTPUT_QUIET ERROR_QUIET)
  endif()
endforeach()
if(NOT EXISTS "${HEADLIGHT_LOCALES}/de_DE.UTF-8/LC_NUMERIC")
  set(HEADLIGHT_LOCALES "")
  add_test(NAME everything_again_in_german COMMAND "${CMAKE_COMMAND}" -E echo
    "skipped: localedef or the sources of de_DE are missing (package `locales`)")
  set_tests_properties(everything_again_in_german PROPERTIES SKIP_REGULAR_EXPRESSION "skipped:")
endif()
