// The text of a lesson step for the current numbers: the text itself, the mistake, the *Try it* and
// the question.
#pragma once

#include "ui/document/document.h"

#include <QString>

namespace headlight::test {

/// Returns the text without the parts that are struck out.
QString saidBy(const ui::Document &document);
QString struckOutBy(const ui::Document &document);

/// Returns its single words in italics that are not struck out.
QStringList namedBy(const ui::Document &document);

/// Describes the place for messages of failed tests.
QByteArray whereIs(const ui::Document &document);

} // namespace headlight::test
