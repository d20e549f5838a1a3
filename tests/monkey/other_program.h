// Another program, which does what it likes to the files of the monkey's folder while windows have
// them open.
#pragma once

#include "tests/monkey/dice.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <map>

namespace headlight::test {

class OtherProgram {
  public:
    explicit OtherProgram(QString folder);

    /// Cuts a file short, writes other numbers into it, replaces, deletes, touches it or puts it
    /// back, and says so. Mostly one of `open`: files and folders that windows show.
    QString meddle(const QStringList &open, Dice &dice);
    /// The model's config, of which no pass reads anything: nothing tells when that is changed.
    QByteArray config() const;

  private:
    QStringList files() const;
    QString choose(const QStringList &open, Dice &dice);

    QString m_folder;
    std::map<QString, QByteArray> m_before; // as a file was when it was first meddled with
};

} // namespace headlight::test
