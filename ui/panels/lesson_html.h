// A lesson's step as the panel shows it.
#pragma once

#include <QString>

class QPalette;

namespace headlight::ui {

class Document;

/// Title, paragraphs, and what to try in a box of its own. The numbers come from the trace and are
/// tinted: they are live.
QString lessonHtml(const Document &document, const QPalette &palette);

} // namespace headlight::ui
