// Present mode: what it shows, its keys, and that the window is restored afterwards.
#include "tests/support/edits.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/presented.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/figures/heatmap/heatmap_geometry.h"
#include "ui/panels/formula_bar.h"
#include "ui/panels/formula_link.h"
#include "ui/views/flow_view.h"
#include "ui/window/presenting/pointer_light.h"
#include "ui/window/presenting/presented_lesson.h"

#include <QDockWidget>
#include <QLabel>
#include <QMouseEvent>
#include <QSettings>
#include <QTabWidget>

using namespace headlight;
using test::presented;
using test::press;
using test::WindowFixture;

namespace {

/// Sends a mouse move directly to the view, since the test's screen does not stack windows.
void moveMouse(QWidget *view, QPointF point) {
    QMouseEvent move(QEvent::MouseMove, point, view->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(view, &move);
}

/// Counts how often a widget is resized. Ends the test if that never ends, which would keep the
/// event loop busy for ever.
struct Resizes : QObject {
    int count = 0;
    explicit Resizes(QWidget &widget) { widget.installEventFilter(this); }
    bool eventFilter(QObject *, QEvent *event) override {
        count += event->type() == QEvent::Resize;
        if (count > 1000)
            qFatal("a widget is resized again and again");
        return false;
    }
};

QString footer(const ui::Presentation *presentation) {
    return presentation->findChild<QLabel *>("presentedStep")->text();
}

} // namespace

class PresentingTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { QSettings().clear(); }

    void theWindowComesBackAsItWas() {
        WindowFixture fixture("cat", "heads");
        fixture.find<QDockWidget>("historyDock")->show();
        fixture.view()->setFocus();
        fixture.settle();
        const QByteArray docks = fixture.window.saveState();
        const QRect place = fixture.window.geometry();
        QWidget *focus = fixture.window.focusWidget();
        const double text = fixture.window.textScale();
        QList<QRect> sizes;
        for (const QDockWidget *dock : fixture.window.findChildren<QDockWidget *>())
            sizes << dock->geometry();
        for (const Qt::Key way : {Qt::Key_Escape, Qt::Key_F11}) {
            ui::Presentation *presentation = presented(fixture);
            press(presentation, Qt::Key_Plus, Qt::ControlModifier);
            press(presentation, Qt::Key_4, Qt::AltModifier);
            press(presentation, way);
            QVERIFY(!fixture.window.presentation());
            fixture.settle();
            QCOMPARE(fixture.window.saveState(), docks);
            QCOMPARE(fixture.window.geometry(), place);
            QCOMPARE(fixture.window.focusWidget(), focus);
            QCOMPARE(fixture.window.textScale(), text);
            QCOMPARE(fixture.view()->viewName(), QString("heads"));
            QCOMPARE(fixture.view()->figureStyle().textScale, text);
            QList<QRect> now;
            for (const QDockWidget *dock : fixture.window.findChildren<QDockWidget *>())
                now << dock->geometry();
            QCOMPARE(now, sizes);
        }
    }

    void itCoversTheScreenAndShowsTheSameView() {
        WindowFixture fixture("cat", "heads");
        QTest::keyClick(&fixture.window, Qt::Key_F11);
        const ui::Presentation *presentation = fixture.window.presentation();
        QVERIFY(presentation->isFullScreen());
        QCOMPARE(presentation->currentView()->viewName(), QString("heads"));
        QCOMPARE(presentation->currentView()->figureStyle().textScale, 2.0);
        QVERIFY(presentation->findChild<ui::PresentedLesson *>()->isVisible());
    }

    void theKeysOfAClickerStepTheLesson_data() {
        QTest::addColumn<Qt::Key>("forward");
        QTest::addColumn<Qt::Key>("backward");
        QTest::newRow("arrows") << Qt::Key_Right << Qt::Key_Left;
        QTest::newRow("up and down") << Qt::Key_Down << Qt::Key_Up;
        QTest::newRow("pages") << Qt::Key_PageDown << Qt::Key_PageUp;
        QTest::newRow("space") << Qt::Key_Space << Qt::Key_Backspace;
    }

