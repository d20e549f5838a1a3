// The dock in which everything that is an input can be changed: numbers, mask, heads, tokens.
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
    /// `painting` is the window's switch of painting the mask by mouse.
    Editor(Document &document, QAction &painting, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// A heading for the dock's title bar; the caller owns it.
    QWidget *makeTitleBar();
    /// Whether its dock is in sight: one behind another dock's tab counts as visible for Qt.
    void setInSight(bool inSight);
    void showPage(const QString &name); ///< numbers, mask, heads or tokens
    void showMask();
    void showHeads();
    void showNumbers();
    /// The table of scores, with the selected one about to be typed.
    void editSelectedScore();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void failed(const headlight::core::Error &error);
    /// Something worked: a line for the status bar.
    void said(const QString &words);

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
    QLabel *m_nothing;     ///< instead of the pages: why there are none
    bool m_inSight = true; // a hidden page costs nothing
    bool m_stageChanged = true;
};

} // namespace headlight::ui
