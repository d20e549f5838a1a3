// The training figure: curves match their numbers, all are labelled, and nothing overlaps.
#include "tests/support/training.h"
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/training/training_figure.h"
#include "ui/text/ablation_text.h"

using Kind = TrainingContent::Curve::Kind;

namespace {

struct Run {
    core::Model model;
    core::TrainingRunPointer run;
    core::Selection selection{};

    template <typename Change>
    void edit(Change change) {
        core::TrainingRun copy = *run;
        change(copy);
        run = std::make_shared<const core::TrainingRun>(std::move(copy));
    }
    TrainingFigure figure(double textScale = 1, const FigureOptions &options = {}) const {
        return TrainingFigure::of(run, model, selection, FigureStyle::light(textScale), options);
    }
};

/// Returns a run with known numbers: the loss is 1 / (1 + step), and the heads rise one after
/// another.
Run knownRun(core::Index steps = 60) {
    const core::TrainingState state = test::trained(test::smallRecipe(), 0);
    core::TrainingRun run;
    run.recipe = state.recipe;
    run.recipe.steps = steps;
    run.step = steps;
    for (core::Index step = 0; step < steps; ++step) {
        core::HistoryPoint point;
        point.step = step;
        point.isStep = true;
        point.loss = 1.0 / static_cast<double>(1 + step);
        point.accuracy = static_cast<double>(step) / static_cast<double>(steps);
        if (step % 10 == 0) {
            point.heldOut = core::HeldOut{2 * point.loss, point.accuracy / 2};
            for (int layer = 0; layer < 2; ++layer) {
                point.heads.emplace_back();
                for (int head = 0; head < 2; ++head) {
                    core::HeadMeasures measures;
                    measures.entropy = 1 + layer;
                    measures.previousToken = 0.1 * head;
                    measures.induction = 0.25 * (2 * layer + head) + 0.001 * double(step);
                    point.heads.back().push_back(measures);
                }
            }
        }
        run.history.push_back(std::move(point));
    }
    return {state.model, std::make_shared<const core::TrainingRun>(std::move(run))};
}

/// Returns the run with an ablated run whose losses are `factor` times as large, with equal
/// accuracies.
Run knownRace(core::Ablation ablation = core::Ablation::NoNorm, double factor = 2) {
    Run known = knownRun();
    core::AblatedRun ablated;
    ablated.ablation = ablation;
    ablated.state.history = known.run->history;
    for (core::HistoryPoint &point : ablated.state.history) {
        point.loss *= factor;
        if (point.heldOut)
            point.heldOut->loss *= factor;
    }
    known.edit([&](core::TrainingRun &run) {
        run.ablated = std::make_shared<const core::AblatedRun>(std::move(ablated));
    });
    return known;
}

const TrainingContent::Curve &curve(const TrainingContent::Plot &plot, Kind kind) {
    for (const TrainingContent::Curve &each : plot.curves)
        if (each.kind == kind)
            return each;
    qFatal("no such curve");
}

QList<QRectF> labelsOf(const CurvePlotGeometry &plot) {
    QList<QRectF> all;
    for (const auto &label : plot.labels)
        all << label.rect;
    for (const auto &level : plot.levels)
        if (!level.label.isNull())
            all << level.label;
    if (!plot.more.isNull())
        all << plot.more;
    return all;
}

/// Checks that the plots and their labels are large enough and do not overlap.
void checkPlots(const TrainingGeometry &places) {
    for (std::size_t i = 0; i < places.plots.size(); ++i) {
        const CurvePlotGeometry &plot = places.plots[i];
        QVERIFY2(plot.plot.width() > 60 && plot.plot.height() > 30,
                 test::said("%1 × %2", plot.plot.width(), plot.plot.height()));
        QVERIFY(plot.card.contains(plot.plot));
        QVERIFY(!plot.card.intersects(places.outcome));
        for (std::size_t other = 0; other < i; ++other)
            QVERIFY(!plot.card.intersects(places.plots[other].card));
        QList<QRectF> labels = labelsOf(plot);
        for (QRectF &label : labels) {
            QVERIFY(plot.card.contains(label));
            label.adjust(0.5, 0.5, -0.5, -0.5);
        }
        QVERIFY(test::areApart(labels));
    }
}

} // namespace

