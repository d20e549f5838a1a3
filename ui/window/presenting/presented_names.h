// The names of the views that are presented, in small type: in one line, or where that has no room
// in two.
#pragma once

#include "core/selection/view.h"

#include <QWidget>

#include <array>

class QHBoxLayout;
class QToolButton;

namespace headlight::ui {

class FigureView;

class PresentedNames : public QWidget {
    Q_OBJECT
  public:
    explicit PresentedNames(const QList<FigureView *> &views, QWidget *parent = nullptr);

    void setCurrent(core::View view);
    /// Whether it has anything to show; the current one is named all the same.
    void setThere(core::View view, bool isThere);
    /// In lines of so many px. The size of type, px, at most `largest`, in which each of them is
    /// whole.
    int placeIn(int width, int largest);

  signals:
    void chosen(const QString &view);

  private:
    struct Name {
        core::View view;
        QToolButton *button;
        bool isThere = true;
    };
    void showOrHide(const Name &name);
    int lengthOf(const Name &name, int pixels) const;
    /// After how many names the second line begins, all of them in one where there is room.
    int breakIn(const QList<Name> &names, int width, int pixels) const;

    QList<Name> m_names;
    std::array<QHBoxLayout *, 2> m_lines;
};

} // namespace headlight::ui
