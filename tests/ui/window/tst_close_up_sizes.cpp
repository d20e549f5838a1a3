// The close-up of every stage of every built-in lesson at common window sizes and text sizes: it
// never scrolls, and no label is cut.
#include "tests/support/long.h"
#include "tests/support/painting_record.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/figures/arithmetic/folded_line.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/panels/filmstrip.h"

class CloseUpSizesTest : public test::CleanTest {
    Q_OBJECT

    /// Returns the arithmetic of the last row and number of a stage if it does not fit in its
    /// strip.
    static QStringList cutLines(const ui::CloseUpView &view) {
        QStringList cut;
        const QRectF strip = view.places().strip;
        const ui::FigureStyle &style = view.figureStyle();
        const core::TracePointer trace = view.document().trace();
        core::Selection at = view.document().selection();
        const core::SharedMatrix matrix = core::matrixAt(*trace, at);
        if (matrix.empty())
            return {};
        const bool isOverKeys = core::infoOf(at.stage).overKeys();
        for (const bool wholeRow : {true, false}) {
            at.query = matrix.rows - 1;
            (isOverKeys ? at.key : at.dimension) =
                wholeRow ? std::nullopt : std::optional(matrix.columns - 1);
            (isOverKeys ? at.dimension : at.key) = std::nullopt;
            const auto figure = ui::CloseUpFigure::fromTrace(trace, at, style);
            const ui::Spans shown = figure.strip().shownNumbers(strip, style);
            if (ui::MonospaceWidths(figure.strip().numbersFont(strip, style)).of(shown) >
                figure.strip().numbersIn(strip, style).width())
                cut << plainText(shown);
        }
        return cut;
    }

    /// Returns the form of a close-up in words.
    static QString formOf(const ui::CloseUpFigure &figure,
                          const ui::CloseUpFigure::Places &places) {
        const bool hasNumbers = places.picture.form == ui::CloseUpGeometry::Form::Numbers;
        const QString form = hasNumbers               ? "numbers"
                             : places.table.isEmpty() ? "colours"
                                                      : "colours, the row and the column large";
        const QStringList colours = hasNumbers ? withoutNumbers(figure, places) : QStringList();
        return (figure.isWhole(places) || !hasNumbers ? form : form + ", in part") +
               (colours.isEmpty() ? QString() : "; in colours: " + colours.join(", "));
    }
    /// Returns the symbols of the operands that have no numbers.
    static QStringList withoutNumbers(const ui::CloseUpFigure &figure,
                                      const ui::CloseUpFigure::Places &places) {
        QStringList symbols;
        const auto add = [&symbols](const std::vector<ui::CloseUpPart> &parts,
                                    const std::vector<ui::CloseUpGeometry::Placed> &placed) {
            for (std::size_t i = 0; i < placed.size(); ++i)
                if (!placed[i].hasNumbers)
                    symbols << plainText(parts[i].symbol);
        };
        add(figure.parts().left, places.picture.left);
        add(figure.parts().above, places.picture.above);
        return symbols;
    }

