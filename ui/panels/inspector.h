// The dock that says what the selected cell is and how it came to be, with all its terms.
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
    /// A heading with the Copy button, for the dock's title bar; the caller owns it. It is dragged
    /// by what is not a button.
    QWidget *makeTitleBar();
    /// Copy value, all terms, matrix as CSV, for a spreadsheet, save the matrix, copy as NumPy,
    /// show the terms as numbers; the window puts them into its menu.
    QList<QAction *> inspectActions() const;
    /// What is shown now; made up to date first.
    const InspectorContent &content();
    /// Writes the matrix of the selection as CSV, whole or not at all.
    core::Outcome saveMatrix(const QString &path);

    /// Whether its dock is in sight: one behind another dock's tab counts as visible for Qt.
    void setInSight(bool inSight);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void failed(const headlight::core::Error &error);
    /// Something worked: a line for the status bar.
    void said(const QString &words);
    /// The glossary's entry of what the mouse is over; empty: none.
    void termHovered(const QString &id);
    /// What a symbol means, which was clicked: its id in the glossary.
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
    bool m_outdated = true; // a hidden inspector costs nothing
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
