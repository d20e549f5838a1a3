// The weight of a head's sink in the window: its words, what a click selects, and what a screen
// reader reads.
#include "tests/ui/views/view_fixture.h"
#include "ui/views/heatmap_table.h"

namespace {

OpenedSource sourceWithSinks() {
    OpenedSource source = test::opened("bank");
    core::Model model = source.state.model;
    const core::Index heads = model.headsOf({});
    model.parameters.main.layers[0].selfAttention.sinks = core::makeParameter(
        core::Matrix(1, heads, std::vector<float>(static_cast<std::size_t>(heads), 0.5F)));
    core::Input input = source.state.input;
    return test::withModel(std::move(source), std::move(model), std::move(input));
}

} // namespace

class SinkViewsTest : public test::CleanTest {
    Q_OBJECT

    template <typename View>
    static void check() {
        installHeatmapTables();
        test::Fixture<View> fixture(sourceWithSinks());
        fixture.select(Stage::AttentionWeights, 0, 0);
        const ShownHeatmap shown = fixture.view.shownHeatmap();
        QVERIFY(shown.content && shown.content->beside.size() > 1);
        const auto columns = static_cast<int>(shown.content->matrix().columns);
        const QString number = fullText(shown.content->beside[1]);

        const QString words = fixture.hover(shown.places.besideRect(1).center());
        QVERIFY2(words.contains("not a token") && words.endsWith(number), qPrintable(words));
        QVERIFY(words.startsWith(shown.content->rowLabels[1]));
        QVERIFY(!words.contains("dimension"));

        // Screen readers read the weight of the sink as a column after the columns of the keys.
        QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(&fixture.view);
        QAccessibleTableInterface *table = interface->tableInterface();
        QVERIFY(table);
        QCOMPARE(table->columnCount(), columns + 1);
        QCOMPARE(table->columnDescription(columns), QString("sink (no token)"));
        QAccessibleInterface *cell = table->cellAt(1, columns);
        QVERIFY(cell && !table->cellAt(1, columns + 1));
        QCOMPARE(cell->text(QAccessible::Name), words);
        QCOMPARE(cell->text(QAccessible::Value), number);
        QVERIFY(!cell->state().selectable);
        const QPoint middle = cell->rect().center();
        QCOMPARE(interface->childAt(middle.x(), middle.y()), cell);

        // A click selects the row, and no key.
        const auto isOnlyRow = [&] {
            const core::Selection &now = fixture.selection();
            return now.stage == Stage::AttentionWeights && now.query == core::Index(1) && !now.key;
        };
        cell->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(isOnlyRow());
        fixture.select(Stage::AttentionWeights, 0, 0);
        fixture.click(fixture.view.shownHeatmap().places.besideRect(1).center());
        QVERIFY(isOnlyRow());
    }

  private slots:
    void closeUp() { check<CloseUpView>(); }
    void whole() { check<WholeView>(); }
    void heads() { check<HeadsView>(); }
};

HEADLIGHT_WIDGET_TEST(SinkViewsTest)
#include "tst_sink_views.moc"
