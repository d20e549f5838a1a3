// A bar over a view that finds tokens of the text and selects them as queries or keys.
#pragma once

#include "core/tensor/shape.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QToolButton;

namespace headlight::ui {

class FigureView;

class TokenFinder : public QWidget {
    Q_OBJECT
  public:
    explicit TokenFinder(FigureView &view);
    /// Shows the bar with the cursor in its text.
    void open();
    void close();
    /// Finds tokens that contain the text, ignoring case. For a match across several pieces of a
    /// word, finds the piece where the match begins. Selects the first match from the selected
    /// token on.
    void find(const QString &text);
    /// Selects the next match; the previous one if `by` is −1.
    void go(int by);
    /// Returns the tokens that match.
    const std::vector<core::Index> &matches() const { return m_matches; }

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    std::optional<core::Index> selected() const;
    void search();
    /// Finds the tokens without selecting one.
    void match(const QString &text);
    void select(core::Index token);
    void showCount();
    void place();

    FigureView &m_view;
    QLineEdit *m_text;
    QLabel *m_count;
    QToolButton *m_side; // checked: selects keys; otherwise queries
    std::vector<core::Index> m_matches;
};

} // namespace headlight::ui
