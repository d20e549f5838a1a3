// One section of the inspector on the screen: heading, words, arithmetic, bars, numbers.
#pragma once

#include "ui/panels/inspector_content.h"

#include <QWidget>

class QLabel;
class QScrollArea;

namespace headlight::ui {

class TermBars;

/// A rich line of the inspector: it wraps, can be selected, and leaves the context menu to the
/// inspector.
QLabel *selectableText(const char *name);
/// While the mouse is over a link to the glossary, the label's tooltip is what it says there.
void showTermTip(QLabel &label, const QString &link);

class InspectorSectionView : public QWidget {
    Q_OBJECT
  public:
    explicit InspectorSectionView(QWidget *parent = nullptr);

    /// `terms`: also the bars' numbers as text.
    void show(const InspectorSection &section, const FigureStyle &style, bool terms);
    const TermBars *bars() const { return m_bars; }

  signals:
    /// The mouse is over a link to the glossary's entry, or has left it: then the id is empty.
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
    QLabel *m_caption; // the bar under the mouse, else the sum
    QLabel *m_terms;
};

} // namespace headlight::ui
