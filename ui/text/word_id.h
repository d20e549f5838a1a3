// Disambiguation of words that read the same: "bank (#17)".
#pragma once

#include "core/transformer/model/model.h"

#include <QString>

namespace headlight::ui {

/// Returns `text`, followed by the word's id if another word reads the same.
QString withId(const QString &text, const core::Vocabulary &words, core::Index id);
/// Returns `text` with the token's id if the token sets one or another word reads the same.
QString withId(const QString &text, const core::Model &model, core::Stack stack,
               const core::Token &token);

} // namespace headlight::ui
