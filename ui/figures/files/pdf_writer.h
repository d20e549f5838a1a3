// What Headlight writes into a PDF itself, so that it does not depend on the version of Qt: its
// title and description, the session that it carries, and bytes that are the same every time.
#pragma once

#include <QByteArray>
#include <QSizeF>
#include <QString>

#include <optional>
#include <string>

namespace headlight::ui {

struct PdfWords {
    QString title;
    QString description;
    std::string session{}; ///< attached (core::kPdfAttachment); empty: none
    /// The page's size, of which Qt writes whole points; none: as Qt wrote it.
    std::optional<QSizeF> points{};
};

/// A PDF of QPdfWriter with these words, a fixed date, and an identifier that follows from the
/// content, instead of what Qt writes of the moment and the place. One that is built otherwise than
/// any known Qt builds it is returned as it is.
QByteArray finishedPdf(const QByteArray &written, const PdfWords &words);

} // namespace headlight::ui
