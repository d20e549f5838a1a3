// HTML of a lesson step, as the panel shows it.
#pragma once

#include <QString>

class QPalette;

namespace headlight::ui {

class Document;

/// Returns the title, paragraphs and boxes: a common mistake, an exercise with its progress, and
/// what to try. While a question is open, returns only the title and a request to answer it.
/// Numbers come from the trace and are tinted because they are live. Actions are links:
/// lesson:tell, ask, hint, solve or run. `acts`: the caller follows such links. `score`: HTML for a
/// box at the end; may be empty.
QString lessonHtml(const Document &document, const QPalette &palette, bool acts = true,
                   const QString &score = {});

/// Returns the step in one paragraph: its title in bold, the answer to its question, its exercise
/// and its text. Empty without a lesson.
QString lessonLineHtml(const Document &document, const QPalette &palette);

} // namespace headlight::ui
