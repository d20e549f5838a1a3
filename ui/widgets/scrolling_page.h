// A page of a panel that scrolls if it is taller than the panel.
#pragma once

class QScrollArea;
class QWidget;

namespace headlight::ui {

/// Returns a scroll area that contains the page and keeps it as wide as the panel.
QScrollArea *scrollingPage(QWidget *page);

/// Lets the wheel scroll over combo boxes, spin boxes and sliders of the page, except the one that
/// has the focus. Fields that are added later are included.
void scrollByWheel(QWidget &page);

} // namespace headlight::ui
