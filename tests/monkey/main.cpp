// monkey                                   runs every lesson and session once, with seed 1
// monkey --minutes M [--seed S]            runs random ones until the time is over
// monkey --steps N [--seed S]              runs random ones until N actions are done
// monkey --seed S --source X --actions A   replays one round, as printed by a failure
#include "tests/monkey/rounds.h"
#include "tests/support/long.h"

#include <QCommandLineParser>
#include <QCoreApplication>

#include <cstdio>
#include <ctime>

using namespace headlight::test;

namespace {

constexpr int kActionsInTheSuite = 16, kActionsInTheLongSuite = 40;
constexpr int kActions = 200;

QList<int> numbersIn(const QString &list) {
    QList<int> numbers;
    for (const QString &part : list.split(',', Qt::SkipEmptyParts))
        for (int i = part.section('-', 0, 0).toInt(); i <= part.section('-', -1).toInt(); ++i)
            numbers << i;
    return numbers;
}

QList<int> upTo(int count) {
    return numbersIn(QString("0-%1").arg(count - 1));
}

QString lastLines(const QString &text, int count) {
    return text.trimmed().section('\n', -count);
}

void say(const QString &text) {
    std::puts(qPrintable(text));
    std::fflush(stdout);
}

class Tally {
  public:
    void add(const Round &round) {
        ++m_rounds;
        const Outcome outcome = playElsewhere(round);
        m_memory = std::max(m_memory, outcome.memory);
        m_actions += outcome.ok ? round.numbers.size() : 0;
        if (outcome.ok)
            return;
        ++m_failures;
        say(QString("FAILED, seed %1, %2\n%3")
                .arg(round.seed)
                .arg(round.source, lastLines(outcome.said, 60)));
        const Round least = shrunk(round);
        QStringList again = words(least);
        for (QString &word : again)
            word = word.startsWith("--") ? word : '\'' + word + '\'';
        say(QString("as little as does it: %1 actions\n%2\nagain with: %3 %4")
                .arg(least.numbers.size())
                .arg(lastLines(playElsewhere(least).said, 30),
                     QCoreApplication::applicationFilePath(), again.join(' ')));
    }
    int end() const {
        say(QString("%1 rounds, %2 actions, %3 failures, at most %4 MB at a round's end")
                .arg(m_rounds)
                .arg(m_actions)
                .arg(m_failures)
                .arg(m_memory));
        return m_failures > 0 ? 1 : 0;
    }

  private:
    int m_rounds = 0, m_failures = 0;
    qsizetype m_actions = 0;
    qint64 m_memory = 0;
};

} // namespace

int main(int argc, char **argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    QCommandLineParser parser;
    parser.addOptions({{"round", "in this process"},
                       {"minutes", "how long", "M", "0"},
                       {"steps", "how many actions", "N", "0"},
                       {"seed", "", "S", "1"},
                       {"source", "a lesson or a file", "X"},
                       {"actions", "which of them", "A"}});
    if (!parser.parse(arguments)) {
        say(parser.errorText());
        return 2;
    }
    Round round{parser.value("seed").toULongLong(), parser.value("source"),
                numbersIn(parser.value("actions"))};
    if (parser.isSet("round"))
        return play(round, argc, argv);
    const QCoreApplication application(argc, argv);
    if (round.numbers.isEmpty())
        round.numbers = upTo(parser.isSet("minutes") || parser.isSet("steps") ? kActions
                             : isLong() ? kActionsInTheLongSuite
                                        : kActionsInTheSuite);
    Tally tally;
    if (parser.isSet("minutes") || parser.isSet("steps")) {
        qsizetype steps = parser.value("steps").toLongLong();
        const std::time_t until =
            std::time(nullptr) + static_cast<std::time_t>(60 * parser.value("minutes").toDouble());
        for (; steps > 0 || std::time(nullptr) < until; ++round.seed) {
            if (!parser.isSet("source"))
                round.source = sourceOf(round.seed);
            tally.add(round);
            steps -= round.numbers.size();
        }
    } else {
        for (const QString &source :
             round.source.isEmpty() ? sources() : QStringList{round.source}) {
            round.source = source;
            tally.add(round);
        }
    }
    return tally.end();
}
