// What a lesson's step says of the present numbers: its text, the mistake, what it lets
// one try and what it asks.
#pragma once

#include "ui/document/document.h"

#include <QString>

namespace headlight::test {

/// The words that stand there and are not struck out.
QString saidBy(const ui::Document &document);
QString struckOutBy(const ui::Document &document);

/// Single words of it in italics that are not struck out.
QStringList namedBy(const ui::Document &document);

/// For the message of a test that fails.
QByteArray whereIs(const ui::Document &document);

} // namespace headlight::test
