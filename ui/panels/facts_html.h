// Facts next to the picture, in place of a lesson's text: a table of names and values, and
// sentences. All text is escaped.
#pragma once

#include <QString>

namespace headlight::ui {

inline QString factRow(const QString &name, const QString &value) {
    return QString("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>")
        .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

inline QString factTable(const QString &rows) {
    return QString("<table cellpadding='2'>%1</table>").arg(rows);
}

inline QString factParagraph(const QString &text) {
    return QString("<p style='line-height:140%'>%1</p>").arg(text.toHtmlEscaped());
}

inline QString factTitle(const QString &title) {
    return QString("<h3>%1</h3>").arg(title.toHtmlEscaped());
}

} // namespace headlight::ui
