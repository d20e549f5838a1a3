// Glossary entries as tooltips and as links in HTML.
#pragma once

#include "ui/text/glossary/glossary.h"

#include <QColor>

namespace headlight::ui {

/// Returns "query: What a token looks for …", broken into lines, because Qt does not wrap
/// plain-text tooltips.
QString tipOf(const GlossaryEntry &entry);
/// Returns the tooltip with the plain text `before` in front.
QString tipOf(const GlossaryEntry &entry, const QString &before);
/// Returns the tooltip with symbols as plain text.
QString plainTipOf(const GlossaryEntry &entry);

/// Returns a link to an entry, coloured and without an underline.
QString termLink(const QString &html, const QString &id, const QColor &colour);
/// Returns a symbol as coloured HTML: "W_Q". Links to its glossary entry if it has one.
QString symbolLink(const QString &symbol, const QColor &colour);
/// Links the symbols and terms in a line of arithmetic: "score ÷ √16". The text is plain except
/// for <sub>.
QString withTermLinks(const QString &html, const QColor &colour);
/// Typesets and links symbols such as "W_Q" in HTML.
QString withSymbolLinks(const QString &html, const QColor &colour);
/// Returns the entry's id, or an empty string for other links.
QString termOfLink(const QString &link);

} // namespace headlight::ui
