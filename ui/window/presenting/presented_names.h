// Names of the presented views in small type, in one or two lines.
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
    /// Sets whether the view has content. The current view's name is always shown.
    void setThere(core::View view, bool isThere);
    /// Lays the names out at a text size of `pixels` px, in one or two lines of `width` px.
    void placeIn(int width, int pixels);
    /// Returns the width of all names in one or two lines, px.
    int widthOf(int pixels, int lines = 1) const;

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
    QList<Name> shown() const;

    QList<Name> m_names;
    std::array<QHBoxLayout *, 2> m_lines;
};

} // namespace headlight::ui