class TrainingFigureTest : public QObject {
    Q_OBJECT
  private slots:
    void curves_are_the_runs_numbers() {
        const Run run = knownRun();
        const TrainingContent content = run.figure().content();
        QCOMPARE(content.plots.size(), std::size_t(3));
        const TrainingContent::Plot &loss = content.plots[0];
        QCOMPARE(curve(loss, Kind::Batch).points.size(), std::size_t(60));
        QCOMPARE(curve(loss, Kind::Batch).points[9], QPointF(9, 0.1));
        QCOMPARE(curve(loss, Kind::HeldOut).points.size(), std::size_t(6));
        QCOMPARE(curve(loss, Kind::HeldOut).points[1], QPointF(10, 2.0 / 11));
        QVERIFY(loss.isLog); // the loss falls below a twentieth
        QCOMPARE(loss.levels.size(), std::size_t(1));
        QCOMPARE(loss.levels[0].value, std::log(double(run.model.vocabulary->size())));
        const TrainingContent::Plot &accuracy = content.plots[1];
        QVERIFY(!accuracy.isLog);
        QCOMPARE(accuracy.levels.size(), std::size_t(2));
        QCOMPARE(accuracy.levels[1].value, 1.0);
        const TrainingContent::Plot &heads = content.plots[2];
        QCOMPARE(heads.curves.size(), std::size_t(4));
        QVERIFY(heads.title.contains("induction"));
        QVERIFY(heads.curves.back().isSelected); // its curve is painted above the others
    }

    void of_a_persons_own_text_single_answers_are_counted() {
        Run run = knownRun();
        run.edit([](core::TrainingRun &own) { own.recipe.task = "characters"; });
        const TrainingContent::Plot accuracy = run.figure().content().plots[1];
        QVERIFY(test::says(accuracy.unit, "answers"));
        QCOMPARE(accuracy.levels.size(),
                 std::size_t(1)); // only chance level, since the best accuracy is unknown
        QCOMPARE(accuracy.levels[0].value, 1.0 / double(run.model.vocabulary->size()));
        const QString words = ui::wordsAtStep(*run.run, 30);
        QVERIFY(test::says(words, "of the answers"));
        QVERIFY(!ui::wordsAtStep(*knownRun().run, 30).contains("of the answers"));
    }

    void where_nothing_is_repeated_another_measure_stands_for_induction() {
        Run run = knownRun();
        run.edit([](core::TrainingRun &without) {
            for (core::HistoryPoint &point : without.history)
                for (auto &heads : point.heads)
                    for (core::HeadMeasures &head : heads)
                        head.induction.reset();
        });
        QVERIFY(run.figure().content().plots[2].title.contains("previous"));
        FigureOptions options;
        options.measure = core::HeadOrder::Induction;
        QCOMPARE(run.figure(1, options).content().plots.size(), std::size_t(2));
    }

    void a_smoothed_curve_is_the_mean_of_its_neighbours() {
        const Run run = knownRun(400);
        const TrainingContent::Plot loss = run.figure().content().plots[0];
        const auto &raw = curve(loss, Kind::Batch).points;
        const auto &smooth = curve(loss, Kind::Smoothed).points;
        double sum = 0;
        for (int i = 96; i <= 104; ++i) // four neighbours on each side
            sum += raw[std::size_t(i)].y();
        QVERIFY(std::abs(smooth[100].y() - sum / 9) < 1e-12);
        QCOMPARE(smooth.size(), raw.size());
    }

