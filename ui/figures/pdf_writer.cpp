#include "ui/figures/pdf_writer.h"

#include <algorithm>

namespace headlight::ui {

namespace {

/// Writes over what follows `key`, from the `open` to the `close` behind it, with the beginning of
/// `filler`'s repetition.
void overwrite(QByteArray &pdf, QByteArrayView key, char open, char close, QByteArrayView filler,
               qsizetype longest) {
    for (qsizetype at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
        qsizetype i = at + key.size();
        while (i < pdf.size() && (pdf[i] == ' ' || pdf[i] == '\n'))
            ++i;
        if (i >= pdf.size() || pdf[i] != open)
            continue;
        const qsizetype end = pdf.indexOf(close, i);
        if (end < 0 || end - i > longest)
            continue;
        for (qsizetype k = i + 1; k < end; ++k)
            pdf[k] = filler[(k - i - 1) % filler.size()];
    }
}

} // namespace

QByteArray withoutChance(QByteArray pdf) {
    overwrite(pdf, "/CreationDate", '(', ')', "D:20000101000000+00'00'", 40);
    return pdf;
}

} // namespace headlight::ui
