// Contents that figures take from a trace: numbers, labels, masks and descriptions.
#include "core/formats/session/data/words.h"
#include "tests/support/training.h"
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/heatmap/trace_heatmap.h"

namespace {

QString formula(const core::TracePointer &trace, Stage stage) {
    return plainText(formulaSpans(*trace, test::at(stage), FigureStyle::light()));
}

} // namespace

class FigureContentTest : public QObject {
    Q_OBJECT

  private slots:
    /// The word lists used in files have an entry for each enumerator (checked by
    /// compiler-generated names).
    void everyChoiceHasAWordAndAName() {
        const auto haveNames = []<typename Choice>(Choice) {
            constexpr std::size_t count = std::size(core::Words<Choice>::all);
            for (std::size_t i = 1; i < count; ++i) // the first kind of norm is "none"
                if (titleOf(static_cast<Choice>(i)).isEmpty())
                    return false;
            return titleOf(static_cast<Choice>(count)).isEmpty();
        };
        QVERIFY(haveNames(core::Activation()));
        QVERIFY(haveNames(core::NormKind()));
    }

    /// Pictures with two different titles differ only at the top.
    void everyViewPaintsItsTitle_data() {
        QTest::addColumn<core::View>("view");
        QTest::addColumn<bool>("opened");
        for (const ViewInfo &info : allViews())
            for (const bool opened : {false, true})
                if (!opened || info.has(Choice::Arithmetic))
                    QTest::addRow("%s%s", qPrintable(idOf(info)), opened ? ", opened" : "")
                        << info.view << opened;
    }
    void everyViewPaintsItsTitle() {
        QFETCH(core::View, view);
        QFETCH(bool, opened);
        FigureInput input{.trace = test::traceOf("gpt_neox"), .style = FigureStyle::light()};
        input.selection.query = 3;
        input.selection.key = 1;
        input.selection.opened = opened;
        input.training = test::someRun(input.trace->model());
        input.birth = test::someBirth();
        std::vector<QImage> pictures;
        for (const char *title : {"First title", "Other title"}) {
            input.options.title = title;
            const std::unique_ptr<Figure> figure = infoOf(view).makeFigure(input);
            QVERIFY(infoOf(view).whyEmpty(input, *figure).isEmpty());
            QVERIFY(figure->description().contains(input.options.title));
            pictures.push_back(
                test::paintedOn(*figure, figure->naturalSize().expandedTo({900, 700}).toSize()));
        }
        int first = pictures[0].height(), last = -1;
        for (int y = 0; y < pictures[0].height(); ++y)
            for (int x = 0; x < pictures[0].width(); ++x)
                if (pictures[0].pixel(x, y) != pictures[1].pixel(x, y)) {
                    first = std::min(first, y);
                    last = y;
                }
        QVERIFY2(first <= last && last < 60, qPrintable(QString("%1 to %2").arg(first).arg(last)));
    }

    void aRowThatSeesNothingIsSaid() {
        TraceRecipe recipe;
        recipe.masks = {core::CausalMask{}, core::CellMask{{{{}, 0, 0, false}}}};
        const auto one = contentOf(makeTrace(recipe), test::at(Stage::AttentionWeights),
                                   FigureStyle::light(), {});
        QVERIFY(one.seesNothing(0) && !one.seesNothing(1) && !one.emptyRowText.isEmpty());
        QVERIFY(!one.subtitle.contains(QStringLiteral("each row")));
        QVERIFY(one.subtitle.contains(QStringLiteral("1 row is fully masked")));
        const auto none =
            contentOf(makeTrace(), test::at(Stage::AttentionWeights), FigureStyle::light(), {});
        QVERIFY(none.subtitle.contains(QStringLiteral("each row sums to 1")));
    }