    void points_stand_where_the_axes_say() {
        const Run run = knownRun();
        const TrainingFigure figure = run.figure();
        const TrainingGeometry places = figure.geometry({0, 0, 960, 600});
        for (const CurvePlotGeometry &plot : places.plots) {
            QCOMPARE(plot.at({0, plot.low}), plot.plot.bottomLeft());
            QCOMPARE(plot.at({plot.lastStep, plot.high}), plot.plot.topRight());
            QCOMPARE(plot.stepAt(plot.at({17, plot.low}).x()), 17.0);
            QVERIFY(plot.values.size() >= 2);
            QVERIFY(plot.steps.size() >= 2);
            for (const double value : plot.values)
                QVERIFY(value >= plot.low && value <= plot.high);
        }
        // On a log scale, equal factors are at equal distances.
        const CurvePlotGeometry &loss = places.plots[0];
        const double first = loss.at({0, 0.1}).y() - loss.at({0, 0.2}).y();
        QVERIFY(std::abs(first - (loss.at({0, 0.4}).y() - loss.at({0, 0.8}).y())) < 1e-9);
        QCOMPARE(loss.now, loss.plot.right()); // the mark is at the last step
    }

    void labels_stand_beside_their_curves_and_not_over_each_other_data() {
        test::addColumns<QSizeF, double>({"size", "scale"});
        QTest::newRow("natural") << QSizeF(960, 600) << 1.0;
        QTest::newRow("a small window") << QSizeF(698, 400) << 1.0;
        QTest::newRow("narrow") << QSizeF(420, 900) << 1.0;
        QTest::newRow("large text") << QSizeF(1280, 900) << 2.0;
        QTest::newRow("large text, narrow") << QSizeF(640, 1200) << 2.0;
    }
    void labels_stand_beside_their_curves_and_not_over_each_other() {
        QFETCH(QSizeF, size);
        QFETCH(double, scale);
        const Run run = knownRun();
        const TrainingFigure figure = run.figure(scale);
        const QRectF area(QPointF(), figure.readableSize(size));
        const TrainingGeometry places = figure.geometry(area);
        checkPlots(places);
        for (const CurvePlotGeometry &plot : places.plots) {
            QVERIFY(area.contains(plot.card));
            QCOMPARE(plot.unlabelled, 0);
            for (const auto &label : plot.labels) // moved no farther than the other labels require
                QVERIFY(std::abs(label.rect.center().y() - label.end) <
                        label.rect.height() * double(plot.labels.size()));
        }
    }

    void of_many_heads_the_highest_have_labels_and_the_selected_one() {
        Run run = knownRun();
        const TrainingFigure figure = run.figure();
        const CurvePlotGeometry flat = curvePlotGeometry(
            figure.content(), figure.content().plots[2], FigureStyle::light(), {0, 0, 400, 112});
        QVERIFY(flat.unlabelled > 0);
        QVERIFY(!flat.more.isNull());
        bool hasSelected = false;
        for (const auto &label : flat.labels)
            hasSelected |= figure.content().plots[2].curves[label.curve].isSelected;
        QVERIFY(hasSelected);
    }

    void it_paints_its_curves_in_every_style() {
        const Run run = knownRun();
        for (const FigureStyle &style :
             {FigureStyle::light(), FigureStyle::dark(), FigureStyle::paper()}) {
            const TrainingFigure figure =
                TrainingFigure::of(run.run, run.model, run.selection, style);
            const QSizeF size = figure.naturalSize();
            const QImage image = test::paintedOn(figure, size.toSize());
            const TrainingGeometry places = figure.geometry(QRectF(QPointF(), size));
            const auto &points = curve(figure.content().plots[1], Kind::Smoothed).points;
            const QPoint at = places.plots[1].at(points[25]).toPoint();
            const QColor line = image.pixelColor(at);
            QVERIFY2(contrastOf(line, style.surface) > 2, qPrintable(line.name()));
            QVERIFY(contrastOf(style.mutedText, style.surface) > 4.4);
            for (const TrainingContent::Plot &plot : figure.content().plots)
                for (const TrainingContent::Curve &each : plot.curves)
                    if (each.kind != Kind::Batch)
                        QVERIFY(contrastOf(colourOf(each, figure.content(), style), style.surface) >
                                1.6);
        }
    }

