#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <clocale>
#include <locale>

int main(int count, char **words) {
    // Uses the user's locale, as the GUI does, so that tests can run under other locales.
    if (std::setlocale(LC_ALL, ""))
        std::locale::global(std::locale(""));
    return doctest::Context(count, words).run();
}
