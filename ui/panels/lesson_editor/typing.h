// Groups typing into undo steps of about one sentence.
#pragma once

#include <QString>

class QLineEdit;

namespace headlight::ui {

/// The single range in which two texts differ.
struct TextChange {
    int at = 0, removed = 0, added = 0; ///< in UTF-16 code units
};
TextChange changeBetween(const QString &before, const QString &after);

/// Shows the text without emitting signals. Does nothing if the text is already shown. In a field
/// with the focus, the cursor moves to the change. Any other field shows the beginning.
void showLine(QLineEdit &line, const QString &text);

/// Delay in ms after the last key before a text's findings and preview are updated. Saving and undo
/// never wait.
inline constexpr int kTypingLag = 200;

/// Groups consecutive letters up to the end of a sentence or line, and consecutive deletions.
class Typing {
  public:
    /// Ends the group: the field changed, or the user did something else.
    void stop() { m_goesOn = false; }
    /// Called after each key press. Returns true if the key belongs to the previous group.
    bool goesOn(const QString &before, const QString &after);

  private:
    bool m_goesOn = false, m_deletes = false;
    int m_end = 0; // cursor position after the last key
};

} // namespace headlight::ui
