// The text that a lesson step shows for the current numbers: the text itself, the mistake, the *Try
// it* and the question.
#pragma once

#include "ui/document/document.h"

#include <QString>

namespace headlight::test {

/// saidBy() returns the text without the parts that are struck out, and struckOutBy() returns these
/// parts.
QString saidBy(const ui::Document &document);
QString struckOutBy(const ui::Document &document);

/// Returns the single words that are in italics and not struck out.
QStringList namedBy(const ui::Document &document);

/// Describes the position in the lesson, for messages of failed tests.
QByteArray whereIs(const ui::Document &document);

} // namespace headlight::test