    void whatIfsAreSaid() {
        const auto of = [](const TraceRecipe &recipe, Stage stage) {
            return contentOf(makeTrace(recipe), test::at(stage), FigureStyle::light(), {});
        };
        TraceRecipe recipe;
        recipe.masks = {core::CausalMask{}, core::DiagonalMask{}}; // the first row is fully masked
        recipe.masking.value = -1e9f;
        QVERIFY(!of(recipe, Stage::AttentionWeights).seesNothing(0));
        QVERIFY(of(recipe, Stage::AttentionWeights)
                    .subtitle.contains(QStringLiteral("each row sums to 1")));
        const auto masked = of(recipe, Stage::MaskedScores);
        QVERIFY(!masked.seesNothing(0) && masked.isHidden(0, 0));
        QVERIFY(masked.subtitle.contains(QStringLiteral("hidden = −1e+09")));
        QVERIFY(masked.scale.position(0, 100) == 1); // the mask value does not extend the scale
        recipe.masking = {.afterSoftmax = true};
        QVERIFY(of(recipe, Stage::MaskedScores).matrix().empty());
        QVERIFY(
            of(recipe, Stage::AttentionWeights).subtitle.contains(QStringLiteral("masked after")));
        QVERIFY(of(recipe, Stage::UnmaskedWeights).subtitle.contains(QStringLiteral("each row")));
        QVERIFY(plainText(formulaSpans(*makeTrace(recipe), test::at(Stage::AttentionWeights),
                                       FigureStyle::light()))
                    .startsWith(QStringLiteral("A = A′ ⊙ mask"))); // and not "A = A′"
        recipe.masking = {};
        recipe.softmax = false;
        const auto weights = of(recipe, Stage::AttentionWeights);
        QVERIFY(weights.subtitle.contains(QStringLiteral("no softmax: rows do not sum to 1")));
        QVERIFY(isDiverging(weights.scale.map()));
    }

    /// The weights of a head's sink are next to the cells, where no key can be selected.
    void aSinkHasAColumnThatIsNoToken() {
        const core::TracePointer plain = makeTrace();
        core::Model model = plain->model();
        const core::Index heads = model.config.heads;
        model.parameters.main.layers[0].selfAttention.sinks = core::makeParameter(
            core::Matrix(1, heads, std::vector<float>(static_cast<std::size_t>(heads), 0.5F)));
        const auto made = test::forward(model, plain->input());
        QVERIFY(made.ok());
        const core::Selection place = test::at(Stage::AttentionWeights);
        const auto figure = HeatmapFigure::fromTrace(*made, place, FigureStyle::light());
        const HeatmapContent &content = figure.content();
        const core::SharedMatrix weights = content.matrix();
        QCOMPARE(core::Index(content.beside.size()), weights.rows);
        for (core::Index row = 0; row < weights.rows; ++row) {
            double sum = static_cast<double>(content.beside[static_cast<std::size_t>(row)]);
            for (const float weight : weights.row(row))
                sum += static_cast<double>(weight);
            QVERIFY(std::abs(sum - 1) < 1e-5);
        }
        QVERIFY(figure.description().contains(QStringLiteral("sink (no token)")));
        const QRectF area(0, 0, 600, 500);
        const HeatmapGeometry geometry = figure.geometry(area);
        QVERIFY(geometry.beside.left() > geometry.cells.right());
        QVERIFY(area.contains(geometry.beside) && area.contains(geometry.besideLabel));
        QVERIFY(!geometry.cellAt(geometry.beside.center()));
        QVERIFY(
            HeatmapFigure::fromTrace(plain, place, FigureStyle::light()).content().beside.empty());
        QCOMPARE(
            contentOf(*made, test::at(Stage::SinkWeights), FigureStyle::light(), {}).columnLabels,
            QStringList{QStringLiteral("sink (no token)")});
    }

    void interventionsAreSaid() {
        TraceRecipe recipe;
        recipe.interventions.setHead(0, 1, core::HeadState::Zero);
        recipe.interventions.setScore({0, 0, 0, 3, 1, 2.5f});
        const auto trace = makeTrace(recipe);
        const auto scores = contentOf(trace, test::at(Stage::Scores), FigureStyle::light(), {});
        QVERIFY((scores.setByHand == std::vector<Cell>{{3, 1}}));
        QVERIFY(scores.subtitle.contains(QStringLiteral("overridden")));
        const auto silenced =
            contentOf(trace, test::at(Stage::Context, 1), FigureStyle::light(), {});
        QVERIFY(silenced.setByHand.empty());
        QVERIFY(silenced.subtitle.contains(QStringLiteral("head 1 · silenced")));
        core::Selection head = test::at(Stage::Context, 1);
        QVERIFY(plainText(formulaSpans(*trace, head, FigureStyle::light()))
                    .contains(QStringLiteral("Z = 0")));
        core::Selection cell = test::at(Stage::Scores);
        cell.query = 3;
        cell.key = 1;
        QVERIFY(plainText(arithmeticOf(*trace, cell, FigureStyle::light()))
                    .contains(QStringLiteral("overridden")));
    }

