// A page of a panel that scrolls if it is higher than the panel.
#pragma once

class QScrollArea;
class QWidget;

namespace headlight::ui {

/// Returns an area with the page. It is as wide as the panel.
QScrollArea *scrollingPage(QWidget *page);

} // namespace headlight::ui
