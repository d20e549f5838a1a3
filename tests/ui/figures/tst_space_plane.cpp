// The planes of the three spaces, compared with numbers computed by hand for the lesson bank.
// There, q is (1.5, 1.5), and the attention weights are 0.7988 and 0.2012.
#include "core/analysis/attention_contribution.h"
#include "core/analysis/row_measures.h"
#include "tests/ui/figures/figure_fixture.h"

using core::VectorSpace;

class SpacePlaneTest : public QObject {
    Q_OBJECT

    struct Source {
        OpenedSource opened;
        core::TracePointer trace;
        explicit Source(const QString &id) : Source(test::opened(id)) {}
        explicit Source(OpenedSource source) : opened(std::move(source)) {
            trace = test::passOf(opened.state);
            opened.selection.query = 1;
            opened.selection.key = 0;
        }
        SpacePlane plane(VectorSpace space, const PlaneOptions &options = {}) const {
            return planeOf(trace, opened.selection, space, FigureStyle::light(), options);
        }
    };

    static core::PlanePoint at(const SpacePlane &plane, Stage stage, core::Index token,
                               core::Index sequence = 0) {
        core::PlanePoint found{1e9, 1e9};
        for (std::size_t i = 0; i < plane.places.size(); ++i)
            if (plane.places[i] == VectorSource{stage, sequence, token} &&
                !plane.content.vectors[i].name.isEmpty())
                found = plane.content.vectors[i].at;
        return found;
    }
    static bool near(const core::PlanePoint &a, double x, double y) {
        return std::abs(a.x - x) < 1e-3 && std::abs(a.y - y) < 1e-3;
    }
    static bool hasLine(const SpacePlane &plane, const core::PlanePoint &from,
                        const core::PlanePoint &to) {
        return std::any_of(plane.content.lines.begin(), plane.content.lines.end(),
                           [&](const PlaneLine &line) {
                               return near(line.from, from.x, from.y) && near(line.to, to.x, to.y);
                           });
    }

  private slots:
    void gravityTakesBankToMoneyAndToRiver() {
        const Source source("bank");
        PlaneOptions options;
        options.together = true;
        options.gravity = 1;
        const SpacePlane end = source.plane(VectorSpace::Residual, options);
        QVERIFY(near(at(end, Stage::Concatenated, 1, 0), 2.5976, 0.4409));
        QVERIFY(near(at(end, Stage::Concatenated, 1, 1), 0.4409, 2.5976));
        options.gravity = 0.5;
        const SpacePlane half = source.plane(VectorSpace::Residual, options);
        QVERIFY(near(at(half, Stage::Concatenated, 1, 0), 1.7988, 0.7204));
        options.together = false;
        QVERIFY(at(source.plane(VectorSpace::Residual, options), Stage::Concatenated, 1, 1).x >
                1e8);
    }

    /// At the embeddings with no word selected, only the words are drawn.
    void withoutAWordTheEmbeddingsAreAlone() {
        Source source("gravity");
        source.opened.selection.query.reset();
        source.opened.selection.stage = Stage::Embeddings;
        const SpacePlane words = source.plane(VectorSpace::Residual);
        QCOMPARE(words.content.vectors.size(), std::size_t(3));
        QVERIFY(words.content.lines.empty());
        QVERIFY(!words.content.subtitle.contains("context"));
        PlaneOptions moving;
        moving.gravity = 0.5;
        QVERIFY(!source.plane(VectorSpace::Residual, moving).content.lines.empty());
        source.opened.selection.stage = Stage::Context;
        const SpacePlane shifted = source.plane(VectorSpace::Residual);
        QCOMPARE(shifted.content.vectors.size(), std::size_t(6));
        QVERIFY(shifted.content.subtitle.contains("its context"));
    }

    void heavierWeightsAreStrongerPulls() {
        const SpacePlane plane = Source("sentence").plane(VectorSpace::Residual);
        const Source source("sentence");
        const core::SharedMatrix weights =
            source.trace->stage(Stage::AttentionWeights).matrix(0, 0);
        const auto row = weights.row(1);
        double thickest = 0;
        for (const PlaneLine &line : plane.content.lines)
            if (!line.dashed)
                thickest = std::max(thickest, line.thickness);
        double heaviest = 0;
        for (core::Index key = 0; key < 11; ++key)
            if (key != 1)
                heaviest =
                    std::max(heaviest, static_cast<double>(row[static_cast<std::size_t>(key)]));
        QVERIFY(heaviest > 0);
        QCOMPARE(thickest, std::clamp(6 * heaviest, 0.8, 6.0));
    }

