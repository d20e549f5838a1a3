// Keeps the words strip between the tabs and the current view. Both leave space for an open panel.
#pragma once

#include <QObject>

class QTabWidget;
class QStackedWidget;

namespace headlight::ui {

class SentenceStrip;

/// Reserves space for the strip above the pages of the tabs. Hides the strip if there are no words,
/// and above views that show no sentence.
class StripAboveViews : public QObject {
  public:
    StripAboveViews(SentenceStrip &strip, QTabWidget &tabs);

    /// Uses the style of the current view.
    void showColours();
    /// Keeps this width in px free on the right of the strip and the views, for a panel.
    void keepFree(int width);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void place();

    SentenceStrip &m_strip;
    QTabWidget &m_tabs;
    QStackedWidget *m_pages;
    int m_free = 0; // px on the right
};

} // namespace headlight::ui
