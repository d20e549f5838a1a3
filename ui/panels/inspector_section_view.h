// Widget of one inspector section: heading, words, arithmetic, bars, numbers.
#pragma once

#include "ui/panels/inspector_content.h"

#include <QWidget>

class QLabel;
class QScrollArea;

namespace headlight::ui {

class TermBars;

/// Returns a rich text label that wraps, can be selected and leaves the context menu to the
/// inspector.
QLabel *selectableText(const char *name);
/// Shows the glossary's text as the label's tooltip while the mouse is over a glossary link.
void showTermTip(QLabel &label, const QString &link);

class InspectorSectionView : public QWidget {
    Q_OBJECT
  public:
    explicit InspectorSectionView(QWidget *parent = nullptr);

    /// `terms`: also show the values of the bars as text.
    void show(const InspectorSection &section, const FigureStyle &style, bool terms);
    const TermBars *bars() const { return m_bars; }

  signals:
    /// The mouse entered a glossary link, or left it (empty id).
    void termHovered(const QString &id);
    void termRequested(const QString &id);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void layOutLines();
    void layOutBars();

    InspectorSection m_section;
    FigureStyle m_style;
    QLabel *m_heading;
    QLabel *m_words;
    QLabel *m_lines;
    QScrollArea *m_barsArea;
    TermBars *m_bars;
    QLabel *m_caption; // describes the bar under the mouse; otherwise the sum
    QLabel *m_terms;
};

} // namespace headlight::ui
