// Tab reaches every control of the window, and each one shows that it has the focus.
#include "tests/ui/window/controls.h"
#include "tests/ui/window/panel_rows.h"
#include "tests/ui/window/view_rows.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/views/model_view.h"

namespace {

constexpr int kAround = 3;          // px around a widget where its focus may be shown
constexpr int kMinChanged = 30;     // px; a text cursor has fewer
constexpr int kMinChangedLink = 10; // px; a link may be a single letter

QRect areaOf(const QWidget &widget, const QWidget &window) {
    return QRect(widget.mapTo(&window, QPoint()), widget.size())
        .adjusted(-kAround, -kAround, kAround, kAround);
}

/// Returns the pixels in the region that differ.
int changedIn(const QRegion &region, const QImage &before, const QImage &after) {
    int changed = 0;
    for (const QRect &rect : region.intersected(after.rect().intersected(before.rect())))
        for (int y = rect.top(); y <= rect.bottom(); ++y)
            for (int x = rect.left(); x <= rect.right(); ++x)
                changed += before.pixel(x, y) != after.pixel(x, y);
    return changed;
}

QString stopName(const QWidget &widget) {
    return QString("%1 “%2” (%3)")
        .arg(widget.metaObject()->className(), widget.accessibleName(), widget.objectName());
}

} // namespace

class FocusRingTest : public test::CleanTest {
    Q_OBJECT

    int m_flashTime = 0;

    /// Presses Tab until the first control has the focus again.
    void checkEveryStop(WindowFixture &fixture) {
        fixture.window.activateWindow();
        QVERIFY(test::active(fixture.window));
        for (int times = 0; times < 2; ++times) { // painting moves the controls of a view
            fixture.settle();
            (void)fixture.window.grab();
        }
        if (const auto *model = qobject_cast<ui::ModelView *>(fixture.view()))
            QVERIFY(test::until([&] { return !model->isComputing(); }));
        const auto paintedNow = [&] {
            QCoreApplication::processEvents();
            return fixture.window.grab().toImage();
        };
        QWidget *const first = fixture.find<QWidget>("source");
        first->setFocus(Qt::TabFocusReason);
        QVERIFY(first->hasFocus());
        QTest::keyClick(first, Qt::Key_Tab); // Qt shows some outlines only after Tab was pressed
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
        QCOMPARE(QApplication::focusWidget(), first);

        QStringList faults;
        QSet<const QWidget *> stops;
        QImage before = paintedNow();
        QWidget *focus = first;
        int pressed = 0;
        do {
            const QWidget *previous = focus;
            QTest::keyClick(focus, Qt::Key_Tab);
            focus = QApplication::focusWidget();
            QVERIFY2(focus, qPrintable("no focus after " + stopName(*previous)));
            const QImage after = paintedNow();
            const QRect place = areaOf(*focus, fixture.window);
            const QRect left = areaOf(*previous, fixture.window);
            // Ignores the area where the previous widget lost its outline. Two links of one text
            // are in one widget, so nothing is subtracted.
            QRegion own(place);
            if (previous != focus && !left.contains(place))
                own -= left;
            if (!fixture.window.isAncestorOf(focus) || !focus->isVisible())
                faults << stopName(*focus) + " is not visible";
            else if (const int changed = changedIn(own, before, after);
                     changed < (previous == focus ? kMinChangedLink : kMinChanged))
                faults << QString("%1: %2 px change").arg(stopName(*focus)).arg(changed);
            stops.insert(focus);
            before = after;
        } while (focus != first && ++pressed < 300);
        QCOMPARE(focus, first);
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
        QVERIFY2(stops.size() > 20, test::said("%1 stops", stops.size()));

        // Tab reaches the checked button of a group, and the arrow keys reach the others.
        const auto isReachedByArrows = [&stops](const QWidget *widget) {
            const auto *button = qobject_cast<const QAbstractButton *>(widget);
            return button && button->group() && button->group()->exclusive() &&
                   std::ranges::any_of(button->group()->buttons(),
                                       [&](const auto *one) { return stops.contains(one); });
        };
        QStringList missing;
        for (const QWidget *each : fixture.window.findChildren<QWidget *>()) {
            const bool isShown = each->window() == &fixture.window && each->isVisible() &&
                                 each->isEnabled() && !each->visibleRegion().isEmpty();
            // Keyboard users need neither the arrows next to the frames, because Tab scrolls them,
            // nor the sheets, because keys go to the next sentence.
            const bool hasOtherKeys =
                each->objectName() == "chipArrow" || each->objectName() == "sheet";
            if (isShown && test::isControl(*each) && !hasOtherKeys && !stops.contains(each) &&
                !isReachedByArrows(each))
                missing << stopName(*each);
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
    }

  private slots:
    void initTestCase() {
        m_flashTime = QApplication::cursorFlashTime();
        QApplication::setCursorFlashTime(0);
    }
    void cleanupTestCase() { QApplication::setCursorFlashTime(m_flashTime); }

    void everyStopShowsIt_data() {
        const test::SourceAndView views[] = {
            {"bank", "close-up"},  {"cat", "heads"},         {"gravity", "geometry"},
            {"depth", "model"},    {"cat", "lines"},         {"softmax", "softmax"},
            {"writing", "output"}, {"learning", "training"}, {"cat", "close-up"},
            {"cat", "whole"},      {"cat", "similarity"},    {"cat", "text"},
            {"cat", "query-key"},  {"words", "words"}};
        test::addViewRows(views);
    }
    void everyStopShowsIt() {
        QFETCH(QString, source);
        QFETCH(QString, view);
        QFETCH(bool, dark);
        WindowFixture fixture(source, view);
        fixture.find<QDockWidget>("inspectorDock")->hide();
        fixture.window.setTheme(dark ? ui::Theme::Dark : ui::Theme::Light);
        fixture.document().answer({}); // no question covers the picture
        fixture.window.showView(view);
        checkEveryStop(fixture);
    }

    void everyStopOfAPanelShowsIt_data() {
        test::addPanelRows({"inspector", "editor numbers", "editor mask", "editor heads",
                            "editor tokens", "history"});
    }
    void everyStopOfAPanelShowsIt() {
        QFETCH(QString, panel);
        QFETCH(bool, dark);
        WindowFixture fixture("cat", "close-up");
        fixture.window.resize(1440, 900);
        fixture.window.setTheme(dark ? ui::Theme::Dark : ui::Theme::Light);
        fixture.document().answer({});
        test::openPanel(fixture, panel);
        checkEveryStop(fixture);
    }
};

HEADLIGHT_WIDGET_TEST(FocusRingTest)
#include "tst_focus_ring.moc"
