// An application whose hashes have the same seed in every run, as the program's: Qt orders fonts in a
// PDF by hash.
#pragma once

#include <QApplication>
#include <QHashSeed>

namespace headlight::test {

struct FixedSeed {
    FixedSeed() { QHashSeed::setDeterministicGlobalSeed(); }
};

/// The seed is set before anything else.
struct FixedSeedApplication : FixedSeed, QApplication {
    FixedSeedApplication(int &count, char **words) : QApplication(count, words) {}
};

} // namespace headlight::test