    void theKeysOfAClickerStepTheLesson() {
        QFETCH(Qt::Key, forward);
        QFETCH(Qt::Key, backward);
        WindowFixture fixture("cat", "flow");
        ui::Presentation *presentation = presented(fixture);
        QVERIFY2(footer(presentation).startsWith("1 of 7"), qPrintable(footer(presentation)));
        press(presentation, forward);
        press(presentation, forward);
        fixture.settle();
        QCOMPARE(fixture.window.document().state().lessonStep, core::Index(2));
        QVERIFY(footer(presentation).startsWith("3 of 7"));
        QVERIFY(presentation->findChild<ui::PresentedLesson *>()->toPlainText().startsWith(
            "Head 1: who belongs to whom"));
        press(presentation, backward);
        fixture.settle();
        QCOMPARE(fixture.window.document().state().lessonStep, core::Index(1));
    }

    /// For a lesson with two heads, and for a model with two stacks of layers.
    void headsAndPlacesAreGoneThroughAsInTheWindow() {
        WindowFixture fixture("cat", "heads");
        ui::Presentation *presentation = presented(fixture);
        const ui::Document &document = fixture.window.document();
        QCOMPARE(document.selection().head, core::Index(0));
        press(presentation, Qt::Key_BracketRight);
        fixture.settle();
        QCOMPARE(document.selection().head, core::Index(1));
        press(presentation, Qt::Key_BracketLeft);
        fixture.settle();
        QCOMPARE(document.selection().head, core::Index(0));
        press(presentation, Qt::Key_Escape);
        fixture.window.open(test::opened(ui::translationExample()));
        fixture.settle();
        presentation = presented(fixture);
        const core::AttentionId before = document.selection().attention();
        press(presentation, Qt::Key_BraceLeft, Qt::ControlModifier);
        fixture.settle();
        QVERIFY(document.selection().attention() != before);
        press(presentation, Qt::Key_BraceRight, Qt::ControlModifier);
        fixture.settle();
        QVERIFY(document.selection().attention() == before);
    }

    void whatTheWindowOffersIsOfferedHereToo() {
        WindowFixture fixture("bank", "flow");
        QVERIFY(test::typeText(fixture.window.document(), "the bank has money").ok());
        fixture.settle();
        QTest::keyClick(&fixture.window, Qt::Key_Right, Qt::AltModifier); // the next step
        fixture.settle();
        QVERIFY(fixture.find<QFrame>("resetOffer")->isVisible());
        ui::Presentation *presentation = presented(fixture);
        QVERIFY(presentation->findChild<QFrame *>("resetOffer")->isVisible());
    }

    void goingOnWithChangesOffersTheLessonsOwn() {
        WindowFixture fixture("bank", "flow");
        ui::Document &document = fixture.window.document();
        ui::Presentation *presentation = presented(fixture);
        const auto *offer = presentation->findChild<QFrame *>("resetOffer");
        QVERIFY(test::typeText(document, "the bank has money").ok());
        fixture.settle();
        QVERIFY(!offer->isVisible());
        press(presentation, Qt::Key_PageDown);
        fixture.settle();
        QVERIFY(offer->isVisible() && document.isEdited());
        QVERIFY(presentation->rect().contains(
            QRect(offer->mapTo(presentation, QPoint()), offer->size())));
        press(presentation, Qt::Key_R);
        fixture.settle();
        QVERIFY(!offer->isVisible() && !document.isEdited());
        QCOMPARE(document.state().lessonStep, core::Index(1));
        press(presentation, Qt::Key_Z, Qt::ControlModifier);
        fixture.settle();
        QVERIFY(document.isEdited());       // the edit is kept
        press(presentation, Qt::Key_Space); // not handled by a button
        QCOMPARE(document.state().lessonStep, core::Index(2));
    }

    void afterTheLessonsEndTheComputationIsStepped() {
        WindowFixture fixture("cat", "flow");
        ui::Presentation *presentation = presented(fixture);
        press(presentation, Qt::Key_End);
        fixture.settle();
        const ui::Document &document = fixture.window.document();
        QCOMPARE(document.state().lessonStep, core::Index(6));
        press(presentation, Qt::Key_Right); // shows the answer to its question first
        QVERIFY(!document.askedQuestion());
        // From the first stage on, Right goes to the next stage.
        core::Selection first = document.selection();
        first.stage = core::Stage::Query;
        fixture.window.document().select(first);
        press(presentation, Qt::Key_Right);
        QCOMPARE(document.selection().stage, core::Stage::Key);
        QVERIFY2(footer(presentation).contains("keys"), qPrintable(footer(presentation)));
        press(presentation, Qt::Key_Left); // Left goes back the same way
        QCOMPARE(document.selection().stage, core::Stage::Query);
        QCOMPARE(document.state().lessonStep, core::Index(6));
        press(presentation, Qt::Key_Left);
        QCOMPARE(document.state().lessonStep, core::Index(5));
    }

