// A lesson's step as the panel shows it.
#pragma once

#include <QString>

class QPalette;

namespace headlight::ui {

class Document;

/// Title, paragraphs, and boxes: a common mistake, an exercise and how far it is solved, what to
/// try. While a question is to be answered, only that. The numbers come from the trace and are
/// tinted: they are live. What can be done is a link, lesson:tell, ask, hint, solve or run; `acts`:
/// such links have somebody who follows them.
QString lessonHtml(const Document &document, const QPalette &palette, bool acts = true);

} // namespace headlight::ui
