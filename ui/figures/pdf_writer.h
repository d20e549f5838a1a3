// What Qt leaves open in a PDF: a description beside its title, and bytes that are the same every
// time.
#pragma once

#include <QByteArray>
#include <QString>

namespace headlight::ui {

/// XMP metadata with title and description, for QPdfWriter::setDocumentXmpMetadata().
QByteArray xmpOf(const QString &title, const QString &description);

/// A PDF of QPdfWriter with a fixed date in UTC and fixed identifiers instead of those of the
/// moment and the place.
QByteArray withoutChance(QByteArray pdf);

} // namespace headlight::ui
