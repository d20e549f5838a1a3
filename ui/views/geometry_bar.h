// Options of the planes, at the view's bottom: spaces, axes, sequences together, and gravity with
// its play button and slider.
#pragma once

#include "ui/figures/base/plane_options.h"

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QSlider;
class QToolButton;

namespace headlight::ui {

class GeometryView;

class GeometryBar : public QWidget {
    Q_OBJECT
  public:
    explicit GeometryBar(GeometryView &view);

    /// Spaces, axes, together, play. The window adds these actions to its menu.
    QList<QAction *> actions() const { return m_actions; }
    int heightFor(int width);

  private:
    void makeTogether();
    void makeGravity();
    QToolButton *addMenuButton(const char *name, const QList<QAction *> &actions);
    void showState();
    void setShort(bool isShort);

    GeometryView &m_view;
    QList<QAction *> m_actions;
    QList<QAction *> m_spaces, m_axes;
    QAction *m_together = nullptr;
    QAction *m_play = nullptr;
    QToolButton *m_spacesButton = nullptr;
    QToolButton *m_axesButton = nullptr;
    QToolButton *m_togetherButton = nullptr;
    QToolButton *m_playButton = nullptr;
    QSlider *m_gravity = nullptr;
    QLabel *m_share = nullptr;
    bool m_isShort = false;
};

} // namespace headlight::ui
