// The Query·key view: its numbers compared with the trace's scores, its order, mouse and keyboard.
#include "tests/ui/figures/figure_fixture.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/views/query_key_view.h"

using headlight::test::Fixture;

class QueryKeyViewTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theProductsAddUpToTheScores() {
        const core::TracePointer trace = test::makeTrace();
        for (const core::Index head : {0, 1})
            for (core::Index query = 0; query < 8; ++query) {
                const core::QueryKeyProducts made =
                    core::queryKeyProducts(*trace, {{}, 0, head, query}, {});
                const core::SharedMatrix scores = trace->matrix(Stage::Scores, {}, 0, head);
                QCOMPARE(made.products.rows(), query + 1); // later keys are hidden
                QCOMPARE(made.products.columns(), core::Index(16));
                double best = -1e9, mean = 0;
                for (core::Index key = 0; key <= query; ++key) {
                    const double score = made.scores[static_cast<std::size_t>(key)];
                    QVERIFY(std::abs(score - double(scores(query, key))) < 1e-4);
                    double sum = 0;
                    for (core::Index d = 0; d < 16; ++d)
                        sum += double(made.products(key, d));
                    QVERIFY(std::abs(sum - score) < 1e-4);
                    QVERIFY(!made.hidden[static_cast<std::size_t>(key)]);
                    best = std::max(best, score);
                    mean += score / double(query + 1);
                }
                QCOMPARE(made.scores[static_cast<std::size_t>(made.chosen)], best);
                QVERIFY(std::abs(made.mean - mean) < 1e-4);
                // The terms are sorted, and add up to the lead of the best key over the mean.
                double lead = 0;
                for (const double each : made.decided)
                    lead += each;
                QVERIFY(std::abs(lead - (best - mean)) < 1e-4);
                for (std::size_t i = 1; i < made.order.size(); ++i)
                    QVERIFY(std::abs(made.decided[std::size_t(made.order[i - 1])]) >=
                            std::abs(made.decided[std::size_t(made.order[i])]));
            }
    }

    void barsAreAboveTheirColumns() {
        const core::TracePointer trace = test::makeTrace();
        core::Selection selection;
        selection.query = 6;
        selection.key = 2;
        for (const QSizeF size : {QSizeF(960, 520), QSizeF(1120, 640)}) {
            const QueryKeyFigure figure =
                QueryKeyFigure::fromTrace(trace, selection, FigureStyle::light());
            QCOMPARE(figure.content().products.chosen, core::Index(2));
            const QueryKeyGeometry places = figure.geometry(QRectF(QPointF(), size));
            for (core::Index column = 0; column < 16; ++column) {
                const core::Index d =
                    figure.content().products.order[static_cast<std::size_t>(column)];
                const double product = double(figure.content().products.products(2, d));
                const QRectF bar = places.bar(column, product);
                QVERIFY(std::abs(bar.center().x() -
                                 places.heatmap.columnRect(column).center().x()) < 0.01);
                QVERIFY(places.bars.adjusted(-1, -1, 1, 1).contains(bar));
                QVERIFY(product < 0 ? bar.top() >= places.zero - 0.01
                                    : bar.bottom() <= places.zero + 0.01);
                const auto found =
                    figure.productAt(places, {bar.center().x(), places.bars.center().y()});
                QVERIFY(found && found->row == 2 && found->column == column);
                QVERIFY(figure.words(*found).contains(fullText(float(product))));
            }
            QVERIFY(places.bars.bottom() <= places.heatmap.cells.top());
            QVERIFY(places.area.contains(places.heatmap.cells));
        }
    }

    void clicksAndKeysChooseKeyAndQuery() {
        Fixture<QueryKeyView> fixture("cat");
        fixture.select({.query = 4, .key = test::none()});
        const QueryKeyGeometry places = fixture.view.geometry();
        const QPointF cell = places.heatmap.cellRect(3, 1).center();
        QVERIFY(test::says(fixture.hover(cell), "dimension"));
        fixture.click(cell);
        QVERIFY(test::isAt(fixture.selection(), {.stage = Stage::Scores, .query = 4, .key = 3}));
        fixture.key(Qt::Key_Up);
        QVERIFY(test::isAt(fixture.selection(), {.query = 4, .key = 2}));
        fixture.key(Qt::Key_Right);
        QVERIFY(test::isAt(fixture.selection(), {.query = 5, .key = test::none()}));
        fixture.key(Qt::Key_Left);
        QVERIFY(test::isAt(fixture.selection(), {.query = 4}));
    }

    void withoutARowItAsksForOne() {
        Fixture<QueryKeyView> fixture("cat");
        fixture.select({.query = test::none(), .key = test::none()});
        QVERIFY(!fixture.view.products()->content().nothing.isEmpty());
        fixture.key(Qt::Key_Right);
        QVERIFY(test::isAt(fixture.selection(), {.query = 0}));
        QVERIFY(fixture.view.products()->content().nothing.isEmpty());
    }
};

HEADLIGHT_WIDGET_TEST(QueryKeyViewTest)
#include "tst_query_key_view.moc"
