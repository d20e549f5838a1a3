// The stepper: by stage, row and cell; playing, keys, and stored settings.
#include "tests/ui/views/view_fixture.h"
#include "ui/figures/flow/flow_parts.h"
#include "ui/figures/heatmap/cell_place.h"

namespace {

struct StepperFixture {
    Document document;
    Stepper stepper{document};

    explicit StepperFixture(const QString &session = "cat") {
        document.open(test::opened(session));
        if (!test::settled(document))
            qFatal("no trace");
        stepper.show();
        (void)test::exposed(stepper);
    }
    const core::Selection &selection() const { return document.selection(); }
    core::SharedMatrix matrix() const {
        const core::Tensor tensor = document.trace()->stage(selection().stage);
        return tensor.matrix(0, 0);
    }
    void choose(const char *box, int index) {
        auto *combo = stepper.findChild<QComboBox *>(box);
        combo->setFocus();
        while (combo->currentIndex() != index)
            QTest::keyClick(combo, combo->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
    }
};

} // namespace

class StepperTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void chipsOutOfSightAreOneClickAway() {
        StepperFixture fixture;
        fixture.stepper.resize(2000, fixture.stepper.sizeHint().height());
        const auto arrows = fixture.stepper.findChildren<QToolButton *>("chipArrow");
        QCOMPARE(arrows.size(), 2);
        QVERIFY(test::until([&] { return !arrows[0]->isVisible() && !arrows[1]->isVisible(); }));
        fixture.stepper.resize(700, fixture.stepper.height());
        fixture.stepper.first();
        QVERIFY(test::until([&] { return !arrows[0]->isVisible() && arrows[1]->isVisible(); }));
        for (int clicks = 0; arrows[1]->isVisible(); ++clicks) {
            QVERIFY(clicks < 20);
            QTest::mouseClick(arrows[1], Qt::LeftButton);
        }
        QVERIFY(arrows[0]->isVisible());
        // The chip of the current stage is next to the arrows, never under one.
        for (int stage = 0; stage < 40; ++stage) {
            fixture.stepper.next();
            QVERIFY(test::settled(fixture.document));
            QCoreApplication::processEvents();
            for (const QToolButton *chip : fixture.stepper.findChildren<QToolButton *>("chip")) {
                if (!chip->isChecked())
                    continue;
                const QRect place(chip->mapTo(&fixture.stepper, QPoint()), chip->size());
                for (const QToolButton *arrow : arrows)
                    QVERIFY(!arrow->isVisible() ||
                            !place.intersects(
                                QRect(arrow->mapTo(&fixture.stepper, QPoint()), arrow->size())));
            }
        }
    }

    void everyStepOnceAndBackAgain_data() {
        QTest::addColumn<Granularity>("granularity");
        QTest::newRow("stage") << Granularity::Stage;
        QTest::newRow("row") << Granularity::Row;
        QTest::newRow("cell") << Granularity::Cell;
    }
    void everyStepOnceAndBackAgain() {
        QFETCH(Granularity, granularity);
        StepperFixture fixture;
        const core::TracePointer trace = fixture.document.trace();
        const auto stages = FlowParts(*trace).stages();
        const StepPositions steps{*trace, stages, granularity};
        std::vector<core::Selection> way{steps.first(fixture.selection())};
        while (const auto next = steps.next(way.back()))
            way.push_back(*next);
        qsizetype expected = 0;
        for (const core::StageId &at : stages) {
            const core::SharedMatrix matrix = trace->stage(at.stage, at.attention).matrix(0, 0);
            expected += granularity == Granularity::Stage ? 1
                        : granularity == Granularity::Row ? matrix.rows
                                                          : matrix.rows * matrix.columns;
        }
        QCOMPARE(static_cast<qsizetype>(way.size()), expected);
        QVERIFY(way.back() == steps.last(fixture.selection()));
        for (std::size_t i = way.size() - 1; i > 0; --i) {
            const auto before = steps.back(way[i]);
            QVERIFY(before && *before == way[i - 1]);
        }
        QVERIFY(!steps.back(way.front()));
    }

