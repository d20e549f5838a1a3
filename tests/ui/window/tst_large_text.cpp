// Text at 200 % on common screens: nothing is cut off, important parts are visible, and scroll
// areas start at the top.
#include "tests/support/test_main.h"
#include "tests/ui/window/on_screens.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/widgets/elided_button.h"
#include "ui/window/glossary/glossary_window.h"
#include "ui/window/key_map.h"
#include "ui/window/save_figure_dialog.h"
#include "ui/window/saving/new_session_dialog.h"
#include "ui/window/training/new_run_dialog.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QToolBar>
#include <QWindow>

using namespace headlight;
using test::WindowFixture;

namespace {

struct LargeTextApplication : test::OnScreens, QApplication {
    LargeTextApplication(int &count, char **words)
        : OnScreens(HEADLIGHT_TEST_SCRATCH), QApplication(count, words) {}
};

/// Doubles the text size.
struct LargeText {
    LargeText() { QSettings().setValue("window/textScale", 2.0); }
};
struct LargeWindow : LargeText, WindowFixture {
    explicit LargeWindow(const QString &screen, const QString &source = "cat")
        : WindowFixture(source, "flow") {
        for (QScreen *each : QGuiApplication::screens())
            if (each->name() == screen) {
                window.windowHandle()->setScreen(each);
                window.setGeometry(each->geometry());
            }
        settle();
        QCOMPARE(window.screen()->name(), screen);
        QCOMPARE(window.size(), window.screen()->size());
    }
};

/// Returns the texts of a control that do not fit.
QString cutWords(const QWidget &widget) {
    if (!widget.isVisible())
        return {};
    QString words;
    QSize needed;
    if (const auto *label = qobject_cast<const QLabel *>(&widget)) {
        words = label->text();
        needed =
            label->wordWrap() ? QSize(0, label->heightForWidth(label->width())) : label->sizeHint();
    } else if (qobject_cast<const QPushButton *>(&widget) ||
               qobject_cast<const QCheckBox *>(&widget)) {
        words = static_cast<const QAbstractButton &>(widget).text();
        needed = widget.minimumSizeHint();
    }
    if (words.isEmpty() || (widget.width() >= needed.width() && widget.height() >= needed.height()))
        return {};
    return QString("“%1” has %2 × %3 of %4 × %5")
        .arg(words.left(60))
        .arg(widget.width())
        .arg(widget.height())
        .arg(needed.width())
        .arg(needed.height());
}

/// Returns the problems of a dialog; empty if there are none.
QString wrongWith(QDialog &dialog) {
    dialog.show();
    (void)test::exposed(dialog);
    dialog.activateWindow();
    (void)test::active(dialog);
    QCoreApplication::processEvents();
    QStringList wrong;
    const QRect room = dialog.screen()->availableGeometry();
    if (!room.contains(dialog.geometry()))
        wrong << QString("it is larger than the screen: %1 × %2")
                     .arg(dialog.width())
                     .arg(dialog.height());
    for (const QScrollArea *area : dialog.findChildren<QScrollArea *>()) {
        if (area->verticalScrollBar()->value() != 0 || area->horizontalScrollBar()->value() != 0)
            wrong << QString("%1 opens scrolled").arg(area->objectName());
        if (area->horizontalScrollBar()->maximum() > 0)
            wrong << QString("%1 is wider than its dialog").arg(area->objectName());
    }
    for (const QWidget *widget : dialog.findChildren<QWidget *>())
        if (const QString cut = cutWords(*widget); !cut.isEmpty())
            wrong << cut;
    return wrong.join('\n');
}

void addScreens() {
    QTest::addColumn<QString>("screen");
    for (const char *screen : {"desk", "projector"})
        QTest::newRow(screen) << screen;
}

} // namespace

class LargeTextTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { QSettings().clear(); }

    void whatMattersOfTheToolBarIsInSight_data() {
        QTest::addColumn<QString>("screen");
        QTest::addColumn<QString>("source");
        for (const char *screen : {"desk", "projector"})
            for (const QString &source :
                 {QString("cat"), QString("bank"), ui::translationExample()})
                QTest::addRow("%s, %s", screen, qPrintable(source)) << screen << source;
    }

    /// Only switches and buttons that are also in the menus may move behind ».
    void whatMattersOfTheToolBarIsInSight() {
        QFETCH(QString, screen);
        QFETCH(QString, source);
        LargeWindow fixture(screen, source);
        const auto *figure = fixture.find<QToolButton>("saveFigure");
        QVERIFY(figure->isVisible());
        QVERIFY(fixture.window.rect().contains(
            QRect(figure->mapTo(&fixture.window, QPoint()), figure->size())));
        const auto *bar = fixture.find<QToolBar>("sourceBar");
        for (QAction *action : bar->actions()) {
            const QWidget *widget = bar->widgetForAction(action);
            const bool isField = qobject_cast<const QComboBox *>(widget) ||
                                 qobject_cast<const QLineEdit *>(widget) || widget == figure;
            if (action->isVisible() && isField)
                QVERIFY2(widget->isVisible(), qPrintable(widget->objectName()));
        }
    }

    void theFirstHintsAndTheStepAreWhole_data() { addScreens(); }
    void theFirstHintsAndTheStepAreWhole() {
        QFETCH(QString, screen);
        LargeWindow fixture(screen);
        for (QAction *action : fixture.window.findChildren<QAction *>())
            if (action->text() == "&Larger text")
                action->trigger();
        auto *hints = fixture.find<QWidget>("firstHints");
        hints->show();
        fixture.settle();
        auto *words = fixture.find<QLabel>("hintWords");
        QVERIFY(test::until([&] { return cutWords(*words).isEmpty(); }));
        QVERIFY(hints->height() < fixture.window.height() / 3);
        // The text of the step ends before the arrow of its menu.
        const auto *steps =
            static_cast<ui::ElidedButton *>(fixture.find<QPushButton>("lessonSteps"));
        const int arrow = 10;
        const int text = steps->fontMetrics().horizontalAdvance(steps->shownText());
        QVERIFY2(
            text + arrow <= steps->width(),
            qPrintable(
                QString("“%1”: %2 of %3").arg(steps->shownText()).arg(text).arg(steps->width())));
    }

    /// A dock is lower than its page. No field may become lower than its text.
    void theFieldsOfTheEditorHoldTheirText_data() { addScreens(); }
    void theFieldsOfTheEditorHoldTheirText() {
        QFETCH(QString, screen);
        LargeWindow fixture(screen);
        for (QAction *action : fixture.window.findChildren<QAction *>())
            if (action->text() == "&Larger text")
                action->trigger();
        QVERIFY(fixture.window.textScale() > 2.2);
        fixture.find<QDockWidget>("editorDock")->show();
        fixture.find<QDockWidget>("editorDock")->raise();
        fixture.settle();
        auto *editor = fixture.find<QTabWidget>("editor");
        int fields = 0;
        for (int page = 0; page < editor->count(); ++page) {
            editor->setCurrentIndex(page);
            fixture.settle();
            for (const QWidget *field : editor->findChildren<QWidget *>()) {
                if (!field->isVisible() || !(qobject_cast<const QComboBox *>(field) ||
                                             qobject_cast<const QAbstractSpinBox *>(field) ||
                                             qobject_cast<const QPushButton *>(field) ||
                                             qobject_cast<const QLineEdit *>(field)))
                    continue;
                ++fields;
                if (qobject_cast<const QAbstractSpinBox *>(field->parentWidget()))
                    continue; // the field inside has neither frame nor padding
                const int needed = field->fontMetrics().height() + 6; // frame and padding
                QVERIFY2(field->height() >= needed, qPrintable(QString("%1: %2 of %3")
                                                                   .arg(field->objectName())
                                                                   .arg(field->height())
                                                                   .arg(needed)));
            }
        }
        QVERIFY(fields > 5);
    }

    void aNewSessionIsWhole_data() { addScreens(); }
    void aNewSessionIsWhole() {
        QFETCH(QString, screen);
        LargeWindow fixture(screen);
        ui::NewSessionDialog dialog(&fixture.window);
        QCOMPARE(wrongWith(dialog), QString());
        // The field with the focus is visible.
        const QWidget *focus = dialog.focusWidget();
        QVERIFY(focus);
        QCOMPARE(focus->visibleRegion().boundingRect().size(), focus->size());
        auto *kind = dialog.findChild<QComboBox *>("newKind");
        for (int index = 0; index < kind->count(); ++index) {
            kind->setCurrentIndex(index);
            QCOMPARE(wrongWith(dialog), QString());
        }
    }

    void aNewRunIsWhole_data() { addScreens(); }
    void aNewRunIsWhole() {
        QFETCH(QString, screen);
        LargeWindow fixture(screen);
        ui::NewRunDialog dialog(&fixture.window);
        QCOMPARE(wrongWith(dialog), QString());
    }

    void aFigureIsSavedByAWholeDialog_data() { addScreens(); }
    void aFigureIsSavedByAWholeDialog() {
        QFETCH(QString, screen);
        LargeWindow fixture(screen);
        ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        QCOMPARE(wrongWith(dialog), QString());
    }

    void keysAndTermsAreWhole_data() { addScreens(); }
    void keysAndTermsAreWhole() {
        QFETCH(QString, screen);
        LargeWindow fixture(screen);
        ui::KeyMap keys(*fixture.window.menuBar(), &fixture.window);
        QCOMPARE(wrongWith(keys), QString());
        ui::GlossaryWindow glossary(&fixture.window);
        QCOMPARE(wrongWith(glossary), QString());
    }
};

HEADLIGHT_TEST_WITH(LargeTextApplication, LargeTextTest)
#include "tst_large_text.moc"
