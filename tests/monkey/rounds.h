// Rounds of the monkey, each in a process of its own, so that one that crashes says what it did.
#pragma once

#include <QList>
#include <QString>

namespace headlight::test {

struct Round {
    quint64 seed = 1;
    QString source;
    QList<int> numbers; ///< which of the seed's actions
};

struct Outcome {
    bool ok = false;
    QString said;      ///< the actions as they happened, and what went wrong
    qint64 memory = 0; ///< megabytes at the end
};

/// Every lesson, and every session of tests/data.
QStringList sources();

/// In this process; it never comes back where something is wrong.
int play(const Round &round, int argc, char **argv);
/// In another one.
Outcome playElsewhere(const Round &round);
/// The words after the program's name that play it again.
QStringList words(const Round &round);
/// As few of the actions of a round that fails as still fail.
Round shrunk(Round round);

} // namespace headlight::test
