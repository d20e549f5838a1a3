// A window with a lesson, and helpers that read its views.
#pragma once

#include "tests/support/opened.h"
#include "ui/figures/flow/flow_figure.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/views/figure_view.h"
#include "ui/window/main_window.h"

#include <QImage>
#include <QToolButton>

namespace headlight::test {

/// Waits until the window has read its source and has its trace.
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

    /// Waits until the window has read its source and has its trace.
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

    /// Returns the geometry of the heads view's enlarged heatmap, as painted now.
    ui::HeatmapGeometry enlarged() const {
        const auto *figure = static_cast<const ui::HeadsFigure *>(view()->figure());
        return figure->geometry(view()->rect()).enlarged;
    }

    /// Returns the colour of a cell near its corner, where no number is painted.
    static QColor cornerOf(const QImage &image, const QRectF &cell) {
        return image.pixelColor((cell.topLeft() + QPointF(4, 4)).toPoint());
    }
};

} // namespace headlight::test
