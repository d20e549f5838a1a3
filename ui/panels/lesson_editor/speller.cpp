#include "ui/panels/lesson_editor/speller.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#ifdef HEADLIGHT_HAS_HUNSPELL
#include <hunspell/hunspell.hxx>
#else
class Hunspell {};
#endif

namespace headlight::ui {

namespace {

constexpr qsizetype kMaxKnown = 20000; // maximum number of words whose result is cached
constexpr qsizetype kMaxSuggestions = 6;

/// Returns the folders in which Debian and Hunspell users keep dictionaries.
QStringList dictionaryFolders() {
    QStringList folders =
        QStandardPaths::locateAll(QStandardPaths::GenericDataLocation, QStringLiteral("hunspell"),
                                  QStandardPaths::LocateDirectory);
    const QString typed = qEnvironmentVariable("DICPATH");
    folders = typed.split(QDir::listSeparator(), Qt::SkipEmptyParts) + folders;
    folders << QStringLiteral("/usr/share/hunspell") << QStringLiteral("/usr/share/myspell/dicts");
    folders.removeDuplicates();
    return folders;
}

/// Returns the dictionary's path without an extension; empty if it is not installed.
QString pathOfDictionary(const QString &name) {
    for (const QString &folder : dictionaryFolders()) {
        const QString path = QDir(folder).filePath(name);
        if (QFileInfo(path + ".aff").isReadable() && QFileInfo(path + ".dic").isReadable())
            return path;
    }
    return {};
}

} // namespace

QStringList installedDictionaries() {
#ifdef HEADLIGHT_HAS_HUNSPELL
    QStringList names;
    for (const QString &folder : dictionaryFolders())
        for (const QFileInfo &file : QDir(folder).entryInfoList({"*.dic"}, QDir::Files))
            if (!names.contains(file.completeBaseName()) &&
                !pathOfDictionary(file.completeBaseName()).isEmpty())
                names << file.completeBaseName();
    names.sort();
    return names;
#else
    return {};
#endif
}

QString usualDictionary(const QStringList &installed, const QString &locale) {
    if (installed.contains(locale))
        return locale;
    for (const QString &each : installed)
        if (each.section('_', 0, 0) == locale.section('_', 0, 0))
            return each;
    // Without a language, as in the locale "C", prefer English, because most lessons are English.
    const QString english = QStringLiteral("en_US");
    return installed.contains(english) ? english : installed.value(0);
}

#ifdef HEADLIGHT_HAS_HUNSPELL

Speller::Speller(const QString &dictionary) {
    const QString path = dictionary.isEmpty() ? QString() : pathOfDictionary(dictionary);
    if (path.isEmpty())
        return;
    m_hunspell = std::make_unique<Hunspell>(QFile::encodeName(path + ".aff").constData(),
                                            QFile::encodeName(path + ".dic").constData());
    m_isUtf8 = m_hunspell->get_dict_encoding() == "UTF-8";
}

bool Speller::isRight(const QString &word) {
    if (!m_hunspell)
        return true;
    if (const auto known = m_known.constFind(word); known != m_known.constEnd())
        return *known;
    if (m_known.size() >= kMaxKnown)
        m_known.clear();
    return *m_known.insert(word, m_hunspell->spell(encoded(word)));
}

QStringList Speller::suggestions(const QString &word) {
    QStringList all;
    if (m_hunspell)
        for (const std::string &each : m_hunspell->suggest(encoded(word)))
            all << (m_isUtf8 ? QString::fromStdString(each) : QString::fromLatin1(each));
    return all.mid(0, kMaxSuggestions);
}

#else

Speller::Speller(const QString &) {}

bool Speller::isRight(const QString &) {
    return true;
}

QStringList Speller::suggestions(const QString &) {
    return {};
}

#endif

Speller::~Speller() = default;

std::string Speller::encoded(const QString &word) const {
    return m_isUtf8 ? word.toStdString() : word.toLatin1().toStdString();
}

QList<Misspelling> misspellingsIn(const QString &text, Speller &speller) {
    // Matches a mark, which is skipped, or a word with its apostrophes, underscores and digits.
    static const QRegularExpression word(
        QStringLiteral("\\{[^}]*\\}?|[\\p{L}\\p{M}\\p{N}_]+(?:['’][\\p{L}\\p{M}]+)*"));
    static const QRegularExpression plain(QStringLiteral("^[\\p{L}\\p{M}'’]{2,}$"));
    QList<Misspelling> all;
    for (const QRegularExpressionMatch &match : word.globalMatch(text)) {
        const QString found = match.captured();
        if (plain.match(found).hasMatch() &&
            !speller.isRight(QString(found).replace(QChar(u'’'), QChar(u'\''))))
            all << Misspelling{match.capturedStart(), match.capturedLength()};
    }
    return all;
}

} // namespace headlight::ui
