// Dock in which the user edits all inputs: numbers, mask, heads, tokens.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/base/style.h"

#include <QTabWidget>

class QAction;
class QLabel;

namespace headlight::ui {

class HeadsPage;
class MaskPage;
class NumbersPage;
class TokensPage;

class Editor : public QTabWidget {
    Q_OBJECT
  public:
    /// `painting`: the window's action that turns mask painting by mouse on and off.
    Editor(Document &document, QAction &painting, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// Creates a heading for the dock's title bar. The caller owns it.
    QWidget *makeTitleBar();
    /// Set to true if the dock is the current tab. QDockWidget::isVisible() is also true for a tab
    /// that is behind another.
    void setInSight(bool inSight);
    void showPage(const QString &name); ///< "numbers", "mask", "heads" or "tokens"
    void showMask();
    void showHeads();
    void showNumbers();
    /// Opens the table of scores with the selected score ready for typing.
    void editSelectedScore();
    /// Shows this number of a parameter in its table.
    void showNumber(const core::ParameterId &id, core::Index row, core::Index column);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void failed(const headlight::core::Error &error);
    /// Reports success as a line for the status bar.
    void statusMessage(const QString &words);

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void followStage();
    void refresh();
    void showWhatCanBeEdited();

    Document &m_document;
    FigureStyle m_style;
    NumbersPage *m_numbers;
    MaskPage *m_mask;
    HeadsPage *m_heads;
    TokensPage *m_tokens;
    QLabel *m_nothing;     ///< shows why nothing can be edited, in place of the pages
    bool m_inSight = true; // a hidden page is not updated
    bool m_stageChanged = true;
};

} // namespace headlight::ui