    /// k = (3, 0.3): 4.95 ÷ 2.1213 = 2.3335 along (1, 1) ÷ √2.
    void theProjectionOfAKeyIsItsScore() {
        const SpacePlane plane = Source("bank").plane(VectorSpace::QueryKey);
        QVERIFY(near(at(plane, Stage::Query, 1), 1.5, 1.5));
        QVERIFY(hasLine(plane, {3, 0.3}, {1.65, 1.65}));
        QVERIFY(hasLine(plane, {0, 0}, {1.65, 1.65}));
    }

    void thePullIsHeadToTail() {
        const SpacePlane plane = Source("bank").plane(VectorSpace::ValueContext);
        QVERIFY(hasLine(plane, {0, 0}, {2.3964, 0.2396}));
        QVERIFY(hasLine(plane, {2.3964, 0.2396}, {2.5976, 0.4409}));
        QVERIFY(near(at(plane, Stage::Context, 1), 2.5976, 0.4409));
    }

    /// The subtitle of each plane is true for a head with 16 dimensions.
    void theSubtitleClaimsWhatHolds() {
        const Source source("sentence");
        const auto numbers = [&](Stage stage, core::Index token) {
            return core::vectorAt(*source.trace, {}, stage, token);
        };
        /// Returns the largest error of a key's dot product in the plane.
        const auto worst = [&](const core::Projection &plane, core::Index query) {
            double most = 0;
            for (core::Index key = 0; key < 11; ++key) {
                const auto q = numbers(Stage::Query, query), k = numbers(Stage::Key, key);
                const core::PlanePoint a = plane.of(q), b = plane.of(k);
                most = std::max(most,
                                std::abs(a.x * b.x + a.y * b.y - core::comparedVectors(q, k).dot));
            }
            return most;
        };
        PlaneOptions options;
        options.axes = PlaneAxes::DotProduct;
        const SpacePlane kept = source.plane(VectorSpace::QueryKey, options);
        QVERIFY(test::says(kept.content.subtitle, "dot products with q visited are preserved"));
        QVERIFY(worst(kept.projection, 1) < 1e-3); // exact for the selected query
        QVERIFY(worst(kept.projection, 4) > 0.1);  // but not for others
        const SpacePlane principal = source.plane(VectorSpace::QueryKey);
        QVERIFY(!principal.content.subtitle.contains("dot product"));
        QVERIFY(worst(principal.projection, 1) > 0.1);
        // The share refers to the keys' variance around their mean.
        double all = 0, seen = 0;
        for (core::Index key = 0; key < 11; ++key) {
            const auto k = numbers(Stage::Key, key);
            for (std::size_t i = 0; i < k.size(); ++i)
                all += std::pow(static_cast<double>(k[i]) - principal.projection.origin[i], 2);
            const core::PlanePoint point = principal.projection.of(k);
            seen += point.x * point.x + point.y * point.y;
        }
        QVERIFY2(principal.content.subtitle.contains(QString("PCA of the keys, %1 dimensions, %2 %")
                                                         .arg(numbers(Stage::Key, 0).size())
                                                         .arg(qRound(100 * seen / all))),
                 qPrintable(principal.content.subtitle));
        // In two dimensions, every dot product is exact.
        const Source two("bank");
        const SpacePlane exact = two.plane(VectorSpace::QueryKey);
        QVERIFY(exact.content.subtitle.contains("shown exactly"));
        for (core::Index key = 0; key < 2; ++key) {
            const auto q = core::vectorAt(*two.trace, {}, Stage::Query, 1);
            const auto k = core::vectorAt(*two.trace, {}, Stage::Key, key);
            const core::PlanePoint a = exact.projection.of(q), b = exact.projection.of(k);
            QVERIFY(std::abs(a.x * b.x + a.y * b.y - core::comparedVectors(q, k).dot) < 1e-5);
        }
    }

