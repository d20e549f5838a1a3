// A page of a panel that scrolls if it is higher than the panel.
#pragma once

class QScrollArea;
class QWidget;

namespace headlight::ui {

/// Returns an area with the page. Its width is that of the panel.
QScrollArea *scrollingPage(QWidget *page);

} // namespace headlight::ui
