#include "ui/text/word_id.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

QString numbered(const QString &text, core::Index id) {
    // Uses a single arg() call, because a token may contain "%1".
    return QCoreApplication::translate("WordId", "%1 (#%2)").arg(text, QString::number(id));
}

} // namespace

QString withId(const QString &text, const core::Vocabulary &words, core::Index id) {
    return words.readsLikeAnother(id) ? numbered(text, id) : text;
}

QString withId(const QString &text, const core::Model &model, core::Stack stack,
               const core::Token &token) {
    const core::Vocabulary *words = model.vocabularyOf(stack);
    if (!words || !model.embeddingMatrix(stack))
        return text;
    if (token.id)
        return numbered(text, *token.id);
    const auto id = words->idOf(token);
    return id ? withId(text, *words, *id) : text;
}

} // namespace headlight::ui
