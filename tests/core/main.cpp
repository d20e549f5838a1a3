#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <clocale>
#include <locale>

int main(int count, char **words) {
    // As a program with a window does it, so that a test in another locale is one.
    if (std::setlocale(LC_ALL, ""))
        std::locale::global(std::locale(""));
    return doctest::Context(count, words).run();
}
