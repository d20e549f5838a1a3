// Spelling of a lesson's texts, with the dictionaries that are installed for Hunspell.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

#include <memory>

class Hunspell;

namespace headlight::ui {

/// Returns the names of the installed dictionaries, such as "en_US". Empty if there are none, or
/// if Headlight was built without Hunspell.
QStringList installedDictionaries();

/// Returns the installed dictionary that fits the locale, such as "de_DE", best. Falls back to the
/// same language, then to American English, then to any dictionary. Empty if none is installed.
QString usualDictionary(const QStringList &installed, const QString &locale);

class Speller {
  public:
    /// If the name is unknown, no word is checked.
    explicit Speller(const QString &dictionary);
    ~Speller();
    Speller(const Speller &) = delete;
    Speller &operator=(const Speller &) = delete;

    /// True for a word of the dictionary, and for all words if there is no dictionary.
    bool isRight(const QString &word);
    /// Returns similar words, best first.
    QStringList suggestions(const QString &word);

  private:
    std::string encoded(const QString &word) const;

    std::unique_ptr<Hunspell> m_hunspell;
    bool m_isUtf8 = true; // true if the dictionary is in UTF-8, false if in ISO 8859-1
    QHash<QString, bool> m_known;
};

/// A misspelt word of a text, in UTF-16 code units.
struct Misspelling {
    qsizetype at = 0, length = 0;
};
/// Returns the words that are not in the dictionary. Skips marks in braces, symbols such as W_Q,
/// words with digits, and single letters.
QList<Misspelling> misspellingsIn(const QString &text, Speller &speller);

} // namespace headlight::ui