    /// Encoder before decoder, layer by layer, to the probabilities and back.
    void keysGoThroughEveryLayer() {
        StepperFixture fixture(test::sessionPath("encoder_decoder"));
        const auto stages = FlowParts(*fixture.document.trace()).stages();
        fixture.stepper.resize(1200, fixture.stepper.height());
        fixture.stepper.activateWindow();
        fixture.stepper.setFocus();
        const auto here = [&] {
            return FlowParts(*fixture.document.trace()).shown(fixture.selection());
        };
        QTest::keyClick(&fixture.stepper, Qt::Key_PageUp, Qt::ControlModifier);
        QVERIFY(here() == stages.front());
        auto *box = fixture.stepper.findChild<QComboBox *>("part");
        QVERIFY(box->isVisible());
        QStringList parts{box->currentText()};
        for (std::size_t i = 1; i < stages.size(); ++i) {
            QTest::keyClick(&fixture.stepper, Qt::Key_PageDown);
            QVERIFY2(here() == stages[i],
                     core::stageName(stages[i].stage, stages[i].attention).c_str());
            const auto *chip = fixture.stepper.findChild<QToolButton *>("chip");
            HEADLIGHT_UNTIL(chip && chip->isVisible());
            if (box->currentText() != parts.last())
                parts << box->currentText();
            // Exactly the chip of the current stage is checked.
            int checked = 0;
            for (const QToolButton *one : fixture.stepper.findChildren<QToolButton *>("chip"))
                checked += one->isChecked() ? 1 : 0;
            QCOMPARE(checked, 1);
        }
        QCOMPARE(parts.size(), qsizetype(11));
        QCOMPARE(parts[5], QStringLiteral("decoder · layer 0 · cross-attention"));
        QVERIFY(fixture.selection().stage == Stage::Probabilities);
        QTest::keyClick(&fixture.stepper, Qt::Key_PageDown); // already at the last stage
        QVERIFY(here() == stages.back());
        for (std::size_t i = stages.size() - 1; i > 0; --i) {
            QTest::keyClick(&fixture.stepper, Qt::Key_PageUp);
            QVERIFY2(here() == stages[i - 1],
                     core::stageName(stages[i - 1].stage, stages[i - 1].attention).c_str());
        }
        QTest::keyClick(&fixture.stepper, Qt::Key_PageDown, Qt::ControlModifier);
        QVERIFY(here() == stages.back());
    }

