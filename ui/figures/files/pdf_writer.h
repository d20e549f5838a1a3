// Finishes Qt's PDFs independently of the Qt version: title, description, the embedded session, and
// reproducible bytes.
#pragma once

#include <QByteArray>
#include <QSizeF>
#include <QString>

#include <optional>
#include <string>

namespace headlight::ui {

struct PdfText {
    QString title;
    QString description;
    std::string session{}; ///< attachment (core::kPdfAttachment); empty: none
    /// Exact page size, because Qt writes whole points. None: as Qt wrote it.
    std::optional<QSizeF> points{};
};

/// Returns QPdfWriter's output with these texts, a fixed date, and an identifier computed from the
/// content instead of the time and the file path. Input with an unknown structure is returned
/// unchanged.
QByteArray finishedPdf(const QByteArray &written, const PdfText &words);

} // namespace headlight::ui
