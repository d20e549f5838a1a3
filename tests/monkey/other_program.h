// Another program that modifies files of the monkey's folder while windows have them open.
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

    /// Truncates, overwrites, replaces, deletes, touches or restores a file and returns a
    /// description. Mostly picks one of `open`, the files and folders that windows show.
    QString meddle(const QStringList &open, Dice &dice);
    /// Returns the model's config. A forward pass does not read it, so the window does not notice
    /// if it changes.
    QByteArray config() const;

  private:
    QStringList files() const;
    QString choose(const QStringList &open, Dice &dice);

    QString m_folder;
    std::map<QString, QByteArray> m_before; // original content of each modified file
};

} // namespace headlight::test
