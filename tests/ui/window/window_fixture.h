// A window with a lesson in it, and what a test reads off its views.
#pragma once

#include "tests/support/opened.h"
#include "ui/figures/flow/flow_figure.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/views/figure_view.h"
#include "ui/window/main_window.h"

#include <QImage>
#include <QToolButton>

namespace headlight::test {

/// Waits until what the window reads is read and its document's trace is there.
inline bool settled(ui::MainWindow &window) {
    return until([&] { return !window.isReading(); }) && settled(window.document());
}

struct WindowFixture {
    ui::MainWindow window;

    explicit WindowFixture(const QString &source, const QString &view = "heads") {
        window.setTheme(ui::Theme::Light);
        window.resize(1280, 800);
        window.open(opened(source));
        window.showView(view);
        window.show();
        (void)test::exposed(window);
        settle();
    }

    /// Waits for what is read, then for its numbers.
    void settle() {
        QVERIFY(settled(window));
        QCoreApplication::processEvents();
    }

    template <typename Widget>
    Widget *find(const char *name) const {
        Widget *widget = window.findChild<Widget *>(name);
        if (!widget)
            qFatal("no widget %s", name);
        return widget;
    }

    QToolButton *button(const QString &accessibleName) const {
        for (QToolButton *each : window.findChildren<QToolButton *>())
            if (each->accessibleName() == accessibleName && each->isVisible())
                return each;
        qFatal("no button %s", qPrintable(accessibleName));
    }

    ui::FigureView *view() const { return window.currentView(); }

    /// The geometry of the heads view's enlarged heatmap, as it is painted now.
    ui::HeatmapGeometry enlarged() const {
        const auto *figure = static_cast<const ui::HeadsFigure *>(view()->figure());
        return figure->geometry(view()->rect()).enlarged;
    }

    /// The colour of a cell near its corner, where no number is painted.
    static QColor cornerOf(const QImage &image, const QRectF &cell) {
        return image.pixelColor((cell.topLeft() + QPointF(4, 4)).toPoint());
    }
};

} // namespace headlight::test
