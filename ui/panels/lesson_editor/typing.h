// What a person types into a field, as steps that can be undone: not letter by letter, and not all
// at once.
#pragma once

#include <QString>

class QLineEdit;

namespace headlight::ui {

/// The one place in which two texts differ.
struct TextChange {
    int at = 0, removed = 0, added = 0; ///< in characters
};
TextChange changeBetween(const QString &before, const QString &after);

/// Shows what the document says, and is silent. A line that says so already stays as it is; one
/// that is typed into has its cursor where it changed, another shows its beginning.
void showLine(QLineEdit &line, const QString &text);

/// In ms: what is shown of a text follows once nobody has typed for so long. The text itself, and
/// so saving and undo, never waits.
inline constexpr int kTypingLag = 200;

/// Letters that follow each other up to the end of a sentence or of a line, or that are deleted one
/// after the other, belong together.
class Typing {
  public:
    /// It is another field, or something else was done meanwhile.
    void stop() { m_goesOn = false; }
    /// A key was pressed. Whether it belongs to the ones before it.
    bool goesOn(const QString &before, const QString &after);

  private:
    bool m_goesOn = false, m_deletes = false;
    int m_end = 0; // where the last key left the cursor
};

} // namespace headlight::ui
