// The close-up of every stage of every built-in lesson at common window sizes and text sizes. It
// never scrolls, and no label is cut.
#include "tests/support/long.h"
#include "tests/support/painting_record.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/figures/arithmetic/folded_line.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/panels/filmstrip.h"

#include <array>

#include <QRegularExpression>

class CloseUpSizesTest : public test::CleanTest {
    Q_OBJECT

    /// Selects a number of the stage in the second row.
    static core::Selection numberAt(const ui::Document &document, const core::StageId &stage) {
        core::Selection at = ui::atStage(document.selection(), stage);
        at.query = at.key = 1;
        at.dimension = 2;
        at.opened = false;
        return at;
    }

    /// Returns the arithmetic of the last row and number of a stage if it does not fit in its
    /// strip.
    static QStringList cutLines(const ui::CloseUpView &view) {
        QStringList cut;
        const ui::CloseUpFigure::Places places = view.places();
        const QRectF strip = places.strip;
        const ui::FigureStyle &style = view.closeUp()->style();
        if (!places.stripHasNumbers) // the table has the numbers
            return {};
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
                if (!placed[i].hasNumbers && !placed[i].isAside)
                    symbols << plainText(parts[i].symbol);
        };
        add(figure.parts().left, places.picture.left);
        add(figure.parts().above, places.picture.above);
        return symbols;
    }

    /// Returns the numbers of the close-up that are smaller than 13 px, and the parts of its table
    /// that are outside of it.
    static QStringList faultsOfNumbers(const ui::CloseUpFigure &figure, const QRectF &area) {
        static const QRegularExpression number(QStringLiteral("^[−+]?(\\d*\\.\\d+|\\d+|∞)$"));
        const ui::CloseUpFigure::Places places = figure.places(area);
        QList<QRectF> cells{places.picture.result.cells.cells}, lines{places.table, places.card};
        for (const auto *side : {&places.picture.left, &places.picture.above})
            for (const ui::CloseUpGeometry::Placed &one : *side)
                cells << one.cells.cells;
        if (places.stripHasNumbers)
            lines << figure.strip().numbersIn(places.strip, figure.style());
        QStringList faults;
        for (const auto &text :
             test::PaintingRecord::of(figure, area.size(), ui::Device::Raster).texts) {
            const auto isIn = [&](const QRectF &part) { return part.contains(text.centre); };
            const QString word = text.text.trimmed();
            const bool isNumber = // an exponent in a line is smaller, but has no decimals
                number.match(word).hasMatch() &&
                (std::ranges::any_of(cells, isIn) ||
                 (word.contains(QLatin1Char('.')) && std::ranges::any_of(lines, isIn)));
            if (isNumber && text.shown < 12.99)
                faults << QString("%1 has %2 px").arg(word).arg(text.shown);
        }
        if (places.picture.result.cells.cells.isEmpty() && places.table.isEmpty())
            faults << "nothing is placed";
        if (!places.table.isEmpty()) {
            const QRectF used = figure.table().layout(places.inTable()).used;
            if (!places.table.adjusted(-0.5, -0.5, 0.5, 0.5).contains(used))
                faults << QString("the arithmetic needs %1 × %2 of %3 × %4")
                              .arg(used.width())
                              .arg(used.height())
                              .arg(places.table.width())
                              .arg(places.table.height());
            if (places.table.intersects(places.strip))
                faults << "the arithmetic covers the formula";
        }
        if (!QRectF(area).contains(places.strip))
            faults << "the line below is cut";
        return faults;
    }

  private slots:
    void theFormOfEveryStage_data() { test::addRows("scale", {1.0, 1.5, 2.0}); }
    /// Prints the form of every stage of every lesson in real windows of three sizes, at three text
    /// sizes. At the usual text size, a matrix of up to 8 rows has numbers at 1280 × 720, and one
    /// of up to 12 in larger windows. The same holds for the joined heads, unless two strips of
    /// words leave too little height. Larger text never makes numbers smaller than 13 px. Instead,
    /// the close-up takes another form, in which at least the selected row has numbers.
    void theFormOfEveryStage() {
        QFETCH(double, scale);
        QSettings().setValue("window/textScale", scale);
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
                QCOMPARE(view.shrink(), 1.0);
                const QRectF area(view.rect());
                const auto addFault = [&](const QString &stage, const QString &fault) {
                    faults << QString("%1, %2 × %3, text %4 %: %5: %6")
                                  .arg(lesson)
                                  .arg(size.width())
                                  .arg(size.height())
                                  .arg(100 * scale)
                                  .arg(stage, fault);
                };
                const core::Index most = size.height() < 800 ? 8 : 12;
                const core::TracePointer trace = fixture.document().trace();
                QMap<QString, QStringList> stagesOf; // key: the form
                for (const core::StageId &stage : ui::ModelParts(*trace).stages()) {
                    const core::Selection at = numberAt(fixture.document(), stage);
                    const auto whole = ui::CloseUpFigure::fromTrace(trace, at, view.figureStyle());
                    const auto figure = whole.withTextScale(whole.fittingScale(area));
                    QVERIFY(figure.style().textScale >= 1 && figure.style().textScale <= scale);
                    const auto places = figure.places(area);
                    const QString name =
                        QString::fromStdString(core::stageName(stage.stage, stage.attention));
                    QString form = formOf(figure, places);
                    if (scale > 1)
                        form += QString(", text %1 %").arg(100 * figure.style().textScale);
                    stagesOf[form] << name;
                    for (const QString &fault : faultsOfNumbers(figure, area))
                        addFault(name, fault);
                    const ui::HeatmapContent &made = figure.parts().result.content;
                    const core::SharedMatrix matrix = made.matrix();
                    const bool hasNumbers =
                        places.picture.form == ui::CloseUpGeometry::Form::Numbers;
                    if (scale > 1) {
                        if (!matrix.empty() && !hasNumbers && places.table.isEmpty() &&
                            places.bars.rows.empty())
                            addFault(name, "no numbers at all");
                    } else if (matrix.rows <= most &&
                               (matrix.columns <= most || made.columnLabels.isEmpty()) &&
                               !hasNumbers) {
                        addFault(name, "no numbers");
                    }
                    constexpr int kUsualHeight = 380; // px, below one strip of words
                    if (scale == 1 && stage.stage == core::Stage::Concatenated &&
                        matrix.rows <= most && view.height() >= kUsualHeight &&
                        !withoutNumbers(figure, places).isEmpty())
                        addFault(name, withoutNumbers(figure, places).join(", ") + " in colours");
                    ++looked;
                }
                for (auto form = stagesOf.cbegin(); form != stagesOf.cend(); ++form)
                    qInfo().noquote()
                        << QString("%1, window %2 × %3, text %4 %, view %5 × %6: %7: %8")
                               .arg(lesson)
                               .arg(size.width())
                               .arg(size.height())
                               .arg(100 * scale)
                               .arg(view.width())
                               .arg(view.height())
                               .arg(form.key(), form.value().join(", "));
            }
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
        QVERIFY(looked > 600);
    }

    void besideAPanel_data() { test::addRows("panel", QStringList{"inspectorDock", "editorDock"}); }
    /// In a small window with a panel, a matrix can be too large for numbers. Its selected row and
    /// column are then next to it, with numbers of at least 13 px.
    void besideAPanel() {
        QFETCH(QString, panel);
        WindowFixture fixture("cat", "close-up");
        auto *dock = fixture.find<QDockWidget>(qPrintable(panel));
        QStringList faults;
        int large = 0;
        for (const QString &lesson : ui::lessonIds()) {
            fixture.open(lesson);
            fixture.window.showView("close-up");
            fixture.window.resize(1280, 720);
            dock->show(); // some lessons close the dock
            fixture.settle();
            const ui::FigureView &view = *fixture.view();
            QVERIFY(dock->isVisible());
            QCOMPARE(fixture.window.size(), QSize(1280, 720));
            QVERIFY2(view.width() < 700, test::said("%1 px", view.width()));
            const QRectF area(view.rect());
            const core::TracePointer trace = fixture.document().trace();
            QMap<QString, QStringList> stagesOf; // key: the form
            for (const core::StageId &stage : ui::ModelParts(*trace).stages()) {
                const core::Selection at = numberAt(fixture.document(), stage);
                const auto figure = ui::CloseUpFigure::fromTrace(trace, at, view.figureStyle());
                const auto places = figure.places(area);
                const QString name =
                    QString::fromStdString(core::stageName(stage.stage, stage.attention));
                const QString form = formOf(figure, places);
                stagesOf[form] << name;
                QStringList found = faultsOfNumbers(figure, area);
                const bool hasNumbers = places.picture.form == ui::CloseUpGeometry::Form::Numbers;
                // The statistics of a norm leave too little space, so its line has the numbers.
                if (!hasNumbers && core::infoOf(stage.stage).perHead) {
                    if (places.table.isEmpty() && places.bars.rows.empty())
                        found << "no numbers at all";
                    ++large;
                    const QRectF &cells = places.picture.result.cells.cells;
                    if (std::min(cells.width(), cells.height()) < 36)
                        found << QString("the picture has %1 × %2")
                                     .arg(cells.width())
                                     .arg(cells.height());
                }
                for (const QString &fault : std::as_const(found))
                    faults << QString("%1, %2: %3").arg(lesson, name, fault);
            }
            for (auto form = stagesOf.cbegin(); form != stagesOf.cend(); ++form)
                qInfo().noquote() << QString("%1, %2, view %3 × %4: %5: %6")
                                         .arg(lesson, panel)
                                         .arg(view.width())
                                         .arg(view.height())
                                         .arg(form.key(), form.value().join(", "));
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
        QVERIFY2(large > 5, test::said("%1 matrices in colours", large));
    }

    void smallTextKeepsTheNumbers_data() {
        test::addRows("id", QStringList{"cat", "cross-attention"});
    }
    /// At 75 %, the numbers of the close-up and its arithmetic have at least 13 px, but a saved
    /// figure has the small text.
    void smallTextKeepsTheNumbers() {
        QFETCH(QString, id);
        constexpr double kSmallText = 0.75;
        QSettings().setValue("window/textScale", kSmallText);
        WindowFixture fixture(id, "close-up");
        fixture.window.resize(1280, 720);
        fixture.find<QDockWidget>("inspectorDock")->hide();
        fixture.settle();
        const auto &view = static_cast<const ui::CloseUpView &>(*fixture.view());
        QCOMPARE(view.figureStyle().textScale, kSmallText);
        QCOMPARE(view.shrink(), 1.0);
        int looked = 0;
        for (const core::StageId &stage : ui::ModelParts(*fixture.document().trace()).stages()) {
            core::Selection at = ui::atStage(fixture.document().selection(), stage);
            at.query = at.key = 1;
            at.dimension = 2;
            fixture.document().select(at);
            fixture.settle();
            QVERIFY(view.closeUp());
            QCOMPARE(view.closeUp()->style().textScale, 1.0);
            QCOMPARE(faultsOfNumbers(*view.closeUp(), QRectF(view.rect())), QStringList());
            QVERIFY(QRectF(view.rect()).contains(view.places().strip));
            ++looked;
        }
        QVERIFY(looked > 8);
        const auto &saved = static_cast<const ui::CloseUpFigure &>(*fixture.view()->figure());
        QCOMPARE(saved.style().textScale, kSmallText);
    }

    /// The line below the picture is not covered in a small window with text at 200 %, the first
    /// hints and layers.
    void theFirstHintsCoverNothing_data() {
        test::addRows("id", QStringList{"cat", "block", "who-is-it", "cross-attention"});
    }
    void theFirstHintsCoverNothing() {
        QFETCH(QString, id);
        QSettings().setValue("window/textScale", 2.0);
        WindowFixture fixture(id, "close-up");
        fixture.window.resize(1280, 720);
        fixture.find<QDockWidget>("inspectorDock")->hide();
        fixture.window.showView("close-up");
        fixture.find<QWidget>("firstHints")->show();
        for (int time = 0; time < 2; ++time) // the words are chosen after the layout
            fixture.settle();
        QCOMPARE(fixture.window.size(), QSize(1280, 720));
        const auto *view = qobject_cast<ui::CloseUpView *>(fixture.view());
        QVERIFY(view && view->closeUp());
        QCOMPARE(view->shrink(), 1.0);
        const auto placeOf = [&](const QWidget &widget) {
            return QRect(widget.mapTo(&fixture.window, QPoint()), widget.size());
        };
        const QRect shown = placeOf(*view), film = placeOf(*fixture.find<QWidget>("filmstrip"));
        QVERIFY2(shown.bottom() <= film.top(),
                 test::said("the picture ends at %1, the filmstrip begins at %2", shown.bottom(),
                            film.top()));
        QVERIFY(fixture.window.rect().contains(film));
        QVERIFY(QRectF(view->rect()).contains(view->places().strip));
    }

    void everyLesson_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");
        QTest::addColumn<std::size_t>("turn");
        const std::array sizes{QSize(1280, 720), QSize(1440, 900), QSize(1920, 1080)};
        const std::array scales{1.0, 1.5, 2.0};
        for (std::size_t i = 0; i < sizes.size(); ++i)
            for (std::size_t j = 0; j < scales.size(); ++j)
                QTest::addRow("%d × %d, %g", sizes[i].width(), sizes[i].height(), scales[j])
                    << sizes[i] << scales[j] << i + j;
    }
    /// Tests a third of the combinations by default, but each lesson at each size and at each text
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
            if (!test::isTried(turn++, 3))
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
                if (view->shrink() < 1)
                    faults << place + QString(": scaled to %1").arg(view->shrink());
                const QRect shown(view->mapTo(&fixture.window, QPoint()), view->size());
                const QRect film(filmstrip->mapTo(&fixture.window, QPoint()), filmstrip->size());
                if (shown.intersects(film))
                    faults << place + ": the filmstrip covers the picture";
                ++looked;
            }
        }
        for (const QString &fault : std::as_const(faults))
            qInfo().noquote() << fault;
        QVERIFY2(faults.isEmpty(), test::said("%1 faults", faults.size()));
        QVERIFY(looked > (test::isLong() ? 150 : 45));
    }
};

HEADLIGHT_WIDGET_TEST(CloseUpSizesTest)
#include "tst_close_up_sizes.moc"
