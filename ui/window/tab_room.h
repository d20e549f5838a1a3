// Where all tabs' names have no room beside what stands in the corner, the tabs come closer
// together, and their letters smaller, before a name is cut.
#pragma once

#include <QObject>

class QTabWidget;

namespace headlight::ui {

class TabRoom : public QObject {
    Q_OBJECT
  public:
    /// The theme has a rule for tabs of a widget whose property "narrow" is true.
    explicit TabRoom(QTabWidget &tabs);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void look();

    QTabWidget &m_tabs;
};

} // namespace headlight::ui
