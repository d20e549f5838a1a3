// The "Whole formula" bar: a whole attention module in one line, softmax(QKᵀ / √d_k + M) · V and
// Concat(head_0, …) · W_O, for the current model. Each symbol links to its matrix. The symbols of
// the current stage are highlighted.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/formula/formula_strip.h"

#include <QToolBar>

#include <optional>

namespace headlight::ui {

class FormulaLink;

/// The formula and its links, without the bar.
class FormulaField : public QWidget {
    Q_OBJECT
  public:
    explicit FormulaField(Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// Lets only the mouse reach the symbols, for windows where keys step through the stages.
    void leaveFocusAlone();
    const FormulaStrip &strip() const { return m_strip; }
    FormulaStripGeometry geometryNow() const;
    /// Links from left to right.
    const QList<FormulaLink *> &links() const { return m_links; }

  signals:
    /// The symbol under the mouse, as a glossary id. Empty if there is none.
    void termHovered(const QString &id);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    /// Reads the formula of the current trace and selection.
    void read();
    void makeLinks(const core::Trace &trace);
    FormulaLink *newLink();
    void nameLink(const core::Trace &trace, FormulaLink &link) const;
    void placeLinks();
    void follow(const FormulaLink &link);
    core::Selection selectionOf(const core::FormulaPart &part) const;

    Document &m_document;
    FigureStyle m_style;
    FormulaStrip m_strip;
    QList<FormulaLink *> m_links;
    Qt::FocusPolicy m_linkFocus = Qt::TabFocus;
};

class FormulaBar : public QToolBar {
    Q_OBJECT
  public:
    explicit FormulaBar(Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style) { m_field->setStyle(style); }
    FormulaField &field() { return *m_field; }
    /// Returns the action that shows or hides the bar. A lesson step can also show the bar.
    QAction *showAction() const { return m_show; }
    /// Restores the saved visibility.
    void restore();

  private:
    void showOrHide();

    Document &m_document;
    FormulaField *m_field;
    QAction *m_show;
    bool m_isWanted = false;           // the user wants to see the bar
    std::optional<bool> m_asked;       // set by a lesson step; overrides m_isWanted
    std::optional<bool> m_stepSetting; // setting of the step that was shown last
};

} // namespace headlight::ui
