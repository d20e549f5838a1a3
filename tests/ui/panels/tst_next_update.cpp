// The editor's lines about the next update of a parameter in training.
#include "tests/ui/panels/editor_fixture.h"
#include "ui/document/training_session.h"
#include "ui/panels/editor/update_lines.h"

#include <QHeaderView>
#include <QTableWidget>

namespace {

core::Recipe smallRecipe() {
    core::Recipe recipe = core::findTask("repeat")->info().recipe;
    recipe.batch = 8;
    return recipe;
}

core::Trainer trainerOf(const core::Recipe &recipe) {
    return test::valueOf(core::Trainer::create(recipe, core::findTask(recipe.task)));
}

} // namespace

class TestNextUpdate : public test::CleanTest {
    Q_OBJECT

  private slots:
    void itIsWhatTheNextStepDoes() {
        Document document;
        auto session = makeTrainingSession(smallRecipe(), core::findTask("repeat"));
        QVERIFY(session.ok());
        document.open(*std::move(session));
        QVERIFY(test::settled(document));
        UpdateLines lines(document);
        const core::ParameterId id{0, core::ParameterKind::Query};
        lines.show(ParameterIndex{id, 2, 1});
        QVERIFY(test::until([&] { return !lines.text().isEmpty(); }));
        core::Trainer trainer = trainerOf(smallRecipe());
        const auto update = test::valueOf(trainer.nextUpdate(id, 2, 1));
        const QStringList shown = lines.text().split(QLatin1Char('\n'));
        QCOMPARE(std::size_t(shown.size()), core::rowsOf(update).size());
        QCOMPARE(shown.size(), 6);
        QCOMPARE(shown.last().section(QLatin1Char('\t'), 1, 1),
                 QString::fromStdString(core::digitsText(update.after)));
        QCOMPARE(shown.first().section(QLatin1Char('\t'), 2, 2), QStringLiteral("g = ∂loss/∂w"));
        for (const QString &row : shown)
            QCOMPARE(row.count(QLatin1Char('\t')), 3);
        QVERIFY(!lines.isHidden());
        // Until they are expanded, the lines only show the change.
        auto *title = lines.findChild<QToolButton *>();
        auto *all = lines.findChild<QTableWidget *>(QStringLiteral("nextUpdate"));
        QVERIFY2(title->text().contains(QString::fromStdString(
                     core::digitsText(std::abs(update.after - update.before)))),
                 qPrintable(title->text()));
        QVERIFY(all->isHidden());
        title->click();
        QVERIFY(!all->isHidden());
        // All rows fit without scrolling.
        lines.resize(700, 400);
        lines.grab();
        QVERIFY(all->height() >= all->horizontalHeader()->height() + 6 * all->rowHeight(0));
        lines.show(std::nullopt);
        QVERIFY(lines.isHidden());
    }

    void aModelThatIsNotTrainedHasNone() {
        Document document;
        document.open(test::opened(QStringLiteral("cat")));
        QVERIFY(test::settled(document));
        UpdateLines lines(document);
        lines.show(ParameterIndex{{0, core::ParameterKind::Query}, 0, 0});
        QVERIFY(lines.isHidden());
        QVERIFY(lines.text().isEmpty());
    }
};

HEADLIGHT_WIDGET_TEST(TestNextUpdate)
#include "tst_next_update.moc"