    /// With W_Q times 10, the keys do not move, and the query's length is noted.
    void aLongQueryIsADirection_data() {
        test::addColumns<QString, PlaneAxes>({"id", "axes"});
        QTest::newRow("exact") << "bank" << PlaneAxes::Principal;
        QTest::newRow("principal") << "sentence" << PlaneAxes::Principal;
        QTest::newRow("dot products") << "sentence" << PlaneAxes::DotProduct;
    }
    void aLongQueryIsADirection() {
        QFETCH(QString, id);
        QFETCH(PlaneAxes, axes);
        PlaneOptions options;
        options.axes = axes;
        Source source(id);
        const SpacePlane before = source.plane(VectorSpace::QueryKey, options);
        core::Model &model = source.opened.state.model;
        core::Parameter &queries = model.parameters.main.layers[0].selfAttention.query;
        core::Matrix longer = *queries->toMatrix();
        for (core::Index row = 0; row < longer.rows(); ++row)
            for (float &number : longer.view().row(row))
                number *= 100;
        queries = core::makeParameter(std::move(longer));
        source.trace = test::passOf(model, source.opened.state.input);
        const SpacePlane after = source.plane(VectorSpace::QueryKey, options);
        const auto lengthOf = [](core::PlanePoint a, core::PlanePoint b) {
            return std::hypot(a.x - b.x, a.y - b.y);
        };
        double longest = 0;
        const PlaneVector *query = nullptr;
        const PlaneGeometry places =
            PlaneFigure(after.content, FigureStyle::light()).geometry({0, 0, 500, 500});
        const PlaneGeometry were =
            PlaneFigure(before.content, FigureStyle::light()).geometry({0, 0, 500, 500});
        for (std::size_t i = 0; i < after.places.size(); ++i) {
            const PlaneVector &vector = after.content.vectors[i];
            if (after.places[i].stage == Stage::Key) {
                QVERIFY(lengthOf(vector.at, before.content.vectors[i].at) < 1e-3);
                QVERIFY(!vector.drawn); // keys are not shortened
                longest = std::max(longest, std::hypot(vector.at.x, vector.at.y));
            } else if (after.places[i].token == 1) {
                query = &vector;
            }
        }
        QVERIFY(query && query->arrow && query->share < 1);
        QVERIFY(lengthOf(query->tip(), query->from) <= longest * 1.0001);
        QVERIFY(lengthOf(query->tip(), query->from) > longest * 0.45);
        // The query's direction is kept.
        const double along = lengthOf(query->tip(), query->from);
        const core::PlanePoint zero = after.projection.of(
            std::vector<float>(static_cast<std::size_t>(after.projection.width()), 0.0F));
        QVERIFY(std::abs(along / lengthOf(query->at, zero) - query->share) < 1e-4);
        // The keys take up as much of the plane as before, apart from the space for a query of
        // their length.
        QVERIFY(places.sight.unit > 0.45 * were.sight.unit);
        const double length = core::normOf(core::vectorAt(*source.trace, {}, Stage::Query, 1));
        QVERIFY2(after.content.note.contains(
                     QString("q %1: length %2")
                         .arg(id == "bank" ? "bank" : "visited", numberText(length, 2))) &&
                     after.content.note.contains(QString("drawn at %1 of").arg(query->share)),
                 qPrintable(after.content.note));
    }

    /// One token has no variance, so "0 %" of it would be wrong.
    void oneTokenHasNoShare() {
        SourceRequest request;
        request.source = "sentence";
        request.text = "cat";
        Source source(*openSource(request));
        source.opened.selection.query = 0;
        for (const VectorSpace space : {VectorSpace::Residual, VectorSpace::QueryKey}) {
            const SpacePlane plane = source.plane(space);
            QVERIFY(plane.projection.kind == core::Projection::Kind::Principal);
            const QString words =
                plane.content.subtitle + plane.content.xName + plane.content.yName;
            QVERIFY2(plane.content.subtitle.contains("— of the variance"), qPrintable(words));
            QVERIFY2(plane.content.xName.endsWith(": —"), qPrintable(words));
            QVERIFY2(!words.contains('%'), qPrintable(words));
        }
    }

    void aHeldProjectionStays() {
        const Source source("sentence");
        const core::Projection held = source.plane(VectorSpace::QueryKey).projection;
        PinnedPlane other{held, 0.25};
        std::swap(other.projection.axes[0], other.projection.axes[1]);
        const SpacePlane plane = planeOf(source.trace, source.opened.selection,
                                         VectorSpace::QueryKey, FigureStyle::light(), {}, &other);
        QCOMPARE(plane.projection.axes[0], held.axes[1]);
        QCOMPARE(plane.share, 0.25); // includes the queries' lengths
        const PinnedPlane narrow{core::exactPlane(2), {}};
        QVERIFY(planeOf(source.trace, source.opened.selection, VectorSpace::QueryKey,
                        FigureStyle::light(), {}, &narrow)
                    .projection.width() == held.width());
    }

    void theWordsSayThatThePullIsTheWeight() {
        const Source source("bank");
        const QStringList words = planeText(*source.trace, source.opened.selection, {});
        QVERIFY(words.join(' ').contains("money pulls bank with weight 0.80"));
        QVERIFY(words.join(' ').contains("not the similarity"));
        // cos = 4.95 ÷ (2.1213 · 3.0150) = 0.7740: 39.3 degrees.
        QVERIFY(words.join(' ').contains("angle 39.3°"));
    }

