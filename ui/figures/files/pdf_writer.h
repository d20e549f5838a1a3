// Finishes the PDFs that Qt writes: title, description and embedded session. The bytes do not
// depend on the Qt version or the time.
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
    /// Exact page size. Needed because Qt writes whole points. Unset keeps Qt's size.
    std::optional<QSizeF> points{};
};

/// Returns QPdfWriter's output with these texts, a fixed date, and an identifier computed from the
/// content instead of the time and the file path. Input with an unknown structure is returned
/// unchanged.
QByteArray finishedPdf(const QByteArray &written, const PdfText &words);

} // namespace headlight::ui