    void what_stands_under_the_mouse() {
        const Run run = knownRun();
        const TrainingFigure figure = run.figure();
        const TrainingGeometry places = figure.geometry({0, 0, 960, 600});
        const QPointF at = places.plots[1].at({20.2, 0.5});
        QCOMPARE(std::lround(*figure.stepAt(places, at)), 20L);
        QVERIFY(figure.words(places, at).contains("20"));
        QVERIFY(figure.words(places, at).contains("0.0476")); // 1 / 21
        QVERIFY(!figure.stepAt(places, {2, 2}));
        QVERIFY(figure.words(places, {2, 2}).isEmpty());
        const TrainingContent::Curve &head = figure.content().plots[2].curves[1];
        const auto *found = figure.headAt(places, places.plots[2].at(head.points[3]));
        QVERIFY(found);
        QCOMPARE(found->attention, head.order);
        QCOMPARE(found->head, head.head);
        QVERIFY(!figure.headAt(places, at));
    }

    void a_rivals_curves_are_in_the_same_plots_data() {
        labels_stand_beside_their_curves_and_not_over_each_other_data();
    }
    void a_rivals_curves_are_in_the_same_plots() {
        QFETCH(QSizeF, size);
        QFETCH(double, scale);
        const Run run = knownRace();
        const TrainingFigure figure = run.figure(scale);
        for (int i : {0, 1}) {
            const TrainingContent::Plot &plot = figure.content().plots[std::size_t(i)];
            QCOMPARE(plot.curves.size(), std::size_t(5));
            QStringList names;
            for (const TrainingContent::Curve &each : plot.curves) {
                names << each.name;
                for (const FigureStyle &style : {FigureStyle::light(), FigureStyle::dark()})
                    for (const TrainingContent::Curve &other : plot.curves)
                        if (each.isAblated != other.isAblated)
                            QVERIFY(colourOf(each, figure.content(), style) !=
                                    colourOf(other, figure.content(), style));
            }
            QVERIFY(names.join('|').contains("without norms"));
            QVERIFY(names.join('|').contains("|with norms"));
        }
        // The heads of the ablated run are marked as well. They cannot be selected.
        const TrainingContent::Plot &heads = figure.content().plots[2];
        QVERIFY(test::says(heads.unit, "held out"));
        QCOMPARE(heads.curves.size(), std::size_t(8));
        const CurvePlotGeometry around =
            figure.geometry(QRectF(QPointF(), figure.readableSize(size))).plots[2];
        QStringList names;
        for (std::size_t i = 0; i < 8; ++i) {
            QCOMPARE(heads.curves[i].isAblated, i < 4); // painted below the run's own curves
            names << heads.curves[i].name;
        }
        QCOMPARE(names.mid(0, 4).join(""), QString("heads without norms"));
        for (const FigureStyle &style : {FigureStyle::light(), FigureStyle::dark()})
            for (std::size_t i = 4; i < 8; ++i)
                QVERIFY(colourOf(heads.curves[i], figure.content(), style) !=
                        colourOf(heads.curves[0], figure.content(), style));
        for (const CurvePlotGeometry::Label &label : around.labels)
            if (heads.curves[label.curve].isAblated)
                QVERIFY(
                    !figure.headAt(figure.geometry(QRectF(QPointF(), figure.readableSize(size))),
                                   label.rect.center()));
        const auto &ablated = figure.content().plots[0].curves[0];
        QVERIFY(ablated.isAblated); // painted below the run's own curves
        QCOMPARE(ablated.points[9], QPointF(9, 0.2));
        // The outcome is below the plots, complete and without overlaps.
        const QRectF area(QPointF(), figure.readableSize(size));
        const TrainingGeometry places = figure.geometry(area);
        QVERIFY(area.contains(places.outcome));
        checkPlots(places);
        const QString outcome = figure.content().outcome;
        QVERIFY(test::says(outcome, "In the literature"));
        QVERIFY(test::says(outcome, "step 50")); // the last measured step
        QVERIFY(test::says(outcome, "0.0392"));  // 2 / 51
        QVERIFY(test::says(outcome, "0.0784"));  // twice as much
        QVERIFY(figure.description().contains(outcome));
        QVERIFY(figure.words(places, places.plots[1].at({20.2, 0.5})).contains("without norms"));
    }

