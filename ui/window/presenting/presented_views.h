// The views of a presentation: each looks like one of the window's, and takes no keys.
#pragma once

class QWidget;

namespace headlight::ui {

class FigureView;

/// Of the same kind, with the same choices; null: no such kind.
FigureView *presentedLike(const FigureView &view, QWidget *parent);

} // namespace headlight::ui