    void theEndOfBothLeadsToTheNextLesson() {
        WindowFixture fixture("cat", "flow");
        ui::Presentation *presentation = presented(fixture);
        press(presentation, Qt::Key_End);
        fixture.settle();
        for (int i = 0; i < 40 && fixture.window.document().source() == "cat"; ++i) {
            press(presentation, Qt::Key_PageDown);
            fixture.settle();
        }
        const QStringList &ids = ui::lessonIds();
        QCOMPARE(fixture.window.document().source(), ids[ids.indexOf("cat") + 1]);
        QVERIFY2(footer(presentation).startsWith("1 of "), qPrintable(footer(presentation)));
        QVERIFY(presentation->isVisible());
    }

    void withoutALessonThePictureIsAloneAndTheComputationIsStepped() {
        WindowFixture fixture(HEADLIGHT_SESSIONS "/decoder_rotary.headlight", "flow");
        ui::Presentation *presentation = presented(fixture);
        QVERIFY(!presentation->findChild<ui::PresentedLesson *>()->isVisible());
        QVERIFY(presentation->findChild<QLabel *>("presentedStep")->isVisible());
        const core::Stage before = fixture.window.document().selection().stage;
        press(presentation, Qt::Key_Home);
        press(presentation, Qt::Key_PageDown);
        QVERIFY(fixture.window.document().selection().stage != before ||
                fixture.window.document().selection().stage != core::Stage::Embeddings);
        QVERIFY(footer(presentation).contains("Esc"));
    }

    void aBlackScreenEndsWithAnyKey() {
        WindowFixture fixture("cat");
        ui::Presentation *presentation = presented(fixture);
        for (const Qt::Key key : {Qt::Key_B, Qt::Key_Period}) {
            press(presentation, key);
            QVERIFY(presentation->isBlank());
            QCOMPARE(presentation->grab().toImage().pixelColor(600, 300), QColor(Qt::black));
            press(presentation, Qt::Key_PageDown);
            QVERIFY(!presentation->isBlank());
            QCOMPARE(fixture.window.document().state().lessonStep, core::Index(0));
        }
        for (const Qt::Key key : {Qt::Key_F5, Qt::Key_A, Qt::Key_C, Qt::Key_M, Qt::Key_Tab})
            press(presentation, key); // these keys have no effect
        QVERIFY(fixture.window.document().state().input.masks.empty());
        QVERIFY(presentation->isVisible());
    }

    void theArithmeticIsOpenedByAKeyAndClosedByEsc() {
        WindowFixture fixture("cat", "flow");
        ui::Presentation *presentation = presented(fixture);
        presentation->showView("heads");
        press(presentation, Qt::Key_O);
        QCOMPARE(presentation->currentView()->viewName(), QStringLiteral("flow"));
        const auto *figure =
            static_cast<const ui::FlowFigure *>(presentation->currentView()->figure());
        QVERIFY(figure->opened());
        press(presentation, Qt::Key_Escape);
        QCOMPARE(fixture.window.presentation(), presentation); // still presenting
        QVERIFY(!fixture.window.document().selection().opened);
        press(presentation, Qt::Key_Escape);
        QVERIFY(!fixture.window.presentation());
    }

    /// Esc does not close an arithmetic that the current view does not show.
    void escLeavesWhereTheOpenedArithmeticIsNotInSight() {
        WindowFixture fixture("cat", "flow");
        ui::Presentation *presentation = presented(fixture);
        press(presentation, Qt::Key_O);
        presentation->showView("heads");
        fixture.settle();
        QVERIFY(fixture.window.document().selection().opened);
        press(presentation, Qt::Key_Escape);
        QVERIFY(!fixture.window.presentation());
    }

    /// At once, or after closing an arithmetic that a click has expanded.
    void escLeavesWhateverWasClicked() {
        WindowFixture fixture("bank", "flow");
        QStringList views;
        for (const ui::FigureView *view : fixture.window.findChildren<ui::FigureView *>())
            views << view->viewName();
        for (const QString &name : std::as_const(views)) {
            ui::Presentation *presentation = presented(fixture);
            presentation->showView(name);
            fixture.settle();
            for (int x = 1; x < 8; ++x)
                for (int y = 1; y < 6; ++y) {
                    const QPoint at(presentation->width() * x / 8, presentation->height() * y / 6);
                    QWidget *there = presentation->childAt(at);
                    if (there && !qobject_cast<QAbstractButton *>(there))
                        QTest::mouseClick(there, Qt::LeftButton, {},
                                          there->mapFrom(presentation, at));
                }
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            if (fixture.window.presentation())
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            QVERIFY2(!fixture.window.presentation(), qPrintable(name));
        }
    }