    void aKeyIsSelectedAmongTheKeys() {
        core::Selection selection = test::at(Stage::Key);
        selection.query = 4;
        selection.key = 3;
        const auto trace = makeTrace();
        QCOMPARE(contentOf(trace, selection, FigureStyle::light(), {}).selectedRow, core::Index(3));
        selection.stage = Stage::Query;
        QCOMPARE(contentOf(trace, selection, FigureStyle::light(), {}).selectedRow, core::Index(4));
    }

    /// If the model lacks a stage, the stage that it would be computed from is shown.
    void ofAMissingStageItsSourceIsShown() {
        TraceRecipe recipe;
        recipe.output = false;
        const auto shown = [&](Stage stage) {
            return WholeFigure::shown(*makeTrace(recipe), test::at(stage)).stage;
        };
        QCOMPARE(shown(Stage::Output), Stage::Concatenated);
        QCOMPARE(shown(Stage::Positioned), Stage::Embeddings);
        recipe.positions = core::Positions::Sinusoidal;
        QCOMPARE(shown(Stage::Positioned), Stage::EmbeddingSum);
    }

    void laterLayersStartFromTheirInput() {
        TraceRecipe recipe;
        recipe.layers = 2;
        recipe.positions = core::Positions::Sinusoidal;
        const auto trace = makeTrace(recipe);
        QCOMPARE(tensorOf(*trace, Stage::Embeddings, 1).identity(),
                 trace->stage("layers.0.output").identity());
        const ModelParts parts(*trace);
        QCOMPARE(parts.parts().size(), std::size_t(2));
        QVERIFY((parts.stagesOf(parts.parts()[1]).front() == core::StageId{Stage::LayerInput, 1}));
        core::Selection selection = test::at(Stage::Embeddings);
        selection.layer = 1;
        QCOMPARE(WholeFigure::shown(*trace, selection).stage, Stage::LayerInput);
    }

    /// A fixed range of 0 to 1 would give all larger weights the same colour.
    void weightsOfARouterBeyondOneHaveTheirOwnRange() {
        const auto trace = test::passOf(test::sessionPath("deepseek"));
        for (const Stage stage : {Stage::RouterScores, Stage::ExpertWeights}) {
            core::Selection selection = test::at(stage);
            selection.layer = 1;
            const HeatmapContent content =
                contentOf(trace, selection, FigureStyle::light(), FigureOptions());
            const core::SharedMatrix matrix = content.matrix();
            float largest = 0;
            for (core::Index row = 0; row < matrix.rows; ++row)
                largest = std::max(largest, *std::ranges::max_element(matrix.row(row)));
            QVERIFY(largest > 1);
            QCOMPARE(content.scale.endsOf(0).high, static_cast<double>(largest));
        }
    }

    void formulasSayWhatIsComputed() {
        const auto trace = makeTrace();
        QVERIFY(formula(trace, Stage::Query).startsWith(QStringLiteral("Q = X · WQ")));
        QVERIFY(formula(trace, Stage::ScaledScores).startsWith(QStringLiteral("S = QKᵀ / √16")));
        QVERIFY(formula(trace, Stage::AttentionWeights)
                    .startsWith(QStringLiteral("A = softmax(S + M)")));
        QVERIFY(formula(trace, Stage::Concatenated).startsWith(QStringLiteral("Concat(Z₀, Z₁)")));
        core::Model model = trace->model();
        model.config.scale.kind = core::Scale::Kind::Off;
        model.config.temperature = 2;
        const auto changed = test::passOf(model, trace->input());
        QVERIFY(!formula(changed, Stage::ScaledScores).contains(QLatin1Char('/')));
        QVERIFY(formula(changed, Stage::AttentionWeights).contains(QStringLiteral("(S + M) / 2")));
    }
};

HEADLIGHT_WIDGET_TEST(FigureContentTest)
#include "tst_figure_content.moc"
