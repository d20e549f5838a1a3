// The focus stays visible when a scroll area changes its layout, and in a table while a cell is
// edited.
#include "tests/ui/panels/editor_fixture.h"
#include "ui/accessibility/visible_focus.h"

namespace {

bool isVisible(const QWidget *widget) {
    return !widget->visibleRegion().isEmpty();
}

/// A label and many buttons that do not fit.
struct Area : QScrollArea {
    QLabel *label = new QLabel;
    QPushButton *first = new QPushButton;
    QPushButton *last = nullptr;

    Area() {
        auto *content = new QWidget;
        auto *rows = new QVBoxLayout(content);
        rows->addWidget(label);
        rows->addWidget(first);
        for (int i = 0; i < 40; ++i)
            rows->addWidget(last = new QPushButton);
        setWidgetResizable(true);
        setWidget(content);
        resize(300, 200);
        show();
        (void)test::exposed(*this);
        activateWindow();
        (void)test::active(*this);
        first->setFocus();
    }
    void scrollTo(int value) {
        verticalScrollBar()->setValue(value);
        QCoreApplication::processEvents();
    }
};

} // namespace

class VisibleFocusTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { ui::keepFocusVisible(); } // as main windows do

    void aLayoutThatChangesKeepsTheFocusVisible() {
        Area area;
        QVERIFY(area.first->hasFocus());
        QVERIFY(isVisible(area.first));
        area.label->setMinimumHeight(1000);
        QVERIFY(test::until([&] { return area.first->y() > 1000 && isVisible(area.first); }));
        QVERIFY(area.verticalScrollBar()->value() > 0);
        area.label->setMinimumHeight(3000);
        area.resize(300, 100);
        QVERIFY(test::until([&] { return area.first->y() > 3000 && isVisible(area.first); }));
    }

    void aSmallerWindowKeepsTheFocusVisible() {
        Area area;
        area.resize(300, 2000);
        QVERIFY(test::until([&] { return isVisible(area.last); }));
        area.last->setFocus();
        area.resize(300, 200);
        QVERIFY(test::until([&] { return area.viewport()->height() < 300; }));
        QVERIFY(test::until([&] { return isVisible(area.last); }));
    }

    void theUserCanScrollItAway() {
        Area area;
        area.scrollTo(area.verticalScrollBar()->maximum());
        QVERIFY(!isVisible(area.first));
        area.resize(300, 150);
        QCoreApplication::processEvents();
        QVERIFY(!isVisible(area.first));
        QTest::keyClick(area.first, Qt::Key_Shift);
        QVERIFY(!isVisible(area.first));
        QTest::keyClick(area.first, Qt::Key_Space);
        QVERIFY(isVisible(area.first));
    }

    void theCellThatIsEditedIsVisible() {
        EditorFixture fixture("cat", core::Stage::Query);
        fixture.editor.resize(300, 640); // the last column does not fit
        auto &view = *fixture.find<ui::NumberTableView>("numberTable");
        view.activateWindow();
        QVERIFY(test::active(*view.window()));
        QVERIFY(test::until([&] { return view.viewport()->height() > 0; })); // laid out
        view.setFocus();
        view.setCurrentIndex(
            view.model()->index(view.model()->rowCount() - 1, view.model()->columnCount() - 1));
        view.scrollToTop();
        view.horizontalScrollBar()->setValue(0);
        QVERIFY(!view.viewport()->rect().intersects(view.visualRect(view.currentIndex())));
        QTest::keyClick(&view, '1');
        const QPointer<QLineEdit> editor = view.viewport()->findChild<QLineEdit *>();
        QVERIFY(editor && editor->hasFocus());
        QVERIFY(isVisible(editor));
        view.setStyle(ui::FigureStyle::light(2.44));
        QCoreApplication::processEvents();
        QVERIFY(editor);
        QVERIFY(isVisible(editor));
        QCOMPARE(editor->text(), QString("1"));
    }
};

HEADLIGHT_WIDGET_TEST(VisibleFocusTest)
#include "tst_visible_focus.moc"
