// Dock that describes the selected cell and how it was computed, with all its terms.
#pragma once

#include "ui/document/document.h"
#include "ui/panels/inspector_content.h"

#include <QScrollArea>

class QAction;
class QLabel;
class QMenu;
class QTimer;
class QVBoxLayout;

namespace headlight::ui {

class InspectorSectionView;

class Inspector : public QScrollArea {
    Q_OBJECT
  public:
    explicit Inspector(Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// Creates a title bar for the dock: a heading and the Copy button. The caller owns it. The
    /// dock can be dragged by any part that is not a button.
    QWidget *makeTitleBar();
    /// Actions that copy the value, the terms, the matrix or a NumPy script, save the matrix, and
    /// show the terms as numbers or the text as word counts. The window adds them to its menu.
    QList<QAction *> inspectActions() const;
    /// Returns the displayed content, after updating it.
    const InspectorContent &content();
    /// Writes the matrix of the selection as CSV, atomically.
    core::Outcome saveMatrix(const QString &path);

    /// Set to true if the dock is the current tab. QDockWidget::isVisible() is also true for a tab
    /// that is behind another.
    void setInSight(bool inSight);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void failed(const headlight::core::Error &error);
    /// Reports success as a line for the status bar.
    void statusMessage(const QString &words);
    /// The mouse moved to another term, or off it (empty id).
    void termHovered(const QString &id);
    /// A symbol was clicked: its glossary id.
    void termRequested(const QString &id);

  protected:
    void showEvent(QShowEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

  private:
    void makeActions();
    void documentChanged(const ChangeEvent &event);
    bool inSight() const { return m_inSight && isVisible(); }
    void refresh();
    void showStale();
    void showContent();
    void updateActions();
    void copyValue();
    void copyMatrix(char separator);
    void copyNumpy();
    void askWhereToSave();
    void toClipboard(const QString &text, const QString &what, const char *mimeType = nullptr);

    Document &m_document;
    FigureStyle m_style;
    InspectorContent m_content;
    bool m_outdated = true; // a hidden inspector is not updated
    bool m_inSight = true;
    QVBoxLayout *m_layout;
    QLabel *m_headline;
    QLabel *m_place;
    QLabel *m_stale;
    QList<InspectorSectionView *> m_sections;
    QTimer *m_staleDelay;
    QAction *m_copyValue, *m_copyTerms, *m_copyCsv, *m_copyTabs, *m_saveCsv, *m_copyNumpy,
        *m_showTerms, *m_showText;
};

} // namespace headlight::ui
