// A page of a panel that scrolls if it is taller than the panel.
#pragma once

class QScrollArea;
class QWidget;

namespace headlight::ui {

/// Returns a scroll area that contains the page and keeps it as wide as the panel.
QScrollArea *scrollingPage(QWidget *page);

} // namespace headlight::ui
