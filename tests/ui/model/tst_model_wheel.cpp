// The tab Model while the wheel turns, and after it rests.
#include "tests/ui/model/model_fixture.h"

using test::layersAndWords;
using test::ModelFixture;

class ModelWheelTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// While the wheel turns, the pictures of the heads are scaled. When it rests, the view is
    /// painted as if it had not been turned.
    void aStepOfTheWheelMakesNoPictures() {
        ModelFixture fixture(layersAndWords(3, 100));
        FigureView &view = fixture.view;
        (void)view.grab();
        const auto made = [&fixture] {
            int sum = 0;
            for (const ModelFigure::Tile &tile : fixture.view.model()->tiles())
                sum += tile.content.keptPainting->made();
            for (const ModelFigure::Card &card : fixture.view.model()->cards())
                sum += card.figure.content().keptPainting->made();
            return sum;
        };
        const int before = made();
        QImage coarse;
        for (int notch = 0; notch < 3; ++notch) {
            fixture.wheel(fixture.centre({{1}, 1}), 1, Qt::ControlModifier);
            coarse = view.grab().toImage();
            QCOMPARE(made(), before);
        }
        fixture.restWheel();
        fixture.untilReady();
        const QImage rested = view.grab().toImage();
        QVERIFY(made() > before);
        QVERIFY(rested != coarse);
        for (const ModelFigure::Tile &tile : fixture.view.model()->tiles())
            test::forgetImages(*tile.content.keptPainting);
        for (const ModelFigure::Card &card : fixture.view.model()->cards())
            test::forgetImages(*card.figure.content().keptPainting);
        QCOMPARE(view.grab().toImage(), rested);
    }
};

HEADLIGHT_WIDGET_TEST(ModelWheelTest)
#include "tst_model_wheel.moc"
