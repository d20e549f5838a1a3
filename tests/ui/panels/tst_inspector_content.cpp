// The inspector's content at every stage of every lesson, for masks, padding and other scripts.
#include "core/formats/capture/capture_trace.h"
#include "core/selection/selected.h"
#include "core/transformer/plan/model_stages.h"
#include "tests/ui/panels/editor_fixture.h"
#include "ui/document/fitting_selection.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/panels/inspector_content.h"
#include "ui/panels/inspector_copy.h"

class InspectorContentTest : public QObject {
    Q_OBJECT

    static ui::InspectorContent inspected(const core::TracePointer &trace,
                                          const core::Selection &place) {
        return ui::inspect(trace.get(), place, ui::FigureStyle::light());
    }
    /// Checks that the selected number, and no other, is marked.
    static void checkMark(const ui::InspectorContent &content, const core::Result<float> &value) {
        int marked = 0;
        for (const ui::InspectorSection &section : content.sections)
            for (const ui::InspectorLine &line : section.lines)
                if (line.current) {
                    ++marked;
                    QVERIFY(value.ok());
                    QCOMPARE(line.value, ui::shownNumber(static_cast<double>(*value)));
                }
        QCOMPARE(marked, value.ok() ? 1 : 0);
    }

    static core::Selection at(core::Stage stage, core::Index query,
                              std::optional<core::Index> column, core::Index sequence = 0) {
        core::Selection place;
        place.sequence = sequence;
        place.stage = stage;
        place.query = place.key = query; // `key` is the row in stages with one row per key
        if (core::infoOf(stage).overKeys())
            place.key.reset();
        (core::infoOf(stage).overKeys() ? place.key : place.dimension) = column;
        return place;
    }

    static QString everything(const ui::InspectorContent &content) {
        QString text = content.headline + content.place;
        for (const ui::InspectorSection &section : content.sections) {
            text += section.heading + section.words;
            for (const ui::InspectorLine &line : section.lines)
                text += line.name + line.expression + line.value;
        }
        return text + content.allTerms();
    }

  private slots:
    /// The content names the row of the embedding matrix, and mentions another word with the same
    /// spelling.
    void lookedUpRows() {
        const core::TracePointer trace = test::passOf(test::sessionPath("words_alike"));
        const auto said = [&](core::Index token) {
            return everything(inspected(trace, at(core::Stage::Embeddings, token, std::nullopt)));
        };
        QVERIFY(
            said(2).contains("Row 8 of the embedding matrix; another word is spelled the same."));
        QVERIFY(
            said(8).contains("Row 4 of the embedding matrix; another word is spelled the same."));
        QVERIFY(said(5).contains("Row 6 of the embedding matrix. Click one of its numbers"));
    }

    /// In every configuration, every cell of every stage is explained, and interventions are named.
    void whatIfsAndInterventions() {
        for (const bool softmax : {true, false})
            for (const core::MaskOptions masking :
                 {core::MaskOptions{}, core::MaskOptions{-1e9f, false},
                  core::MaskOptions{.afterSoftmax = true}})
                for (const core::HeadState head :
                     {core::HeadState::On, core::HeadState::Zero, core::HeadState::Mean,
                      core::HeadState::Uniform}) {
                    ui::DocumentState state = test::opened("cat").state;
                    state.input.masks = {core::CausalMask{}, core::DiagonalMask{}};
                    state.input.interventions.setHead(0, 0, head);
                    state.input.interventions.setScore({0, 0, 0, 2, 1, 3});
                    state.model.config.masking = masking;
                    state.model.config.softmax = softmax;
                    const core::TracePointer trace = test::passOf(state);
                    for (const core::StageInfo &info : core::allStages())
                        if (trace->has(info.stage))
                            QVERIFY(!inspected(trace, at(info.stage, 2, 1)).isEmpty);
                    const auto said = [&](core::Stage stage, core::Index row, core::Index column) {
                        return everything(inspected(trace, at(stage, row, column)));
                    };
                    QVERIFY(said(core::Stage::Scores, 2, 1).contains("overridden"));
                    if (head == core::HeadState::Zero)
                        QVERIFY(said(core::Stage::Context, 2, 1).contains("silenced"));
                    if (head == core::HeadState::Mean)
                        QVERIFY(said(core::Stage::Context, 2, 1).contains("mean"));
                    const bool uniform = head == core::HeadState::Uniform;
                    const QString hidden = said(core::Stage::AttentionWeights, 0, 0);
                    const bool number = std::isfinite(masking.value) && !uniform;
                    QCOMPARE(hidden.contains("exactly 0"), !number);
                    QCOMPARE(hidden.contains("uniform"), number ? softmax : uniform);
                }
    }

