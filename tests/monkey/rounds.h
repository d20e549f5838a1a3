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

/// Every lesson, every session of tests/data, and what lies in a round's folder: a model's folder
/// and a capture.
QStringList sources();
/// Of many rounds, the one of this seed: every third is of files that others change meanwhile.
QString sourceOf(quint64 seed);

/// In this process; it never comes back where something is wrong.
int play(const Round &round, int argc, char **argv);
/// In another one.
Outcome playElsewhere(const Round &round);
/// The words after the program's name that play it again.
QStringList words(const Round &round);
/// As few of the actions of a round that fails as still fail.
Round shrunk(Round round);

} // namespace headlight::test
