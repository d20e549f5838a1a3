// An application with a fixed hash seed, like the program itself. Qt orders the fonts in a PDF by
// hash.
#pragma once

#include <QApplication>
#include <QHashSeed>

namespace headlight::test {

struct FixedSeed {
    FixedSeed() { QHashSeed::setDeterministicGlobalSeed(); }
};

/// The base class order sets the seed first.
struct FixedSeedApplication : FixedSeed, QApplication {
    FixedSeedApplication(int &count, char **words) : QApplication(count, words) {}
};

} // namespace headlight::test
