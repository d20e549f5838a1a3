// The tab Model: thumbnails, list, pinned heads and silencing, by mouse and keyboard.
#include "tests/support/long_input.h"
#include "tests/ui/model/model_fixture.h"
#include "ui/window/saving/figure_command.h"

#include "core/analysis/head_ablation.h"
#include "ui/figures/output/output_content.h"

#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>

using core::HeadId;
using test::layersAndWords;
using test::ModelFixture;

class ModelViewTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void everyHeadHasAThumbnail() {
        ModelFixture fixture;
        const ModelFigure &model = *fixture.view.model();
        QCOMPARE(model.tiles().size(), std::size_t(36));
        for (const ModelFigure::Tile &tile : model.tiles()) {
            const core::SharedMatrix weights = fixture.document.trace()->matrix(
                Stage::AttentionWeights, tile.place.attention, 0, tile.place.head);
            const core::SharedMatrix shown = tile.content.matrix();
            QCOMPARE(shown.rows, weights.rows); // one number per cell, because the text is short
            for (core::Index row = 0; row < shown.rows; ++row)
                QVERIFY(std::ranges::equal(shown.row(row), weights.row(row)));
        }
    }

    /// The trace of a long text holds the weights of one layer, but the pass computed the weights
    /// of all layers.
    void thePassTakesTheThumbnails() {
        OpenedSource source = test::longInput();
        source.view = "model";
        Document document;
        ModelView view(document);
        view.resize(1200, 800);
        QSignalSpy computed(&view, &FigureView::partComputed);
        const auto check = [&] {
            QVERIFY(test::settled(document));
            (void)view.grab();
            QCoreApplication::processEvents();
            QVERIFY(!document.trace()->isWhole());
            QVERIFY(view.isComplete());
            QCOMPARE(computed.count(), 0); // nothing was computed again
            for (const ModelFigure::Tile &tile : view.model()->tiles()) {
                if (tile.place.head > 0)
                    continue;
                const core::HeadGlances layer = test::valueOf(
                    core::glanceAt(*document.trace()->withoutDetails(), tile.place.attention, 0,
                                   tile.content.matrix().rows));
                const core::SharedMatrix &expected = layer.heads.front().sample.numbers;
                const core::SharedMatrix shown = tile.content.matrix();
                QCOMPARE(shown.rows, expected.rows);
                for (core::Index row = 0; row < shown.rows; ++row)
                    QVERIFY(std::ranges::equal(shown.row(row), expected.row(row)));
            }
        };
        document.open(source);
        view.show();
        (void)test::exposed(view);
        check();
        const std::shared_ptr<const core::PassGlances> before = document.passGlances();
        QVERIFY(test::setScale(document, {core::Scale::Kind::Off, 1}).ok());
        QVERIFY(document.passGlances() != before);
        check(); // with the weights of the new pass
        QVERIFY(!before->glancesOf(*document.trace(), 0));
    }

    /// Without a view that shows them, a pass computes no thumbnails.
    void aPassThatNobodyWatchesTakesNone() {
        Document document;
        ModelView view(document);
        document.open(test::longInput());
        QVERIFY(test::settled(document));
        QVERIFY(!document.passGlances());
        view.resize(1200, 800);
        view.show();
        (void)test::exposed(view);
        (void)view.grab();
        HEADLIGHT_UNTIL(view.isComplete()); // computed afterwards
        QVERIFY(test::setScale(document, {core::Scale::Kind::Off, 1}).ok());
        QVERIFY(document.passGlances());
    }

    /// While the first pass runs, the view shows the layers that are done.
    void theFirstPassFillsTheView() {
        OpenedSource source = test::longInput(6000); // would take a minute
        source.view = "model";
        Document document;
        ModelView view(document);
        view.resize(1200, 800);
        view.show();
        (void)test::exposed(view);
        document.open(source);
        HEADLIGHT_UNTIL(document.passGlances()->glances());
        const HeadList &heads = view.findChild<ModelPanel *>("modelPanel")->heads();
        const int before = heads.rowCount();
        const QImage empty = view.grab().toImage();
        HEADLIGHT_UNTIL(heads.rowCount() > before);
        QCOMPARE(heads.rowCount() % 8, 0); // complete layers
        QVERIFY(!document.trace());
        QVERIFY(view.grab().toImage() != empty);
        QVERIFY(!view.isComplete());
        document.cancelComputation();
        QCOMPARE(heads.rowCount(), 0);
        QVERIFY(test::until([&] { return !document.isBusy(); }));
    }

    /// { and } reach the next layer at once, because it was prepared.
    void theNextLayerIsPrepared() {
        ModelFixture fixture(test::longInput());
        fixture.select({.stage = Stage::AttentionWeights, .layer = 4});
        HEADLIGHT_UNTIL_EQUAL(fixture.selection().layer, core::Index(4));
        fixture.untilReady();
        (void)fixture.view.grab(); // requests the neighbours
        QCoreApplication::processEvents();
        HEADLIGHT_UNTIL_EQUAL(fixture.document.neighbours().count(), std::size_t(2));
        QTest::keyClick(&fixture.view, Qt::Key_Down);
        QCOMPARE(fixture.selection().layer, core::Index(5));
        QVERIFY(!fixture.document.isPreparing());
        fixture.view.hide();
        QCOMPARE(fixture.document.neighbours().count(), std::size_t(0));
    }

    /// The view is not painted again after each of many layers, but after the last one.
    void manyLayersAreShownTogether() {
        constexpr core::Index kLayers = 60;
        core::Model model = test::largeModel(16, 8);
        model.parameters.main.layers.resize(kLayers, model.parameters.main.layers.front());
        const core::TracePointer trace = test::passOf(model, {test::wordBatch(4)});
        ModelGlances glances;
        int times = 0;
        bool isWhole = false;
        connect(&glances, &ModelGlances::made, this, [&] {
            ++times;
            isWhole = !glances.of(*trace, 0)->next();
        });
        glances.want(trace, 0, nullptr);
        HEADLIGHT_UNTIL(isWhole);
        QVERIFY(!glances.isBusy());
        QVERIFY2(times >= 2 && times < kLayers, test::said("%1 times", times));
    }

    /// A single strong cell of 300 × 300 is visible in a thumbnail of a few pixels.
    void aSingleStrongCellIsSeen() {
        const core::Index tokens = 300;
        core::Matrix weights(tokens, tokens);
        for (core::Index row = 0; row < tokens; ++row)
            std::ranges::fill(weights.view().row(row), 0.001F);
        weights(171, 44) = 1;
        const auto sample = core::sampleOf(weights.view(), 128, nullptr);
        QCOMPARE(sample.numbers.rows, core::Index(128));
        QCOMPARE(sample.numbers(73, 19), 1.0F); // a block has 2 or 3 cells per side

        const OpenedSource opened = layersAndWords(2, tokens);
        const core::TracePointer trace = test::passOf(opened.state);
        core::TraceGlances glances(*trace, 0);
        while (const auto next = glances.next()) {
            core::HeadGlances layer = test::valueOf(glances.make(*next, nullptr, {}));
            for (core::HeadGlance &head : layer.heads)
                head.sample = sample;
            layer.hidden = nullptr;
            glances.take(*next, std::move(layer));
        }
        ModelLook look;
        look.glances = std::make_shared<core::TraceGlances>(std::move(glances));
        const FigureStyle style = FigureStyle::light();
        const ModelFigure figure = ModelFigure::of(trace, {}, style, {}, look);
        QImage image(900, 500, QImage::Format_RGB32);
        QPainter painter(&image);
        const QRectF area = image.rect();
        figure.paint(painter, area, Device::Raster);
        painter.end();
        const ModelGeometry places = figure.geometry(area);
        const QRgb strong = figure.tiles()[5].content.scale.colour(0, 1);
        for (const ModelFigure::Tile &tile : figure.tiles()) {
            const QRect at = figure.picture(places, tile).toAlignedRect();
            QVERIFY(at.width() < 60);
            int found = 0;
            for (int y = at.top(); y <= at.bottom(); ++y)
                for (int x = at.left(); x <= at.right(); ++x)
                    found += image.pixel(x, y) == strong;
            QVERIFY2(found >= 1, qPrintable(tile.words));
        }
    }

    /// Computing all layers of a long text takes long.
    void theChosenLayerAndThoseInSightComeFirst() {
        OpenedSource source = test::longInput();
        source.selection.layer = 17;
        Document document;
        document.open(source);
        QVERIFY(test::settled(document)); // no view has taken the thumbnails
        ModelView view(document);
        view.resize(1200, 800);
        std::optional<std::vector<core::Index>> ready;
        connect(&view, &FigureView::partComputed, this, [&] {
            if (ready)
                return; // others follow
            ready.emplace();
            (void)view.figure();
            for (const ModelFigure::Tile &tile : view.model()->tiles())
                if (tile.place.head == 0 && !tile.content.matrix().empty())
                    ready->push_back(tile.place.attention.layer);
        });
        view.show();
        (void)view.grab();
        HEADLIGHT_UNTIL(ready);
        QCOMPARE(*ready, std::vector<core::Index>{17});
    }

    void thePanelCutsNoControl() {
        ModelFixture fixture;
        for (const char *name :
             {"modelMeasure", "modelReverse", "modelMeasureDefinition", "modelFilter"}) {
            auto *control = fixture.find<QWidget>(name);
            QCOMPARE(control->visibleRegion().boundingRect(), control->rect());
        }
    }

    void aClickChoosesAndADoubleClickOpens() {
        ModelFixture fixture;
        const QSignalSpy opened(&fixture.view, &ModelView::closeUpRequested);
        const HeadId place{core::AttentionId(2), 7};
        fixture.select({.query = 3});
        fixture.click(fixture.centre(place));
        QVERIFY(fixture.chosen() == place);
        QCOMPARE(fixture.selection().query, test::some(3));
        QVERIFY(fixture.selection().stage == Stage::AttentionWeights);
        QCOMPARE(opened.size(), 0);
        QVERIFY(fixture.view.model()->cards().front().place == place);
        // The list selects the same head, and its current row selects a head.
        QCOMPARE(fixture.panel().list().currentIndex().row(), fixture.panel().heads().rowOf(place));
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, fixture.centre(place).toPoint());
        QCOMPARE(opened.size(), 1);
        const int other = fixture.panel().list().currentIndex().row() == 0 ? 1 : 0;
        fixture.panel().list().setCurrentIndex(fixture.panel().heads().index(other));
        QVERIFY(fixture.chosen() == fixture.panel().heads().headAt(other));
    }

    void keysMoveOpenAndPin() {
        ModelFixture fixture;
        const QSignalSpy opened(&fixture.view, &ModelView::closeUpRequested);
        fixture.key(Qt::Key_Down);
        fixture.key(Qt::Key_Right);
        QVERIFY(fixture.chosen() == (HeadId{core::AttentionId(1), 1}));
        fixture.key(Qt::Key_Up);
        fixture.key(Qt::Key_Up); // there is no layer above the first
        fixture.key(Qt::Key_Left);
        fixture.key(Qt::Key_Left);
        QVERIFY(fixture.chosen() == (HeadId{core::AttentionId(0), 0}));
        fixture.key(Qt::Key_End);
        QVERIFY(fixture.chosen() == (HeadId{core::AttentionId(0), 11}));
        fixture.key(Qt::Key_Home);
        QCOMPARE(fixture.chosen().head, core::Index(0));
        fixture.key(Qt::Key_Return);
        QCOMPARE(opened.size(), 1);

        fixture.key(Qt::Key_P);
        fixture.key(Qt::Key_Down);
        fixture.key(Qt::Key_P);
        fixture.key(Qt::Key_Right);
        QCOMPARE(fixture.view.pinned().size(), std::size_t(2));
        QCOMPARE(fixture.view.model()->cards().size(), std::size_t(3));
        const ModelGeometry places = fixture.view.geometry();
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY(!places.cards[a].intersects(places.cards[b]));
        // The button of a pinned head unpins it.
        fixture.click(fixture.view.model()->pinButton(places, 1).center());
        QCOMPARE(fixture.view.pinned().size(), std::size_t(1));
        // The button of another head pins that head.
        const core::HeadId chosen = fixture.view.model()->cards()[0].place;
        const QPointF pin = fixture.view.model()->pinButton(fixture.view.geometry(), 0).center();
        QVERIFY(test::says(fixture.hover(pin), "Pin the head"));
        fixture.click(pin);
        QCOMPARE(fixture.view.pinned().size(), std::size_t(2));
        QCOMPARE(fixture.view.pinned().back(), chosen);
        QVERIFY(test::says(
            fixture.hover(fixture.view.model()->pinButton(fixture.view.geometry(), 0).center()),
            "Unpin the head"));
        fixture.view.headActions().at(1)->trigger();
        (void)fixture.view.figure();
        QCOMPARE(fixture.view.model()->cards().size(), std::size_t(1));
    }

    void theMouseSaysNameAndMeasures() {
        ModelFixture fixture;
        const HeadId place{core::AttentionId(1), 4};
        const auto glance =
            test::valueOf(core::glanceAt(*fixture.document.trace(), place.attention, 0, 8));
        QVERIFY(test::says(fixture.hover(fixture.centre(place)),
                           {"head 1.4", measureText(glance.heads[4].measures.previousToken),
                            measureText(glance.heads[4].measures.entropy)}));
        const HeatmapGeometry card = fixture.view.model()->cardGeometry(fixture.view.geometry(), 0);
        QVERIFY(test::says(fixture.hover(card.cellRect(4, 2).center()), {"word4", "word2"}));
        fixture.click(card.cellRect(4, 2).center());
        QVERIFY(test::isAt(fixture.selection(), {.query = test::some(4), .key = test::some(2)}));
    }

    void theCommandOfAFigureHasThePinnedHeads() {
        ModelFixture fixture(test::opened("tales"));
        FigureCommandLine recipe;
        recipe.view = fixture.view.viewName();
        QVERIFY(!commandFor(fixture.document, recipe).text.contains("--pin"));
        fixture.view.togglePin({core::AttentionId(2), 3});
        fixture.view.togglePin({core::AttentionId(1), 0});
        recipe.pinned = fixture.view.pinnedHeads();
        QVERIFY(test::says(commandFor(fixture.document, recipe).text, "--pin 2.3,1.0"));
        // A head that the model no longer has would make the command fail.
        recipe.pinned = {{core::AttentionId(7), 0}, {core::AttentionId(0), 7}};
        QVERIFY(!commandFor(fixture.document, recipe).text.contains("--pin"));
    }

    void aSessionSavesTheChoices() {
        ModelFixture fixture(test::opened("tales"));
        const core::ModelViewState before = fixture.document.modelView();
        QVERIFY(before == core::ModelViewState());
        const int steps = fixture.document.undoStack().count();
        fixture.view.togglePin({core::AttentionId(2), 3});
        fixture.find<QComboBox>("modelMeasure")->setCurrentIndex(1);
        fixture.find<QComboBox>("silencingState")->setCurrentIndex(1);
        fixture.view.showMeasure(true);
        const core::ModelViewState chosen = fixture.document.modelView();
        QVERIFY(chosen.asColours);
        QCOMPARE(chosen.pinned, std::vector<std::string>{"2.3"});
        QCOMPARE(chosen.measure, std::string("distance"));
        QVERIFY(chosen.byMean && !chosen.ofLoss);
        QCOMPARE(fixture.document.undoStack().count(), steps);

        // A session has heads and words that this model lacks.
        OpenedSource opened = test::opened("tales");
        opened.modelView = chosen;
        opened.modelView.pinned = {"2.3", "9.9", "2.3", "nonsense", "encoder.0.0", "1.0"};
        opened.modelView.token = "no such word";
        ModelFixture again(std::move(opened));
        QCOMPARE(again.view.pinned(),
                 (std::vector<HeadId>{{core::AttentionId(2), 3}, {core::AttentionId(1), 0}}));
        QCOMPARE(again.find<QComboBox>("modelMeasure")->currentIndex(), 1);
        QCOMPARE(again.find<QComboBox>("silencingState")->currentIndex(), 1);
        QVERIFY(again.find<QLineEdit>("silencingToken")->text().isEmpty());
        QVERIFY(again.find<QAction>("measureAsColours")->isChecked());
        QCOMPARE(again.view.shownMeasure(), QString("distance"));

        again.view.togglePin({core::AttentionId(2), 3});
        QCOMPARE(again.document.modelView().pinned, std::vector<std::string>{"1.0"});
    }

    void silencingIsThatOfTheCore() {
        ModelFixture fixture;
        const HeadId place{core::AttentionId(1), 4};
        fixture.click(fixture.centre(place));
        (void)fixture.view.grab();
        fixture.untilReady();
        const core::TracePointer &trace = fixture.document.trace();
        const core::AblatedHeads all = test::valueOf(
            core::ablateHeads(*fixture.document.computable(), trace,
                              {.place = core::outputPlaceOf(*trace, fixture.selection())}));
        const core::HeadEffect &effect = all.heads[12 + 4];
        QVERIFY(effect.attention == place.attention && effect.head == place.head);
        const QString word = QString::fromStdString(trace->model().vocabulary->word(all.token));
        QCOMPARE(fixture.silencing(),
                 QString("Silencing 1.4: “%1” %2 → %3")
                     .arg(word, percentText(all.probability), percentText(effect.probability)));
        const QString more = fixture.find<QLabel>("modelSilencingMore")->text();
        QVERIFY(test::says(more, numberText(effect.logitDifference, 2)));
        // The probability in the trace's output is the same.
        const core::OutputRowPointer row = test::valueOf(
            core::readOutput(*trace, core::outputPlaceOf(*trace, fixture.selection())));
        QVERIFY(std::abs(all.probability -
                         static_cast<double>(
                             row->probabilities[static_cast<std::size_t>(all.token)])) < 1e-5);
    }

    /// The panel scrolls as a whole if it is too short for its text.
    void aLowPanelCutsNoText() {
        ModelFixture fixture;
        fixture.view.setStyle(FigureStyle::light(2));
        fixture.view.resize(1200, 300);
        fixture.click(fixture.centre({core::AttentionId(1), 4}));
        QVERIFY(fixture.untilSilenced());
        for (const char *name : {"modelSilencing", "modelSilencingMore"}) {
            const auto *label = fixture.find<QLabel>(name);
            QVERIFY(!label->text().isEmpty());
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), name);
        }
        const auto *list = fixture.find<QListView>("modelHeads");
        QVERIFY(list->height() >= 2 * list->sizeHintForRow(0));
    }

    /// Uses a window that is 720 px high.
    void whatSilencingDoesIsInSight() {
        ModelFixture fixture;
        fixture.view.resize(960, 400);
        fixture.click(fixture.centre({core::AttentionId(1), 4}));
        QVERIFY(fixture.untilSilenced());
        const auto *scroll = fixture.find<QScrollArea>("modelPanelScroll");
        for (const char *name : {"modelSilencing", "modelSilencingMore"}) {
            const auto *label = fixture.find<QLabel>(name);
            QVERIFY2(!label->text().isEmpty(), qPrintable(fixture.silencing()));
            const QRect place(label->mapTo(scroll->viewport(), QPoint()), label->size());
            QVERIFY2(scroll->viewport()->rect().contains(place), name);
        }
        const auto *list = fixture.find<QListView>("modelHeads");
        QVERIFY(list->height() >= list->sizeHintForRow(0));
    }

    /// If the panel is too low for the whole effect, its first line is shown, and the rest is in
    /// the tooltip.
    void aLowPanelShowsTheFirstLine() {
        ModelFixture fixture;
        fixture.view.resize(960, 400);
        fixture.click(fixture.centre({core::AttentionId(1), 4}));
        QVERIFY(fixture.untilSilenced());
        const auto *scroll = fixture.find<QScrollArea>("modelPanelScroll");
        const auto *line = fixture.find<QLabel>("modelSilencing");
        const auto *more = fixture.find<QLabel>("modelSilencingMore");
        const auto *list = fixture.find<QListView>("modelHeads");
        QVERIFY(!more->isHidden() && line->toolTip().isEmpty());
        int lowSizes = 0;
        for (int height = 400; height > 200; height -= 4) {
            fixture.view.resize(960, height);
            QCoreApplication::processEvents();
            if (!more->isHidden())
                continue;
            ++lowSizes;
            QVERIFY(test::says(line->toolTip(), more->text()));
            const QRect place(line->mapTo(scroll->viewport(), QPoint()), line->size());
            QVERIFY2(scroll->viewport()->rect().contains(place),
                     qPrintable(QString::number(height)));
            QVERIFY(list->height() >= list->sizeHintForRow(0));
        }
        QVERIFY(lowSizes > 0);
    }

    void whatCannotBeSilencedIsSaid() {
        ModelFixture bare(test::opened("cat")); // without an output layer
        QVERIFY(test::says(bare.silencing(), "no output layer"));
    }

    void anotherTextHasItsOwnHeads() {
        ModelFixture fixture;
        const core::TracePointer before = fixture.document.trace();
        fixture.key(Qt::Key_P);
        QVERIFY(test::setMasks(fixture.document, {}).ok());
        fixture.settle();
        (void)fixture.view.grab();
        fixture.untilReady();
        QVERIFY(fixture.document.trace() != before);
        const core::SharedMatrix shown = fixture.tile({core::AttentionId(0), 0}).content.matrix();
        const core::SharedMatrix weights =
            fixture.document.trace()->matrix(Stage::AttentionWeights, {}, 0, 0);
        QVERIFY(std::ranges::equal(shown.row(0), weights.row(0)));
        fixture.document.open(layersAndWords(1, 1)); // a single token and layer
        fixture.settle();
        (void)fixture.view.grab();
        fixture.untilReady();
        QCOMPARE(fixture.view.pinned().size(), std::size_t(0));
        QCOMPARE(fixture.view.model()->tiles().size(), std::size_t(12));
        QCOMPARE(fixture.panel().heads().rowCount(), 12);
    }

    /// A file has every thumbnail, and no list.
    void aFileHasEveryHead() {
        ModelFixture fixture;
        const auto figure = fixture.view.figureIn(FigureStyle::paper());
        const auto &model = static_cast<const ModelFigure &>(*figure);
        QVERIFY(model.nothing().isEmpty());
        for (const ModelFigure::Tile &tile : model.tiles())
            QVERIFY(!tile.content.matrix().empty());
        QVERIFY(model.minimumSize().width() < 400); // the list is not in the file
    }

    /// A view paints only its visible part, which looks the same as in the complete picture.
    void theVisiblePartIsThatOfTheWhole() {
        ModelFixture fixture(layersAndWords(4, 12));
        fixture.view.togglePin({{1}, 1});
        (void)fixture.view.figure();
        const ModelFigure &model = *fixture.view.model();
        const QSize size(700, 500);
        const QSizeF zoomed = 3 * QSizeF(size);
        const auto painted = [&](QPointF pan, const QSize &pixels) {
            QImage image(pixels, QImage::Format_RGB32);
            image.fill(Qt::magenta);
            QPainter painter(&image);
            model.paint(painter, QRectF(-pan, zoomed), Device::Raster);
            return image;
        };
        const QImage whole = painted({}, zoomed.toSize());
        const ModelGeometry places = model.geometry(QRectF(QPointF(), zoomed));
        std::vector<QRectF> images;
        for (const ModelFigure::Tile &tile : model.tiles())
            images.push_back(model.picture(places, tile));
        for (std::size_t card = 0; card < model.cards().size(); ++card)
            images.push_back(model.cardGeometry(places, card).cells);
        for (const QPoint pan : {QPoint(0, 0), QPoint(1400, 0), QPoint(0, 1000), QPoint(1400, 1000),
                                 QPoint(333, 217), QPoint(701, 555)}) {
            const QImage part = painted(pan, size);
            int others = 0; // pixels of images that are rounded differently
            for (int y = 0; y < size.height(); ++y)
                for (int x = 0; x < size.width(); ++x) {
                    const QPoint at = pan + QPoint(x, y);
                    if (part.pixel(x, y) == whole.pixel(at))
                        continue;
                    ++others;
                    QVERIFY2(
                        std::ranges::any_of(
                            images, [&](const QRectF &image) { return image.contains(at); }),
                        test::said("%1, %2", QString::number(at.x()), QString::number(at.y())));
                }
            QVERIFY2(others < 200, qPrintable(QString::number(others)));
        }
    }

    void aSmallViewHasNoList() {
        ModelFixture fixture;
        QVERIFY(fixture.panel().isVisible());
        QVERIFY(!fixture.panel().accessibleName().isEmpty());
        fixture.view.resize(400, 300);
        QVERIFY(!fixture.panel().isVisible());
    }
};

HEADLIGHT_WIDGET_TEST(ModelViewTest)
#include "tst_model_view.moc"
