// A view with its own document, for tests of views.
#pragma once

#include "tests/support/clean_test.h"
#include "tests/support/edits.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/figures/heatmap/painting_cache.h"
#include "ui/panels/filmstrip.h"
#include "ui/text/number_text.h"
#include "ui/views/close_up_view.h"
#include "ui/views/geometry_view.h"
#include "ui/views/heads_view.h"
#include "ui/views/similarity_view.h"
#include "ui/views/whole_view.h"

#include <QTimer>

namespace headlight::test {

using namespace headlight::ui;
using core::Stage;

/// Counts the paint events of a widget.
class PaintCounter : public QObject {
  public:
    explicit PaintCounter(QWidget &watched) { watched.installEventFilter(this); }
    int count() const { return m_count; }

  protected:
    bool eventFilter(QObject *, QEvent *event) override {
        m_count += event->type() == QEvent::Paint;
        return false;
    }

  private:
    int m_count = 0;
};

/// Fills the cache with other images, so that the next paint makes its own again.
inline void forgetImages(PaintingCache &cache) {
    constexpr core::Index kMoreThanKept = 20;
    for (core::Index other = 1; other <= kMoreThanKept; ++other) {
        CellImageSource source;
        source.rows = -other;
        (void)cache.image(source, [] { return QImage(1, 1, QImage::Format_RGB32); });
    }
}

template <typename View>
struct Fixture {
    Document document;
    View view{document};

    explicit Fixture(const QString &source, const QString &text = {}, QSize size = {1200, 800})
        : Fixture(opened(source), text, size) {}
    explicit Fixture(OpenedSource source, const QString &text = {}, QSize size = {1200, 800}) {
        view.resize(size);
        document.open(std::move(source));
        if (!text.isEmpty())
            (void)test::typeText(document, text);
        if (!test::settled(document))
            qFatal("no trace");
        view.show();
        (void)test::exposed(view);
        view.setFocus();
        (void)view.figure();
    }
    void settle() {
        QVERIFY(test::settled(document));
        (void)view.figure();
    }
    const core::Selection &selection() const { return document.selection(); }
    void select(const Place &place) {
        test::select(document, place);
        (void)view.figure();
    }
    void select(Stage stage, std::optional<core::Index> query = {},
                std::optional<core::Index> key = {}) {
        select({.stage = stage, .query = query, .key = key});
    }
    template <typename Widget>
    Widget *find(const char *name) const {
        return test::find<Widget>(view, name);
    }
    void click(QPointF point) {
        QTest::mouseClick(&view, Qt::LeftButton, {}, point.toPoint());
        (void)view.figure();
    }
    void click(const char *button) {
        QTest::mouseClick(find<QWidget>(button), Qt::LeftButton);
        (void)view.figure();
    }
    /// Sends the event directly, so that the pointer need not rest.
    void move(QPointF to, Qt::MouseButtons buttons = {}, Qt::KeyboardModifiers modifiers = {}) {
        test::moveMouse(view, to, buttons, modifiers);
    }
    /// Returns the hover text at a point.
    QString hover(QPointF point) {
        const QSignalSpy hovered(&view, &FigureView::hovered);
        move(point);
        return hovered.isEmpty() ? QString() : hovered.last()[0].toString();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&view, key, modifiers);
        (void)view.figure();
    }
    void wheel(QPointF point, int notches, Qt::KeyboardModifiers modifiers = {}) {
        QWheelEvent event(point, view.mapToGlobal(point), {}, QPoint(0, 120 * notches),
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &event);
    }
    /// Ends a turn of the wheel, without waiting.
    void restWheel() {
        const PaintCounter paints(view);
        QVERIFY(test::expire(*find<QTimer>("wheelRest")));
        QVERIFY(test::until([&] { return paints.count() > 0; }));
    }
    void drag(QPoint from, QPoint to, Qt::MouseButton button) {
        QTest::mousePress(&view, button, {}, from);
        move(to, button);
        QTest::mouseRelease(&view, button, {}, to);
    }
};

} // namespace headlight::test

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