    void everyStageOfEveryLessonHasSomethingToSay() {
        for (const QString &lesson : ui::lessonIds()) {
            const core::TracePointer trace = test::passOf(lesson);
            for (const core::StageInfo &info : core::allStages()) {
                const core::Tensor tensor = trace->stage(info.stage);
                if (tensor.isNull())
                    continue;
                for (core::Index b = 0; b < trace->batch().count(); ++b)
                    for (core::Index row = 0; row < trace->batch().length(); ++row)
                        for (const auto column :
                             {std::optional<core::Index>(), test::some(0),
                              test::some(tensor.shape().last(0) - 1), test::some(100000)}) {
                            const core::Selection place = at(info.stage, row, column, b);
                            const ui::InspectorContent content = inspected(trace, place);
                            const QString text = everything(content);
                            QVERIFY(!content.headline.isEmpty());
                            QVERIFY2(!text.contains("NaN") && !text.contains("%1"),
                                     qPrintable(text));
                            if (column == 100000 && info.overKeys())
                                continue; // there is no such key
                            QVERIFY2(!content.isEmpty && content.sections.size() >= 2,
                                     qPrintable(text));
                            checkMark(content, core::valueAt(*trace, place));
                        }
            }
        }
    }

    /// Every cell of complete transformers is explained, too.
    void everyStageOfEveryTransformer() {
        std::set<core::Stage> seen;
        for (const QString &path : test::allSessions()) {
            const core::TracePointer trace = test::passOf(path);
            for (const core::StageId &where : core::stagesOf(trace->model())) {
                core::Selection place = at(where.stage, 1, 1);
                place.setAttention(where.attention);
                place.head = trace->model().config.heads - 1;
                place.key = 1;
                place.distance = 1;
                const ui::InspectorContent content = inspected(trace, place);
                const core::Result<float> value = core::valueAt(*trace, place);
                QVERIFY2(
                    value.ok() && !content.isEmpty,
                    qPrintable(QString::fromStdString(stageName(where.stage, where.attention))));
                checkMark(content, value);
                const QString text = everything(content);
                QVERIFY2(!text.contains("%1") && !text.contains("%2"), qPrintable(text));
                QVERIFY(ui::matrixText(*trace, place, ',').ok());
                seen.insert(where.stage);
            }
        }
        QVERIFY(seen.size() > 30);
    }

    void whatIsSaidOfWholeModels() {
        const auto said = [&](const char *file, core::Stage stage, core::AttentionId attention) {
            const core::TracePointer trace = test::passOf(test::sessionPath(file));
            core::Selection place = at(stage, 1, 1);
            place.setAttention(attention);
            place.key = 1;
            return everything(inspected(trace, place));
        };
        using core::Stage;
        const core::AttentionId decoder(0, core::Block::SelfAttention, core::Stack::Decoder);
        const core::AttentionId cross(0, core::Block::CrossAttention, core::Stack::Decoder);
        QVERIFY(said("batch_norm", Stage::Residual, 0).contains("leak"));
        QVERIFY(said("decoder_rotary", Stage::Query, 0).contains("are rotated together"));
        QVERIFY(said("decoder_rotary", Stage::Scores, 0).contains("share"));
        QVERIFY(said("decoder_alibi", Stage::PositionBias, 0).contains("slope"));
        QVERIFY(said("t5_like", Stage::BiasedScores, decoder).contains("bucket"));
        const QString pair = said("encoder_decoder", Stage::AttentionWeights, cross);
        QVERIFY(test::says(pair, {"of the target", "of the source"}));
        const core::AttentionId own(0, core::Block::SelfAttention, core::Stack::Decoder);
        const QString words = said("encoder_decoder", Stage::Probabilities, own);
        QVERIFY(test::says(words, {"MOST PROBABLE", "logit"}));
        const QString looked = said("encoder_decoder", Stage::Embeddings, own);
        QVERIFY2(looked.contains("one-hot") && looked.contains("BAG OF WORDS") &&
                     looked.contains("not fed into", Qt::CaseInsensitive),
                 qPrintable(looked));
    }