    /// Without softmax, weights can be negative, and a negative one can move the token furthest.
    void theStrongestPullCanBeNegative() {
        test::TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(8)};
        recipe.softmax = false;
        const core::TracePointer trace = test::makeTrace(recipe);
        const core::SharedMatrix weights =
            trace->matrix(core::Stage::AttentionWeights, core::AttentionId(0), 0, 0);
        core::Selection selection;
        int negative = 0;
        for (core::Index query = 1; query < 8; ++query) {
            core::Index strongest = 0;
            for (core::Index key = 1; key < query; ++key) // the mask hides later keys
                if (std::abs(weights(query, key)) > std::abs(weights(query, strongest)))
                    strongest = key;
            negative += weights(query, strongest) < 0 ? 1 : 0;
            selection.query = query;
            const QString said = planeText(*trace, selection, {}).value(0);
            QVERIFY2(said.startsWith(QString("The strongest pull: word%1 pulls word%2 with weight ")
                                         .arg(strongest)
                                         .arg(query)),
                     qPrintable(said));
        }
        QVERIFY(negative > 0);
    }

    /// The last step of cat ablates head 0: its attention weights are shown, but have no effect.
    void aReplacedHeadPullsNothing() {
        Source source("cat");
        const auto last = static_cast<core::Index>(source.opened.session.lesson->steps.size()) - 1;
        source.opened = test::opened("cat", last);
        core::Selection &selection = source.opened.selection;
        selection.head = 0;
        selection.query = 2;
        PlaneOptions options;
        const auto said = [&](core::HeadState state) {
            source.opened.state.input.interventions.setHead(selection.attention(), 0, state);
            source.trace = test::passOf(source.opened.state);
            return planeText(*source.trace, selection, options).join(' ');
        };
        const auto lines = [&] {
            return source.plane(VectorSpace::Residual).content.lines.size() +
                   source.plane(VectorSpace::ValueContext).content.lines.size();
        };
        QVERIFY(source.opened.state.input.interventions.stateOf(selection.attention(), 0) ==
                core::HeadState::Zero);
        for (const auto &key : {test::some(1), std::optional<core::Index>()}) {
            selection.key = key;
            const QString on = said(core::HeadState::On);
            QVERIFY(test::says(on, {" pulls ", "with weight"}));
            const auto pulled = lines();
            const QString zero = said(core::HeadState::Zero);
            QVERIFY2(zero.contains("Head 0 is silenced, so nothing pulls sat") &&
                         !zero.contains("with weight"),
                     qPrintable(zero));
            QVERIFY(lines() < pulled);
            const QString mean = said(core::HeadState::Mean);
            QVERIFY2(mean.contains("the same mean") && !mean.contains("with weight"),
                     qPrintable(mean));
            QVERIFY(lines() < pulled);
            const QString uniform =
                said(core::HeadState::Uniform); // uniform weights are used as they are
            QVERIFY(test::says(uniform, "with weight"));
        }
    }

    void aWordInTwoPlacesIsNamedOnce() {
        PlaneContent content;
        for (int i = 0; i < 3; ++i) {
            PlaneVector vector;
            vector.at = {1, 2};
            vector.name = i < 2 ? "of" : "the";
            vector.selected = i == 1;
            content.vectors.push_back(vector);
        }
        const PlaneFigure figure(content, FigureStyle::light());
        QVERIFY(figure.items()[0].name.isEmpty());
        QVERIFY(!figure.items()[1].name.isEmpty()); // the selected token keeps its name
        QVERIFY(!figure.items()[2].name.isEmpty());
    }

    void aQueryAloneIsComparedWithEveryKey() {
        const Source source("bank");
        core::Selection selection = source.opened.selection;
        selection.key.reset();
        // The query (1.5, 1.5) is at 45°, the key of money (3, 0.3) at 5.7°.
        QVERIFY(
            planeText(*source.trace, selection, {})
                .join(' ')
                .contains("Angle of each key to q bank, and length of the key: money 39°, 3.01; "
                          "bank 0°, 1.41"));
    }

    /// A layer whose output width differs from its input width moves no token.
    void whereGravityMovesNothingItSaysSo() {
        const Source source("batch");
        PlaneOptions options;
        QVERIFY(!planeText(*source.trace, source.opened.selection, options)
                     .join(' ')
                     .contains("Gravity moves no word"));
        options.gravity = 0.5;
        const bool moves = core::attentionShiftOf(*source.trace, 0, 0).ok();
        QCOMPARE(planeText(*source.trace, source.opened.selection, options)
                     .join(' ')
                     .contains("Gravity moves no word"),
                 !moves);
        QVERIFY(!moves);
    }
};

HEADLIGHT_WIDGET_TEST(SpacePlaneTest)
#include "tst_space_plane.moc"
