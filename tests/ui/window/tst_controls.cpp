// The number of controls in the window, and the controls that are next to matrices.
#include "tests/support/painting_record.h"
#include "tests/ui/window/controls.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/panels/film_frame.h"
#include "ui/panels/filmstrip.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/strip/sentence_strip.h"
#include "ui/views/close_up_view.h"
#include "ui/views/colour_bar_button.h"

#include <QMenu>

using test::WindowFixture;

namespace {

/// A window in which the close-up is shown.
struct CloseUpFixture : WindowFixture {
    explicit CloseUpFixture(const QString &source) : WindowFixture(source, "close-up") { paint(); }
    /// Paints the view and lets its controls move to their places.
    void paint() {
        for (int time = 0; time < 2;
             ++time) { // the first round sets sizes, the second one positions
            (void)view()->grab();
            QCoreApplication::processEvents();
        }
    }
    void show(core::Stage stage) {
        select({.stage = stage});
        paint();
    }
    QList<QToolButton *> chips() const {
        QList<QToolButton *> all;
        for (QToolButton *each : view()->findChildren<QToolButton *>())
            if (each->property("chip").toBool() && each->isVisible())
                all << each;
        return all;
    }
    /// Returns the heads at the titles of the operands.
    QList<QToolButton *> operandHeads() const {
        QList<QToolButton *> heads;
        for (QToolButton *each : chips())
            if (each->objectName() == "operandHead")
                heads << each;
        return heads;
    }
    QToolButton *chip(const char *name) const {
        for (QToolButton *each : chips())
            if (each->objectName() == name)
                return each;
        return nullptr;
    }
    /// Returns the actions of a chip's menu, as it is when it opens.
    static QList<QAction *> choicesOf(QToolButton *chip) {
        emit chip->menu()->aboutToShow();
        return chip->menu()->actions();
    }
    const ui::CloseUpView &closeUp() const { return static_cast<ui::CloseUpView &>(*view()); }
};

} // namespace

class ControlsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// Everything that a click changes is counted, and only once.
    void theCountIsComplete() {
        QWidget window;
        auto *rows = new QVBoxLayout(&window);
        const auto add = [&](QWidget *widget, const char *name) {
            widget->setAccessibleName(name);
            rows->addWidget(widget);
        };
        add(new QPushButton, "button");
        add(new QSlider(Qt::Horizontal), "slider");
        add(new QScrollBar(Qt::Horizontal), "scroll bar"); // not counted, because it only scrolls
        add(new QTableWidget(2, 2), "table");              // with two headers
        add(new QListWidget, "list");
        auto *disabled = new QSlider(Qt::Horizontal);
        disabled->setEnabled(false);
        add(disabled, "disabled");
        auto *text = new QTextBrowser;
        text->setHtml("no link, <a href='a:1'>one</a>, <a href='a:2'>two and <b>bold</b></a>, "
                      "<a href='a:1'>one again</a>" +
                      QString("<p>line</p>").repeated(200) + "<a href='a:3'>out of sight</a>");
        add(text, "text");
        auto *label = new QLabel("a <a href='b:1'>link</a>");
        add(label, "label");
        add(new QPlainTextEdit, "field");
        auto *tabs = new QTabBar;
        tabs->addTab("first");
        tabs->addTab("second");
        rows->addWidget(tabs);
        window.resize(500, 800);
        window.show();
        QVERIFY(test::exposed(window));
        QCOMPARE(test::controlsOf(window),
                 (QStringList{"button", "slider", "table", "list", "link one", "link two and ",
                              "link b:1", "field", "tab first", "tab second"}));
    }

    void aLessonHasFew_data() { test::addRows("id", ui::lessonIds()); }
    void aLessonHasFew() {
        QFETCH(QString, id);
        ui::MainWindow window;
        window.resize(1440, 900);
        window.open(test::opened(id));
        window.show();
        QVERIFY(test::exposed(window));
        ui::Document &document = window.document();
        const core::Index steps = std::ssize(document.session().lesson->steps);
        QStringList most;
        for (core::Index step = 0; step < steps; ++step) {
            QVERIFY(document.goToStep(step).ok());
            QVERIFY(test::settled(window));
            (void)window.grab();
            QCoreApplication::processEvents();
            const QStringList controls = test::controlsOf(window);
            QVERIFY(controls.size() > 10); // fails if the search finds nothing
            QVERIFY2(controls.size() <= 45, qPrintable(controls.join(", ")));
            for (const char *name : {"Head", "Layer", "Sequence of the batch", "Attention block"})
                QVERIFY2(!controls.contains(name), name);
            if (controls.size() > most.size())
                most = controls;
        }
        qInfo().noquote() << "at most" << most.size() << most.join(", ");
    }

    void theHeadIsAtEveryMatrixOfAHead() {
        CloseUpFixture fixture("cat");
        for (const core::Stage stage :
             {core::Stage::Query, core::Stage::Key, core::Stage::Value, core::Stage::Scores,
              core::Stage::AttentionWeights, core::Stage::Context}) {
            fixture.show(stage);
            QVERIFY2(fixture.chip("head"), core::infoOf(stage).name.data());
        }
        fixture.show(core::Stage::Output);
        QVERIFY(!fixture.chip("head"));
        fixture.show(core::Stage::Scores);
        QToolButton *head = fixture.chip("head");
        QCOMPARE(head->text(), QString("head 0"));
        const QList<QAction *> heads = CloseUpFixture::choicesOf(head);
        QCOMPARE(heads.size(), 2);
        QVERIFY(heads[0]->isChecked());
        heads[1]->trigger();
        fixture.paint();
        QCOMPARE(fixture.document().selection().head, 1);
        QCOMPARE(fixture.chip("head")->accessibleName(), QString("head 1"));
        // The wheel selects the previous head.
        QWheelEvent turn(QPointF(4, 4), fixture.chip("head")->mapToGlobal(QPointF(4, 4)), {},
                         {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(fixture.chip("head"), &turn);
        QCOMPARE(fixture.document().selection().head, 0);
        // With a single head there is nothing to choose.
        CloseUpFixture single("sentence");
        single.show(core::Stage::Scores);
        QVERIFY(!single.chip("head"));
    }

    /// The head is at the title of each operand that has one matrix for each head, in a small
    /// window as well, and nowhere else.
    void theHeadIsAtTheOperands_data() {
        test::addCombinations<QString, QSize>({"id", "size"}, {"cat", "two-heads"},
                                              {QSize(1280, 720), QSize(1440, 900)});
    }
    void theHeadIsAtTheOperands() {
        QFETCH(QString, id);
        QFETCH(QSize, size);
        CloseUpFixture fixture(id);
        fixture.window.resize(size);
        fixture.find<QDockWidget>("inspectorDock")->hide();
        fixture.settle();
        const core::TracePointer trace = fixture.document().trace();
        int looked = 0;
        QStringList faults;
        const core::Index selected = fixture.document().selection().head;
        const QString head = QString(", head %1").arg(selected);
        for (const core::StageId &at : ui::ModelParts(*trace).stages()) {
            fixture.document().select(ui::atStage(fixture.document().selection(), at));
            fixture.settle();
            fixture.paint();
            const ui::CloseUpView &view = fixture.closeUp();
            QStringList wanted, found;
            view.closeUp()->forEachOperand(
                view.places().picture, [&](const ui::CloseUpPart &part, const auto &) {
                    const bool isStage = part.at && core::infoOf(part.at->stage).perHead;
                    const bool isOfQueries = // W_Q, W_K and W_V have a part for each head
                        part.learned && core::infoOf(at.stage).perHead;
                    if ((isStage && !part.isBlock) || isOfQueries)
                        wanted << plainText(part.symbol) + ' ' + part.name + head;
                });
            for (const QToolButton *button : fixture.operandHeads()) {
                QVERIFY(!button->toolTip().isEmpty());
                QVERIFY(button->text() == head.mid(2) || button->text() == head.mid(7));
                QCOMPARE(button->sizeHint(), button->size()); // its text is not cut
                found << button->accessibleName();
            }
            // The exponentials and their sum also have such a button.
            found.removeIf([](const QString &name) {
                return name.contains("exponentials") || name.startsWith("sum ");
            });
            if (found != wanted)
                faults << QString("%1: %2 instead of %3")
                              .arg(core::stageName(at.stage, at.attention).c_str(),
                                   found.join("; "), wanted.join("; "));
            looked += static_cast<int>(wanted.size());
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
        QVERIFY2(looked > 8, test::said("%1 operands", looked));
    }

    /// The head at an operand works like the one at the result, by mouse, wheel and keyboard.
    void theHeadAtAnOperandSelectsIt() {
        CloseUpFixture fixture("cat");
        fixture.show(core::Stage::Scores);
        const QList<QToolButton *> heads = fixture.operandHeads();
        QCOMPARE(heads.size(), 2);
        QCOMPARE(heads[1]->toolTip(), fixture.chip("head")->toolTip());
        QVERIFY(heads[1]->focusPolicy() & Qt::TabFocus);
        QList<QAction *> choices = CloseUpFixture::choicesOf(heads[1]);
        QCOMPARE(choices.size(), 2);
        choices[1]->trigger();
        fixture.paint();
        QCOMPARE(fixture.document().selection().head, 1);
        QCOMPARE(fixture.document().selection().stage, core::Stage::Scores);
        for (const QToolButton *head : fixture.operandHeads())
            QVERIFY(head->accessibleName().endsWith("head 1"));
        QWheelEvent turn(QPointF(4, 4), heads[0]->mapToGlobal(QPointF(4, 4)), {}, {0, 120},
                         Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(heads[0], &turn);
        QCOMPARE(fixture.document().selection().head, 0);
        fixture.show(core::Stage::Output); // its operands belong to all heads
        QCOMPARE(fixture.operandHeads().size(), 0);
        CloseUpFixture single("sentence");
        single.show(core::Stage::Scores);
        QCOMPARE(single.operandHeads().size(), 0);
    }

    /// The head is written only once, next to the matrices instead of on the colour bar. A saved
    /// figure has no controls, so the head is on its colour bar.
    void theHeadIsWrittenOnce() {
        CloseUpFixture fixture("cat");
        fixture.window.resize(1440, 900);
        fixture.settle();
        fixture.show(core::Stage::Scores);
        QVERIFY(fixture.chip("head"));
        const auto textsOnBar = [](const test::PaintingRecord &record, QRectF bar) {
            return record.textsIn(bar.adjusted(-2, -4, 2, 4)).join(' ');
        };
        const auto record = test::PaintingRecord::of(*fixture.view());
        const ui::CloseUpFigure::Places places = fixture.closeUp().places();
        const QString shown = textsOnBar(record, places.picture.result.cells.colourBar);
        QVERIFY2(!shown.isEmpty() && !shown.contains("head 0"), qPrintable(shown));
        const ui::CloseUpFigure &figure = *fixture.closeUp().closeUp();
        const QSizeF size(1088, 560);
        const auto saved = test::PaintingRecord::of(figure, size, ui::Device::Raster);
        const QString inFile =
            textsOnBar(saved, figure.places({{}, size}).picture.result.cells.colourBar);
        QVERIFY2(inFile.contains("head 0"), qPrintable(inFile));
    }

    void settingsAreAtTheirMatrices() {
        CloseUpFixture fixture("sentence");
        const auto &config = fixture.document().state().model.config;
        fixture.show(core::Stage::Scores);
        QCOMPARE(fixture.chip("scaling")->text(), QString("÷√d"));
        CloseUpFixture::choicesOf(fixture.chip("scaling")).front()->trigger();
        fixture.settle();
        fixture.paint();
        QVERIFY(config.scale.kind == core::Scale::Kind::Off);
        QCOMPARE(fixture.chip("scaling")->text(), QString("not scaled"));

        fixture.show(core::Stage::MaskedScores);
        QCOMPARE(fixture.chip("mask")->text(), QString("no mask"));
        QTest::keyClick(fixture.view(), Qt::Key_C);
        fixture.settle();
        fixture.paint();
        QCOMPARE(fixture.chip("mask")->text(), QString("causal mask"));

        fixture.show(core::Stage::AttentionWeights);
        QCOMPARE(fixture.chip("temperature")->text(), QString("temperature 1"));
        QTest::keyClick(fixture.view(), Qt::Key_T);
        fixture.settle();
        fixture.paint();
        QCOMPARE(config.temperature, 2.0F);
        QCOMPARE(fixture.chip("temperature")->text(), QString("temperature 2"));
        QTest::keyClick(fixture.view(), Qt::Key_T, Qt::ShiftModifier);
        QCOMPARE(config.temperature, 1.0F);
        for (QAction *each : CloseUpFixture::choicesOf(fixture.chip("temperature")))
            if (each->text() == "0.5")
                each->trigger();
        QCOMPARE(config.temperature, 0.5F);

        fixture.show(core::Stage::Embeddings);
        QCOMPARE(fixture.chip("position")->text(), QString("no positions"));
        CloseUpFixture::choicesOf(fixture.chip("position")).front()->trigger();
        fixture.settle();
        QVERIFY(config.positions == core::Positions::Sinusoidal);
    }

    /// No control covers a cell or a title, and all are inside the view.
    void controlsCoverNothing_data() {
        test::addCombinations<QString, QSize>(
            {"id", "size"},
            {"bank", "cat", "sentence", "two-heads", "block", "look-ahead", "batch"},
            {QSize(1280, 720), QSize(1440, 900)});
    }
    void controlsCoverNothing() {
        QFETCH(QString, id);
        QFETCH(QSize, size);
        CloseUpFixture fixture(id);
        fixture.window.resize(size);
        fixture.settle();
        const auto stages = ui::ModelParts(*fixture.document().trace()).stages();
        for (const core::StageId &at : stages) {
            fixture.document().select(ui::atStage(fixture.document().selection(), at));
            fixture.settle();
            fixture.paint();
            const ui::CloseUpGeometry picture = fixture.closeUp().places().picture;
            const QString name = QString::fromStdString(core::stageName(at.stage, at.attention));
            const auto heads = fixture.operandHeads().size();
            QVERIFY2(fixture.chips().size() == std::ssize(picture.chips) + heads, qPrintable(name));
            for (const QToolButton *chip : fixture.chips()) {
                const QRectF place(chip->geometry());
                QVERIFY2(QRectF(fixture.view()->rect()).contains(place), qPrintable(name));
                const auto covers = [&](const ui::CloseUpGeometry::Placed &placed) {
                    return placed.cells.cells.intersects(place);
                };
                QVERIFY2(!covers(picture.result), qPrintable(name));
                QVERIFY2(std::ranges::none_of(picture.left, covers), qPrintable(name));
                QVERIFY2(std::ranges::none_of(picture.above, covers), qPrintable(name));
                for (const auto *side : {&picture.left, &picture.above})
                    for (const ui::CloseUpGeometry::Placed &operand : *side)
                        QVERIFY2(!operand.title.intersects(place), qPrintable(name));
                for (const QToolButton *other : fixture.chips())
                    QVERIFY2(other == chip || !other->geometry().intersects(chip->geometry()),
                             qPrintable(name));
            }
        }
    }

    void aFrameOffersItsSetting() {
        WindowFixture fixture("sentence");
        const auto *filmstrip = fixture.find<ui::Filmstrip>("filmstrip");
        QStringList offered;
        for (const auto *frame : filmstrip->findChildren<ui::FilmFrame *>())
            if (!frame->arrowRect().isEmpty())
                offered << frame->text();
        QCOMPARE(offered, (QStringList{"X", "÷√d", "mask", "softmax"}));
    }

    void theColourBarOpensItsMenu() {
        CloseUpFixture fixture("sentence");
        fixture.show(core::Stage::AttentionWeights);
        auto *bar = fixture.view()->findChild<ui::ColourBarButton *>();
        QVERIFY(bar && bar->isVisible());
        QVERIFY(!fixture.find<QWidget>("viewBar")->findChild<QWidget *>("look")->isVisible());
        QVERIFY(QRectF(bar->geometry())
                    .contains(fixture.closeUp().places().picture.result.cells.colourBar.topLeft() +
                              QPointF(2, 2)));
        emit bar->menu()->aboutToShow();
        for (QAction *each : bar->menu()->actions())
            if (each->text() == "magma")
                each->trigger();
        QVERIFY(fixture.view()->figureStyle().weightsMap == ui::ColourMap::Magma);
        // A view without a colour bar keeps its button.
        fixture.window.showView("similarity");
        QVERIFY(fixture.find<QWidget>("viewBar")->findChild<QWidget *>("look")->isVisible());
    }

    void theSentenceOfABatchIsAtTheWords() {
        WindowFixture fixture("batch");
        const QList<QToolButton *> buttons = fixture.find<ui::SentenceStrip>("sentenceStrip")
                                                 ->findChildren<QToolButton *>("sequence");
        QCOMPARE(buttons.size(), 2);
        QVERIFY(buttons[0]->isVisible() && buttons[1]->isVisible());
        const core::Index before = fixture.document().selection().sequence;
        QVERIFY(before > 0); // the last of six sequences
        QVERIFY(!buttons[1]->isEnabled());
        QTest::mouseClick(buttons[0], Qt::LeftButton);
        QCOMPARE(fixture.document().selection().sequence, before - 1);
        QTest::mouseClick(buttons[1], Qt::LeftButton);
        QCOMPARE(fixture.document().selection().sequence, before);
        WindowFixture single("sentence");
        for (const QToolButton *each : single.window.findChildren<QToolButton *>("sequence"))
            QVERIFY(!each->isVisible());
    }
};

HEADLIGHT_WIDGET_TEST(ControlsTest)
#include "tst_controls.moc"
