// The stepper: by stage, row and cell; playing; keys; what it remembers.
#include "tests/support/opened.h"
#include "ui/figures/cell_place.h"
#include "ui/figures/flow_parts.h"
#include "ui/panels/stepper.h"

#include <QComboBox>
#include <QTimer>
#include <QToolButton>

using namespace headlight;
using namespace headlight::ui;
using core::Stage;

namespace {

struct Fixture {
    Document document;
    Stepper stepper{document};

    Fixture() {
        document.open(test::opened("cat"));
        if (!test::settled(document))
            qFatal("no trace");
        stepper.show();
        (void)QTest::qWaitForWindowExposed(&stepper);
    }
    const core::Selection &selection() const { return document.selection(); }
    core::MatrixView matrix() const {
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

class StepperTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { QSettings().clear(); }

    void everyStepOnceAndBackAgain_data() {
        QTest::addColumn<Granularity>("granularity");
        QTest::newRow("stage") << Granularity::Stage;
        QTest::newRow("row") << Granularity::Row;
        QTest::newRow("cell") << Granularity::Cell;
    }
    void everyStepOnceAndBackAgain() {
        QFETCH(Granularity, granularity);
        Fixture fixture;
        const core::TracePointer trace = fixture.document.trace();
        const auto stages = FlowParts(*trace).stages();
        const StepPositions steps{*trace, stages, granularity};
        std::vector<core::Selection> way{steps.first(fixture.selection())};
        while (const auto next = steps.next(way.back()))
            way.push_back(*next);
        qsizetype expected = 0;
        for (const core::StageAt &at : stages) {
            const core::MatrixView matrix = trace->stage(at.stage, at.site).matrix(0, 0);
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

    void buttonsGoByRow() {
        Fixture fixture;
        fixture.choose("granularity", 1);
        fixture.stepper.first();
        QCOMPARE(fixture.selection().query, std::optional<core::Index>(0));
        QVERIFY(!fixture.selection().dimension);
        fixture.stepper.next();
        QCOMPARE(rowOf(fixture.selection()), std::optional<core::Index>(1));
        fixture.stepper.last();
        QCOMPARE(rowOf(fixture.selection()), std::optional<core::Index>(fixture.matrix().rows - 1));
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
            Fixture fixture;
            QSignalSpy changed(&fixture.stepper, &Stepper::granularityChanged);
            fixture.choose("granularity", 2);
            fixture.choose("speed", 2);
            QVERIFY(!changed.isEmpty());
        }
        Fixture again;
        QVERIFY(again.stepper.granularity() == Granularity::Cell);
        QVERIFY(again.stepper.speed() == PlaySpeed::Fast);
        QCOMPARE(again.stepper.findChild<QComboBox *>("granularity")->currentIndex(), 2);
    }

    void aTimerRunsOnlyWhilePlaying() {
        Fixture fixture;
        auto *timer = fixture.stepper.findChild<QTimer *>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(timer && !timer->isActive());
        fixture.stepper.first();
        fixture.stepper.setSpeed(PlaySpeed::Fast);
        fixture.stepper.setPlaying(true);
        QVERIFY(timer->isActive());
        const Stage before = fixture.selection().stage;
        QTRY_VERIFY(fixture.selection().stage != before);
        fixture.stepper.setPlaying(false);
        QVERIFY(!timer->isActive());
        fixture.stepper.last();
        fixture.stepper.back();
        fixture.stepper.setPlaying(true);
        QTRY_VERIFY(!fixture.stepper.isPlaying()); // stops at the end by itself
        QVERIFY(!timer->isActive());
    }

    void everythingGrowsWithTheText() {
        Fixture fixture;
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
                    QTRY_VERIFY2(shown == chip->rect(), qPrintable(chip->text()));
            }
        }
        qApp->setStyleSheet({});
    }

    void spacePlaysOnTheBarButNotInAButton() {
        Fixture fixture;
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

QTEST_MAIN(StepperTest)
#include "tst_stepper.moc"