    void partsAreReachedDirectly() {
        StepperFixture fixture(test::sessionPath("encoder_decoder"));
        fixture.choose("part", 0);
        fixture.choose("part", 5);
        QVERIFY(fixture.selection().block == core::Block::CrossAttention);
        QVERIFY(fixture.selection().stack == core::Stack::Decoder);
        for (QToolButton *button : fixture.stepper.findChildren<QToolButton *>("partStep"))
            if (button->text() == QStringLiteral("›")) {
                QVERIFY(button->accessibleName().contains("feed-forward"));
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        QVERIFY(fixture.selection().stage == Stage::Hidden);
        for (QToolButton *button : fixture.stepper.findChildren<QToolButton *>("partStep"))
            if (button->text() == QStringLiteral("‹")) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        QVERIFY(fixture.selection().stage == Stage::Residual);
    }

    void playingGoesOnThroughTheLayers() {
        StepperFixture fixture(test::sessionPath("encoder_decoder"));
        fixture.choose("part", 0);
        fixture.stepper.last();
        for (int i = 0; i < 3; ++i)
            fixture.stepper.back();
        const core::StageId before =
            FlowParts(*fixture.document.trace()).shown(fixture.selection());
        QVERIFY(before.stage != Stage::Logits);
        fixture.stepper.setSpeed(PlaySpeed::Fast);
        fixture.stepper.setPlaying(true);
        HEADLIGHT_UNTIL(!fixture.stepper.isPlaying());
        QVERIFY(fixture.selection().stage == Stage::Probabilities);
    }

    void buttonsGoByRow() {
        StepperFixture fixture;
        fixture.choose("granularity", 1);
        fixture.stepper.first();
        QVERIFY(test::isAt(fixture.selection(), {.query = 0, .dimension = test::none()}));
        fixture.stepper.next();
        QCOMPARE(rowOf(fixture.selection()), test::some(1));
        fixture.stepper.last();
        QCOMPARE(rowOf(fixture.selection()), test::some(fixture.matrix().rows - 1));
        bool found = false;
        for (const QToolButton *button : fixture.stepper.findChildren<QToolButton *>())
            if (button->accessibleName() == "Next row") {
                found = true;
                QVERIFY(!button->isEnabled());
            }
        QVERIFY(found);
    }

    void choicesAreRemembered() {
        {
            StepperFixture fixture;
            QSignalSpy changed(&fixture.stepper, &Stepper::granularityChanged);
            fixture.choose("granularity", 2);
            fixture.choose("speed", 2);
            QVERIFY(!changed.isEmpty());
        }
        const StepperFixture lesson; // its step sets the granularity
        QVERIFY(lesson.stepper.granularity() == Granularity::Stage);
        QVERIFY(lesson.stepper.speed() == PlaySpeed::Fast);
        const StepperFixture again(test::sessionPath("decoder_rotary"));
        QVERIFY(again.stepper.granularity() == Granularity::Cell);
        QVERIFY(again.stepper.speed() == PlaySpeed::Fast);
        QCOMPARE(again.stepper.findChild<QComboBox *>("granularity")->currentIndex(), 2);
    }

    void aTimerRunsOnlyWhilePlaying() {
        StepperFixture fixture;
        auto *timer = fixture.stepper.findChild<StepPlayer *>()->findChild<QTimer *>();
        QVERIFY(timer && !timer->isActive());
        fixture.stepper.first();
        fixture.stepper.setSpeed(PlaySpeed::Fast);
        fixture.stepper.setPlaying(true);
        QVERIFY(timer->isActive());
        const Stage before = fixture.selection().stage;
        HEADLIGHT_UNTIL(fixture.selection().stage != before);
        fixture.stepper.setPlaying(false);
        QVERIFY(!timer->isActive());
        fixture.stepper.last();
        fixture.stepper.back();
        fixture.stepper.setPlaying(true);
        HEADLIGHT_UNTIL(!fixture.stepper.isPlaying()); // stops at the end
        QVERIFY(!timer->isActive());
    }

    void everythingGrowsWithTheText() {
        StepperFixture fixture;
        qApp->setStyleSheet("QWidget{font-size:26px;} QToolButton#chip{padding:4px 11px;}"
                            "QToolButton#chip:checked{font-weight:600;}");
        fixture.stepper.resize(900, fixture.stepper.height());
        fixture.stepper.setStyle(FigureStyle::light(2));
        QCOMPARE(fixture.stepper.iconSize(), QSize(32, 32));
        const QIcon icon = fixture.stepper.stepActions()[0]->icon();
        QCOMPARE(icon.actualSize(QSize(32, 32)), QSize(32, 32));
        fixture.stepper.first();
        QCoreApplication::processEvents();
        for (fixture.stepper.first(); fixture.stepper.stepActions()[3]->isEnabled();
             fixture.stepper.next()) {
            QCoreApplication::processEvents();
            for (const QToolButton *chip : fixture.stepper.findChildren<QToolButton *>("chip")) {
                QFont bold = chip->font();
                bold.setPixelSize(26);
                bold.setWeight(QFont::DemiBold);
                const int words = QFontMetrics(bold).horizontalAdvance(chip->text());
                QVERIFY2(chip->width() >= words + 22, qPrintable(chip->text()));
                const QRect shown = chip->visibleRegion().boundingRect();
                if (chip->isChecked())
                    HEADLIGHT_UNTIL(shown == chip->rect());
            }
        }
        qApp->setStyleSheet({});
    }

    void spacePlaysOnTheBarButNotInAButton() {
        StepperFixture fixture;
        fixture.stepper.first();
        fixture.stepper.setFocus();
        QTest::keyClick(&fixture.stepper, Qt::Key_Space);
        QVERIFY(fixture.stepper.isPlaying());
        QTest::keyClick(&fixture.stepper, Qt::Key_Space);
        QVERIFY(!fixture.stepper.isPlaying());
        for (QToolButton *button : fixture.stepper.findChildren<QToolButton *>())
            if (button->accessibleName() == "keys") {
                QTest::keyClick(button, Qt::Key_Space);
                QVERIFY(!fixture.stepper.isPlaying());
                QVERIFY(fixture.selection().stage == Stage::Key);
                return;
            }
        QFAIL("no chip for the keys");
    }
};

HEADLIGHT_WIDGET_TEST(StepperTest)
#include "tst_stepper.moc"
