// The content of a teacher's handout, independent of the kind of file.
#pragma once

#include "core/worksheet/handout.h"

#include <QList>
#include <QString>

namespace headlight::ui {

struct HandoutLine {
    enum class Kind {
        Facts,    ///< duration and prerequisites of the lesson
        Heading,  ///< heading of a section
        Text,     ///< a paragraph
        Item,     ///< a list item
        Question, ///< a question of a step
        Right,    ///< the right answer to the question
        Wrong,    ///< another answer
    };
    Kind kind;
    QString html; ///< may contain <em> and <strong>; symbols are written as "W_Q"
};

struct HandoutText {
    QString title;
    QList<HandoutLine> lines;
};

/// Returns the aim, the keys to press, the questions with their answers, and common mistakes in
/// class.
HandoutText handoutText(const core::Handout &handout);

/// Formats handouts as one HTML page without scripts, or as plain text in lines of at most 80
/// characters.
QString handoutsAsHtml(const QList<HandoutText> &handouts);
QString handoutsAsText(const QList<HandoutText> &handouts);

} // namespace headlight::ui