    /// One model for each kind of expression.
    void expressionsOfWholeModels() {
        using core::Stage;
        using Lines = QStringList;
        const auto lines = [](const ui::DocumentState &state, Stage stage, core::Stack stack,
                              core::Index column = 1) {
            const core::TracePointer trace = test::passOf(state);
            core::Selection place = at(stage, 2, column);
            if (!core::infoOf(stage).overKeys())
                place.key = 2;
            place.setAttention({0, core::Block::SelfAttention, stack});
            Lines written;
            const ui::InspectorContent content = inspected(trace, place);
            for (const ui::InspectorLine &line : content.sections.first().lines)
                written << line.name + QStringLiteral(" | ") + line.expression;
            return written;
        };
        const auto of = [](const char *file) {
            return test::opened(test::sessionPath(file)).state;
        };
        const core::Stack main = core::Selection().stack, decoder = core::Stack::Decoder;
        const ui::DocumentState rotary = of("decoder_rotary");
        QCOMPARE(lines(rotary, Stage::Query, main, 0),
                 Lines({"unrotated | dimension 0", "its partner | dimension 1",
                        "angle | radians, position 2", "cosine | ", "sine | ",
                        "value | own · cos − partner · sin"}));
        QCOMPARE(lines(rotary, Stage::Query, main, 1).last(),
                 QStringLiteral("value | own · cos + partner · sin"));
        QCOMPARE(lines(of("encoder_prenorm"), Stage::Norm, main),
                 Lines({"number | ", "mean | of 8 numbers", "deviation | √(σ² + 1e−05)", "gain | γ",
                        "bias | β", "value | (x − μ) ÷ σ · γ + β"}));
        QCOMPARE(lines(rotary, Stage::Norm, main),
                 Lines({"number | ", "root mean square | √(mean of x² + 1e−06)", "gain | γ",
                        "value | x ÷ RMS · γ"}));
        QCOMPARE(
            lines(of("decoder_alibi"), Stage::PositionBias, main),
            Lines({"distance | key − query", "slope | of the head", "bias | −slope · |distance|"}));

        ui::DocumentState capped = of("t5_like");
        capped.model.config.scoreCap.limit = 0.8f;
        capped.model.config.temperature = 0.7f;
        Lines pair = lines(capped, Stage::AttentionWeights, decoder);
        QVERIFY2(pair.size() == 10 && pair[8].startsWith("exp | exp((") &&
                     pair[8].endsWith(") ÷ 0.7)") && pair[9].contains(" ÷ sum "),
                 qPrintable(pair.join('\n')));
        QCOMPARE(pair.first(8),
                 Lines({"score | q · k", "scaled | not scaled", "capped | 0.8 · tanh(scaled ÷ 0.8)",
                        "distance | key − query", "bucket | of the distance",
                        "bias | for this bucket and head", "biased | capped + bias",
                        "masked | visible"}));
        capped.model.config.softmax = false;
        QCOMPARE(lines(capped, Stage::AttentionWeights, decoder).last(),
                 QStringLiteral("weight | masked ÷ 0.7"));
        QCOMPARE(lines(capped, Stage::AttentionWeights, decoder, 3).last(), // a later, hidden key
                 QStringLiteral("weight | 0 for −∞"));
        capped.model.config.masking.afterSoftmax = true;
        QCOMPARE(lines(capped, Stage::AttentionWeights, decoder, 3).last(2),
                 Lines({"unmasked | biased ÷ 0.7", "weight | hidden: × 0"}));
    }

    void distancesAreWholeNumbers() {
        const core::TracePointer trace = test::passOf(test::sessionPath("t5_like"));
        core::Selection place = at(core::Stage::BiasedScores, 1, 0);
        place.setAttention({0, core::Block::SelfAttention, core::Stack::Decoder});
        QStringList distances;
        for (const ui::InspectorSection &section : inspected(trace, place).sections)
            for (const ui::InspectorLine &line : section.lines)
                if (line.name == "distance")
                    distances << line.value << line.exact;
        QCOMPARE(distances, QStringList({QStringLiteral("−1"), QStringLiteral("-1")}));
    }

    void aRowThatSeesNothingSaysSo() {
        ui::DocumentState state = test::opened("bank").state;
        core::CellMask blind;
        for (core::Index key = 0; key < state.input.batch->length(); ++key)
            blind.cells.push_back({std::nullopt, 1, key, false});
        state.input.masks = {blind};
        const core::TracePointer trace = test::passOf(state);
        const QString text = everything(inspected(trace, at(core::Stage::AttentionWeights, 1, 0)));
        QVERIFY2(text.contains("cannot see") && text.contains("a single-cell edit hides it") &&
                     text.contains("exactly 0") && !text.contains("entropy"),
                 qPrintable(text));
    }

    void aHiddenPairSaysWhy() {
        ui::DocumentState state = test::opened("bank").state;
        state.input.masks = {core::CausalMask{}};
        const core::TracePointer trace = test::passOf(state);
        const QString weights =
            everything(inspected(trace, at(core::Stage::AttentionWeights, 0, 1)));
        QVERIFY(test::says(weights, {"causal mask", "−∞"}));
        // The mask comes later, so it does not hide any score here.
        const QString scores = everything(inspected(trace, at(core::Stage::Scores, 0, 1)));
        QVERIFY2(!scores.contains("mask"), qPrintable(scores));
    }

