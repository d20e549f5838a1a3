// Telling words apart that read alike: "bank (#17)".
#pragma once

#include "core/transformer/model/model.h"

#include <QString>

namespace headlight::ui {

/// `text`, which stands for a word of the vocabulary, and the word's id where another one reads
/// alike.
QString withId(const QString &text, const core::Vocabulary &words, core::Index id);
/// The same of a token that the stack looks up, also where the token says its id itself.
QString withId(const QString &text, const core::Model &model, core::Stack stack,
               const core::Token &token);

} // namespace headlight::ui