    void theSizeOfTheTextIsRememberedAndItsOwn() {
        WindowFixture fixture("cat");
        ui::Presentation *presentation = presented(fixture);
        QCOMPARE(presentation->textScale(), 2.0);
        for (int i = 0; i < 5; ++i)
            press(presentation, Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(presentation->textScale(), 2.5);
        press(presentation, Qt::Key_Escape);
        presentation = presented(fixture);
        QCOMPARE(presentation->textScale(), 2.5);
        for (int i = 0; i < 9; ++i)
            press(presentation, Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(presentation->textScale(), 1.5);
        press(presentation, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(presentation->textScale(), 2.0);
        QCOMPARE(fixture.window.textScale(), 1.0);
    }

    void thePointerLightsTheCellItIsOver() {
        WindowFixture fixture("cat", "heads");
        ui::Presentation *presentation = presented(fixture);
        ui::FigureView *view = presentation->currentView();
        const auto *figure = static_cast<const ui::HeadsFigure *>(view->figure());
        const ui::HeatmapGeometry large = figure->geometry(view->rect()).enlarged;
        const auto *light = presentation->findChild<ui::PointerLight *>();
        for (const ui::Cell cell : {ui::Cell{0, 0}, ui::Cell{5, 1}, ui::Cell{3, 4}}) {
            const QRectF rect = large.cellRect(cell.row, cell.column);
            moveMouse(view, rect.center());
            QVERIFY(light->cell().has_value());
            QCOMPARE(*light->cell(), rect);
            QVERIFY2(light->words().contains("attends to"), qPrintable(light->words()));
            QVERIFY(QRectF(light->rect()).contains(light->wordsRect()));
            QVERIFY(!light->wordsRect().intersects(rect));
        }
        moveMouse(view, QPointF(2, 2));
        QVERIFY(light->words().isEmpty());
        QVERIFY(!light->cell());
        // The small matrices as well.
        presentation->showView("flow");
        fixture.settle(); // its text is fitted after the layout
        auto *flow = dynamic_cast<ui::FlowView *>(presentation->currentView());
        QVERIFY(flow->figure());
        const ui::FlowNode node = flow->geometry().nodes.front();
        const QRectF small = flow->onScreen(node.cells().cellRect(0, 0));
        moveMouse(flow, small.center());
        QVERIFY(light->cell().has_value());
        QCOMPARE(*light->cell(), small);
    }

    void everyLabelAndTabIsThereUpToElevenTokens() {
        WindowFixture fixture("sentence", "flow");
        ui::Presentation *presentation = presented(fixture);
        for (const char *name : {"flow", "heads", "similarity", "geometry", "output", "words"}) {
            presentation->showView(name);
            fixture.settle();
            QVERIFY(presentation->currentView()->figure());
            QVERIFY2(presentation->currentView()->hasAllLabels() ||
                         presentation->currentView()->figureStyle().textScale <= 1.25,
                     name);
        }
        for (const double scale : {1.5, 2.0, 2.5}) {
            presentation->setTextScale(scale);
            fixture.settle();
            for (const QToolButton *tab :
                 presentation->findChildren<QToolButton *>("presentedView")) {
                if (!tab->isVisible()) {
                    QVERIFY(tab->text() == "Output" ||  // this model has no output layer
                            tab->text() == "Training"); // and no training run
                    continue;
                }
                QVERIFY(presentation->rect().contains(
                    QRect(tab->mapTo(presentation, QPoint()), tab->size())));
                QVERIFY2(tab->width() >= tab->sizeHint().width(),
                         qPrintable(QString("%1 at %2").arg(tab->text()).arg(scale)));
            }
        }
    }

    /// Shown if the step or the user requests it. It is large and follows the stages.
    void theWholeFormulaIsShownAsInTheWindow() {
        WindowFixture fixture("heads", "flow");
        ui::Document &document = fixture.window.document();
        ui::Presentation *presentation = presented(fixture);
        auto *field = presentation->findChild<ui::FormulaField *>();
        auto *inWindow = fixture.find<ui::FormulaBar>("formulaBar");
        QVERIFY(!field->isVisible());
        const int before = presentation->currentView()->height();
        QVERIFY(document.goToStep(6).ok());
        fixture.settle();
        QVERIFY(field->isVisible() && inWindow->isVisible());
        QVERIFY(presentation->currentView()->height() < before);
        QVERIFY(presentation->rect().contains(
            QRect(field->mapTo(presentation, QPoint()), field->size())));
        QVERIFY(field->strip().font().pixelSize() >=
                5 * inWindow->field().strip().font().pixelSize() / 4);
        const auto lit = [&] {
            QStringList symbols;
            for (const auto &part : field->strip().formula().partsAt(document.selection()))
                symbols << field->strip().text(part.whole);
            return symbols;
        };
        const QStringList ofConcatenated = lit();
        QVERIFY(!ofConcatenated.isEmpty());
        const QImage first = field->grab().toImage();
        press(presentation, Qt::Key_Right); // W_O
        fixture.settle();
        QVERIFY(!lit().isEmpty() && lit() != ofConcatenated);
        QVERIFY(field->grab().toImage() != first);
        // A symbol selects its matrix, and takes no keys.
        for (ui::FormulaLink *link : field->links())
            if (link->part().at.stage == core::Stage::Value)
                QTest::mouseClick(link, Qt::LeftButton);
        QCOMPARE(document.selection().stage, core::Stage::Value);
        press(presentation, Qt::Key_Space);
        fixture.settle();
        QCOMPARE(document.state().lessonStep, core::Index(8));
        QVERIFY(!field->isVisible()); // hidden by the step
        press(presentation, Qt::Key_F);
        QVERIFY(field->isVisible() && inWindow->isVisible());
        press(presentation, Qt::Key_F);
        QVERIFY(!field->isVisible() && !inWindow->isVisible());
        press(presentation, Qt::Key_F);
        press(presentation, Qt::Key_Escape);
        presentation = presented(fixture); // with its previous state
        QVERIFY(presentation->findChild<ui::FormulaField *>()->isVisible());
    }

    /// A formula that must shrink changes its height while it does.
    void aFormulaThatShrinksComesToRest() {
        WindowFixture fixture(HEADLIGHT_SESSIONS "/gpt_j.headlight", "flow");
        ui::Presentation *presentation = presented(fixture, {700, 500});
        auto *field = presentation->findChild<ui::FormulaField *>();
        if (!field->isVisible())
            press(presentation, Qt::Key_F);
        Resizes resizes(*field);
        presentation->setTextScale(2.5);
        fixture.settle();
        QVERIFY(resizes.count > 0);
        QVERIFY(field->strip().geometry(field->width()).lineCount() <= 2);
        QVERIFY(test::until([&] {
            const int before = resizes.count;
            fixture.settle();
            return resizes.count == before;
        }));
    }

    void everyViewIsNamedAndHasItsKey() {
        WindowFixture fixture("cat", "flow");
        ui::Presentation *presentation = presented(fixture);
        QStringList names;
        for (const auto *name : presentation->findChildren<QToolButton *>("presentedView"))
            if (name->isVisible())
                names << name->text();
        QCOMPARE(names,
                 QStringList({"Flow", "Heads", "Similarity", "Geometry", "Softmax", "Words"}));
        for (QToolButton *name : presentation->findChildren<QToolButton *>("presentedView"))
            if (name->text() == "Words")
                QTest::mouseClick(name, Qt::LeftButton);
        QCOMPARE(presentation->currentView()->viewName(), QString("words"));
        press(presentation, Qt::Key_7, Qt::AltModifier);
        QCOMPARE(presentation->currentView()->viewName(), QString("softmax"));
        press(presentation, Qt::Key_Space);
        QCOMPARE(fixture.window.document().state().lessonStep, core::Index(1));
    }

    void aThemeChosenMeanwhileIsFollowed() {
        WindowFixture fixture("cat");
        ui::Presentation *presentation = presented(fixture);
        fixture.window.setTheme(ui::Theme::Dark);
        QVERIFY(presentation->currentView()->figureStyle().isDark);
        QVERIFY(presentation->palette().color(QPalette::Window).lightness() < 128);
    }
};

HEADLIGHT_WIDGET_TEST(PresentingTest)
#include "tst_presenting.moc"