    void paddingIsNamed() {
        const core::TracePointer trace = test::passOf("batch");
        const core::Selection place = at(core::Stage::AttentionWeights, 7, 0, 5);
        QVERIFY(trace->batch()[5].isPadding(7));
        QVERIFY(inspected(trace, place).place.contains("padding"));
    }

    void tokensOfAnyScriptAndLength() {
        ui::DocumentState state = test::opened("sentence").state;
        const std::string veryLong(300, 'w');
        const core::Result<core::BatchPointer> batch =
            core::Batch::ofWords({{"银行", "בנק", "<b>&%1", veryLong}});
        QVERIFY(batch.ok());
        state.input = {*batch, {}};
        const core::TracePointer trace = test::passOf(state);
        for (const ui::FigureStyle &style : {ui::FigureStyle::light(), ui::FigureStyle::dark(2)}) {
            const auto content = [&](core::Index query, core::Index key) {
                return ui::inspect(trace.get(), at(core::Stage::AttentionWeights, query, key),
                                   style);
            };
            QCOMPARE(content(0, 1).title, QString::fromUtf8("银行 attends to בנק"));
            QVERIFY(content(0, 1).headline.contains(
                QChar(0x2068))); // a bidi isolate keeps the text direction
            QCOMPARE(content(2, 2).title, QString("<b>&%1 attends to <b>&%1"));
            QVERIFY(content(2, 2).headline.contains("&lt;b&gt;&amp;%1"));
            QVERIFY(content(3, 0).headline.size() < 120); // elided
            QVERIFY(content(3, 0).title.size() > 300);    // complete, for the tooltip
        }
    }

    void numbersKeepTheirMeaning() {
        QCOMPARE(ui::shownNumber(0), QString("0"));
        QCOMPARE(ui::shownNumber(0.4123), QString("0.412"));
        QCOMPARE(ui::shownNumber(-1), QString("−1.000"));
        QCOMPARE(ui::shownNumber(0.00004), QString("4.0e−05"));
        QCOMPARE(ui::shownNumber(-1e9), QString("−1.0e09"));
        QCOMPARE(ui::shownNumber(-std::numeric_limits<double>::infinity()), QString("−∞"));
    }

    /// A capture has the vectors of distances, but not the table that assigns a distance to each.
    void distancesOfACapture() {
        const core::TracePointer trace = test::passOf(test::sessionPath("deberta"));
        core::Capture capture;
        for (const core::Sequence &sequence : trace->batch().sequences())
            capture.tokens.push_back(core::textsOf(sequence.tokens));
        for (const char *name :
             {"distance_embeddings", "layers.0.self_attention.position_key",
              "layers.0.self_attention.query_distances", "layers.0.self_attention.key_distances"})
            capture.stages.push_back({name, trace->stage(name)});
        const core::TracePointer captured = test::valueOf(core::traceOf(capture));
        for (const core::Stage stage : {core::Stage::DistanceEmbeddings, core::Stage::PositionKey,
                                        core::Stage::QueryDistances, core::Stage::KeyDistances}) {
            core::Selection place = at(stage, 1, 1);
            place.distance = 7; // the last of the eight distances of a span of 4
            const core::MatrixSize size = core::sizeAt(*captured, place);
            const std::string text = test::valueOf(ui::matrixText(*captured, place, ';'));
            QCOMPARE(std::count(text.begin(), text.end(), '\n'), size.rows + 1);
            QCOMPARE(std::count(text.begin(), text.end(), ';'), (size.rows + 1) * size.columns);
            const auto fitting = [&] {
                return ui::fittingSelection(place, captured->model(), captured->input()).distance;
            };
            QVERIFY(fitting() == core::Index(7));
            place.distance = 8;
            QVERIFY(!fitting());
        }
    }

    void impossiblePlacesAreNoCrash() {
        const core::TracePointer trace = test::passOf("bank");
        QVERIFY(ui::inspect(nullptr, {}, ui::FigureStyle::light()).isEmpty);
        for (const core::StageInfo &info : core::allStages()) {
            core::Selection place = at(info.stage, 99, 99);
            QVERIFY(inspected(trace, place).isEmpty);
            place = at(info.stage, 0, 0, 99);
            QVERIFY(inspected(trace, place).isEmpty);
            QVERIFY(!ui::matrixText(*trace, place, ',').ok());
            place = at(info.stage, 0, 0);
            place.layer = 7;
            const bool inALayer = info.inAttention() || info.part == core::Part::Layer;
            QVERIFY(inspected(trace, place).isEmpty || !inALayer);
        }
    }
};

HEADLIGHT_WIDGET_TEST(InspectorContentTest)
#include "tst_inspector_content.moc"
