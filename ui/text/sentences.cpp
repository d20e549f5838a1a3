#include "ui/text/sentences.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace headlight::ui {

namespace {

struct SentenceText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Sentences)
};

/// Joins all words except the last `left`.
QString begun(const QStringList &words, qsizetype left) {
    QString all = words.value(0);
    for (qsizetype i = 1; i < words.size() - left; ++i)
        all = SentenceText::tr("%1, %2", "a list goes on").arg(all, words[i]);
    return all;
}

} // namespace

QString listed(const QStringList &words) {
    return words.size() < 2 ? words.value(0)
                            : SentenceText::tr("%1 and %2", "the end of a list")
                                  .arg(begun(words, 1), words.last());
}

QString alternatives(const QStringList &words) {
    return words.size() < 2 ? words.value(0)
                            : SentenceText::tr("%1 or %2").arg(begun(words, 1), words.last());
}

QString enumerated(const QStringList &words) {
    return begun(words, 0);
}

QString labelled(const QString &name, const QString &what) {
    return SentenceText::tr("%1: %2", "a name and what it is").arg(name, what);
}

QString sentences(const QStringList &all) {
    QString text;
    for (const QString &each : all)
        if (!each.isEmpty())
            text = text.isEmpty()
                       ? each
                       : SentenceText::tr("%1 %2", "one sentence after another").arg(text, each);
    return text;
}

QString ended(const QString &sentence) {
    static const QRegularExpression sign(QStringLiteral("[.!?…。！？؟][\"“”‘’»」』]*$"));
    return sentence.isEmpty() || sentence.contains(sign)
               ? sentence
               : SentenceText::tr("%1.", "a sentence").arg(sentence);
}

} // namespace headlight::ui
