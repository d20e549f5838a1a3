// Rounds of the monkey test. Each runs in its own process, so that the actions before a crash are
// known.
#pragma once

#include <QList>
#include <QString>

namespace headlight::test {

struct Round {
    quint64 seed = 1;
    QString source;
    QList<int> numbers; ///< which of the seed's actions run
};

struct Outcome {
    bool ok = false;
    QString said;      ///< log of the actions and the failure
    qint64 memory = 0; ///< memory at the end, in megabytes
};

/// Returns every lesson, every session of tests/data, and the model folder and capture of a
/// round's folder.
QStringList sources();
/// Returns the source of the round with this seed. Every third one is a file that another program
/// changes.
QString sourceOf(quint64 seed);

/// Runs a round in this process. Does not return on a failure.
int play(const Round &round, int argc, char **argv);
/// Runs a round in another process.
Outcome playElsewhere(const Round &round);
/// Returns the arguments that replay the round.
QStringList words(const Round &round);
/// Returns a failing round with as few actions as possible.
Round shrunk(Round round);

} // namespace headlight::test