    void what_is_only_slower_is_not_said_not_to_learn() {
        const auto said = [](std::optional<core::Index> run, std::optional<core::Index> ablated,
                             core::Ablation ablation = core::Ablation::NoResidual) {
            core::AblationResult result;
            result.step = 100;
            result.run.learned = run;
            result.ablated.learned = ablated;
            return ui::outcomeOf(result, ablation, {}).first();
        };
        QCOMPARE(said(40, 90),
                 QString("Learning takes longer without residual connections, but succeeds."));
        QCOMPARE(
            said(40, {}),
            QString(
                "Confirmed: without residual connections, the task has not been learned so far."));
        QCOMPARE(said(90, 40),
                 QString("Not confirmed: learning is faster without residual connections."));
        QCOMPARE(said({}, 40), QString("Not confirmed: so far the task has been learned only "
                                       "without residual connections."));
        QCOMPARE(said(90, 90), QString("No clear difference so far."));
        QCOMPARE(said(40, 90, core::Ablation::NoPositions),
                 QString("Not confirmed: the task is also learned without positions."));
        core::AblationResult broken;
        broken.ablated.divergence = 7;
        QCOMPARE(ui::outcomeOf(broken, core::Ablation::NoNorm, {}).first(),
                 QString("Confirmed: training diverges without norms."));
    }

    void what_was_not_measured_in_a_race_is_a_dash() {
        core::AblationResult result;
        result.run.lossVariation = 0.0;
        const QString said = ui::outcomeOf(result, core::Ablation::NoNorm, {}).last();
        QVERIFY(test::says(said, "by 0.0 %"));
        QVERIFY(test::says(said, QString::fromUtf8("by — without norms")));
    }

    void a_head_without_the_measure_has_no_curve_and_the_others_have() {
        Run known = knownRace();
        known.edit([](core::TrainingRun &run) {
            core::AblatedRun ablated = *run.ablated;
            for (core::History *history : {&run.history, &ablated.state.history})
                for (core::HistoryPoint &point : *history)
                    for (auto &heads : point.heads) // only for the first head of each layer
                        heads.front().induction.reset();
            run.ablated = std::make_shared<const core::AblatedRun>(std::move(ablated));
        });
        const TrainingContent::Plot heads = known.figure().content().plots[2];
        QVERIFY(heads.title.contains("induction"));
        QCOMPARE(heads.curves.size(), std::size_t(4)); // two of the run, two of the ablated run
        for (const TrainingContent::Curve &curve : heads.curves)
            QCOMPARE(curve.head, core::Index(1));
    }

    void without_a_run_it_says_what_to_do() {
        Run run = knownRun();
        run.run.reset();
        const TrainingFigure figure = run.figure();
        QVERIFY(figure.content().plots.empty());
        QVERIFY(!figure.content().nothing.isEmpty());
        const QSizeF size = figure.naturalSize();
        const PaintingRecord record = PaintingRecord::of(figure, size, Device::Vector);
        QVERIFY(!record.textsIn(QRectF(QPointF(), size)).isEmpty());
        QVERIFY(figure.description().contains(figure.content().nothing));
    }

    void before_the_first_step_there_are_axes() {
        Run run = knownRun();
        run.edit([](core::TrainingRun &first) {
            const core::Recipe recipe = first.recipe;
            first = {};
            first.recipe = recipe;
        });
        const TrainingFigure figure = run.figure();
        QCOMPARE(figure.content().plots.size(), std::size_t(2));
        const TrainingGeometry places = figure.geometry({0, 0, 700, 500});
        QCOMPARE(places.plots[0].now, places.plots[0].plot.left());
        QVERIFY(places.plots[0].steps.size() >= 2);
        QVERIFY(!figure.description().isEmpty());
    }
};

HEADLIGHT_WIDGET_TEST(TrainingFigureTest)
#include "tst_training_figure.moc"
