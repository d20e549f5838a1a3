// What the glossary says, as tooltips and as links within HTML.
#pragma once

#include "ui/words/glossary/glossary.h"

#include <QColor>

namespace headlight::ui {

/// "query: What a token looks for …", in lines: a tool tip is shown as it is.
QString tipOf(const GlossaryEntry &entry);
/// The same with `before` in front of it, which is plain text.
QString tipOf(const GlossaryEntry &entry, const QString &before);
/// The same in plain text.
QString plainTipOf(const GlossaryEntry &entry);

/// HTML that leads to an entry, in a colour and not underlined.
QString termLink(const QString &html, const QString &id, const QColor &colour);
/// A symbol in its colour, as HTML, leading to its entry where it has one: "W_Q".
QString symbolLink(const QString &symbol, const QColor &colour);
/// The symbols and terms of a line of arithmetic lead to their entries: "score ÷ √16". The text is
/// plain, but for what is set already: <sub>.
QString withTermLinks(const QString &html, const QColor &colour);
/// Symbols such as "W_Q" in HTML are set, and lead to their entries.
QString withSymbolLinks(const QString &html, const QColor &colour);
/// The id in such a link; empty: it is another.
QString termOfLink(const QString &link);

} // namespace headlight::ui
