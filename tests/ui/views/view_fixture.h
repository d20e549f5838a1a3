// A view with its own document, for tests of views.
#pragma once

#include "tests/support/edits.h"
#include "tests/support/opened.h"
#include "ui/views/figure_view.h"

#include <QTest>
#include <QWheelEvent>

namespace headlight::test {

using namespace headlight::ui;
using core::Stage;

template <typename View>
struct Fixture {
    Document document;
    View view{document};

    explicit Fixture(const QString &source, const QString &text = {}, QSize size = {1200, 800}) {
        view.resize(size);
        document.open(test::opened(source));
        if (!text.isEmpty())
            (void)test::typeText(document, text);
        if (!test::settled(document))
            qFatal("no trace");
        view.show();
        (void)test::exposed(view);
        (void)view.figure();
    }
    void select(Stage stage, std::optional<core::Index> query = {},
                std::optional<core::Index> key = {}) {
        core::Selection selection = document.selection();
        selection.stage = stage;
        selection.query = query;
        selection.key = key;
        document.select(selection);
        (void)view.figure();
    }
    void wheel(QPointF point, int notches, Qt::KeyboardModifiers modifiers = {}) {
        QWheelEvent event(point, view.mapToGlobal(point), {}, QPoint(0, 120 * notches),
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &event);
    }
    void drag(QPoint from, QPoint to, Qt::MouseButton button) {
        QTest::mousePress(&view, button, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, view.mapToGlobal(QPointF(to)), Qt::NoButton, button,
                         {});
        QCoreApplication::sendEvent(&view, &move);
        QTest::mouseRelease(&view, button, {}, to);
    }
};

} // namespace headlight::test