  private slots:
    /// Prints the form of every stage of every lesson in real windows of three sizes. A matrix of
    /// up to 8 rows has numbers at 1280 × 720, and one of up to 12 in larger windows. So have the
    /// joined heads, unless two strips of words leave too little height.
    void theFormOfEveryStage() {
        WindowFixture fixture("cat", "close-up");
        fixture.find<QDockWidget>("inspectorDock")->hide();
        QStringList faults;
        int looked = 0;
        for (const QString &lesson : ui::lessonIds()) {
            fixture.open(lesson);
            fixture.window.showView("close-up");
            for (const QSize size : {QSize(1280, 720), QSize(1440, 900), QSize(1920, 1080)}) {
                fixture.window.resize(size);
                fixture.settle();
                const ui::FigureView &view = *fixture.view();
                QCOMPARE(fixture.window.size(), size);
                QCOMPARE(view.viewName(), QString("close-up"));
                const core::Index most = size.height() < 800 ? 8 : 12;
                const core::TracePointer trace = fixture.document().trace();
                QMap<QString, QStringList> stagesOf; // key: the form
                for (const core::StageId &stage : ui::ModelParts(*trace).stages()) {
                    core::Selection at = ui::atStage(fixture.document().selection(), stage);
                    at.query = at.key = 1;
                    at.dimension = 2;
                    at.opened = false;
                    const auto figure = ui::CloseUpFigure::fromTrace(trace, at, view.figureStyle());
                    const auto places = figure.places(QRectF(view.rect()));
                    const QString name =
                        QString::fromStdString(core::stageName(stage.stage, stage.attention));
                    stagesOf[formOf(figure, places)] << name;
                    const ui::HeatmapContent &made = figure.parts().result.content;
                    const core::SharedMatrix matrix = made.matrix();
                    if (matrix.rows <= most &&
                        (matrix.columns <= most || made.columnLabels.isEmpty()) &&
                        places.picture.form != ui::CloseUpGeometry::Form::Numbers)
                        faults << QString("%1, %2 × %3: no numbers in %4")
                                      .arg(lesson)
                                      .arg(size.width())
                                      .arg(size.height())
                                      .arg(name);
                    constexpr int kUsualHeight = 380; // px, below one strip of words
                    if (stage.stage == core::Stage::Concatenated && matrix.rows <= most &&
                        view.height() >= kUsualHeight && !withoutNumbers(figure, places).isEmpty())
                        faults << QString("%1, %2 × %3: %4 of %5 in colours")
                                      .arg(lesson)
                                      .arg(size.width())
                                      .arg(size.height())
                                      .arg(withoutNumbers(figure, places).join(", "), name);
                    ++looked;
                }
                for (auto form = stagesOf.cbegin(); form != stagesOf.cend(); ++form)
                    qInfo().noquote() << QString("%1, window %2 × %3, view %4 × %5: %6: %7")
                                             .arg(lesson)
                                             .arg(size.width())
                                             .arg(size.height())
                                             .arg(view.width())
                                             .arg(view.height())
                                             .arg(form.key(), form.value().join(", "));
            }
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
        QVERIFY(looked > 600);
    }

    void everyLesson_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");
        QTest::addColumn<std::size_t>("turn");
        std::size_t turn = 0;
        for (const QSize size : {QSize(1280, 720), QSize(1440, 900), QSize(1920, 1080)})
            for (const double scale : {1.0, 1.5, 2.0})
                QTest::addRow("%d × %d, %g", size.width(), size.height(), scale)
                    << size << scale << turn++;
    }
    /// Tests half of the combinations by default, but each lesson at each size and at each text
    /// size.
    void everyLesson() {
        QFETCH(QSize, size);
        QFETCH(double, scale);
        QFETCH(std::size_t, turn);
        QSettings().setValue("window/textScale", scale);
        WindowFixture fixture("cat", "close-up");
        fixture.find<QDockWidget>("inspectorDock")->hide();
        fixture.window.resize(size);
        QStringList faults;
        int looked = 0;
        for (const QString &lesson : ui::lessonIds()) {
            if (!test::isTried(turn++, 2))
                continue;
            fixture.open(lesson);
            fixture.window.showView("close-up");
            auto *view = qobject_cast<ui::CloseUpView *>(fixture.view());
            if (!view)
                continue;
            std::set<core::StageId> seen;
            auto *filmstrip = fixture.find<ui::Filmstrip>("filmstrip");
            for (filmstrip->first(); seen.insert({fixture.document().selection().stage,
                                                  fixture.document().selection().attention()})
                                         .second;
                 filmstrip->next()) {
                fixture.settle();
                const core::Selection &at = fixture.document().selection();
                const QString place = QString("%1, %2").arg(
                    lesson, QString::fromStdString(core::stageName(at.stage, at.attention())));
                for (const QScrollBar *bar : view->findChildren<QScrollBar *>())
                    if (bar->isVisible())
                        faults << place + " scrolls";
                for (const auto &text : test::PaintingRecord::of(*view).texts)
                    if (text.text.trimmed().size() > 1 && text.text.contains(QChar(0x2026)) &&
                        !text.text.contains("more") && !text.text.contains("→") &&
                        text.text != ", …") // elided tokens, which the tooltip shows
                        faults << place + ": " + text.text;
                for (const QString &line : cutLines(*view))
                    faults << place + ": " + line;
                ++looked;
            }
        }
        for (const QString &fault : std::as_const(faults))
            qInfo().noquote() << fault;
        QVERIFY2(faults.isEmpty(), test::said("%1 faults", faults.size()));
        QVERIFY(looked > (test::isLong() ? 150 : 70));
    }
};

HEADLIGHT_WIDGET_TEST(CloseUpSizesTest)
#include "tst_close_up_sizes.moc"
