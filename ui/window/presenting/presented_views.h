// Views of a presentation: copies of the window's views without keyboard input.
#pragma once

class QWidget;

namespace headlight::ui {

class FigureView;

/// Creates a view of the same kind with the same options; null: unknown kind.
FigureView *presentedLike(const FigureView &view, QWidget *parent);

} // namespace headlight::ui
