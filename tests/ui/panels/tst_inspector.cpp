// The inspector in the window: numbers after a click match the trace, and copying gives all of
// them.
#include "core/formats/csv.h"
#include "tests/ui/panels/editor_fixture.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/inspector_section_view.h"

using test::WindowFixture;

namespace {

struct InspectorFixture : WindowFixture {
    explicit InspectorFixture(const QString &source, const QString &view = "heads")
        : WindowFixture(source, view), inspector(find<ui::Inspector>("inspector")) {
        QCoreApplication::processEvents();
    }

    ui::Inspector *inspector;

    void select(core::Stage stage, std::optional<core::Index> query,
                std::optional<core::Index> column) {
        const bool overKeys = core::infoOf(stage).overKeys();
        WindowFixture::select({.stage = stage,
                               .query = query,
                               .key = overKeys ? column : query,
                               .dimension = overKeys ? std::nullopt : column});
    }

    QAction *action(const QString &words) const {
        for (QAction *each : inspector->inspectActions())
            if (each->text().remove('&').startsWith(words))
                return each;
        qFatal("no action %s", qPrintable(words));
    }

    static QString clipboard() { return QGuiApplication::clipboard()->text(); }

    // Returns the line with this name; valid until the inspector's content changes.
    const ui::InspectorLine *line(const QString &name) const {
        for (const ui::InspectorSection &section : inspector->content().sections)
            for (const ui::InspectorLine &each : section.lines)
                if (each.name == name)
                    return &each;
        return nullptr;
    }
};

} // namespace

class InspectorTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void aClickShowsTheTracesNumbers() {
        InspectorFixture fixture("sentence");
        fixture.select(core::Stage::AttentionWeights, {}, {});
        QVERIFY(fixture.inspector->content().isEmpty);
        QVERIFY(fixture.inspector->content().headline.contains("Click a cell"));
        (void)fixture.view()->figure();
        const QPoint point = fixture.enlarged().cellRect(4, 3).center().toPoint();
        QTest::mouseClick(fixture.view(), Qt::LeftButton, {}, point);
        const core::Trace &trace = *fixture.document().trace();
        const auto at = [&](core::Stage stage) { return trace.stage(stage).matrix(0, 0)(4, 3); };
        QCOMPARE(fixture.inspector->content().title, QString("bank attends to money"));
        for (const auto &[name, stage] : {std::pair("score", core::Stage::Scores),
                                          {"scaled", core::Stage::ScaledScores},
                                          {"masked", core::Stage::MaskedScores},
                                          {"weight", core::Stage::AttentionWeights}}) {
            const ui::InspectorLine *line = fixture.line(name);
            QVERIFY(line);
            QCOMPARE(line->exact, QString::fromStdString(core::exact(at(stage))));
            QCOMPARE(line->value, ui::shownNumber(static_cast<double>(at(stage))));
        }
        QVERIFY(fixture.line("weight")->current);
        // The widgets show the same content.
        auto *headline = fixture.find<QLabel>("inspectorHeadline");
        QVERIFY(headline->isVisible() && headline->text().contains("attends to"));
        bool seen = false;
        for (const QLabel *label : fixture.inspector->findChildren<QLabel *>("arithmetic"))
            seen = seen ||
                   (label->isVisible() && label->text().contains(fixture.line("weight")->value));
        QVERIFY(seen);
        const ui::TermSeries &terms = fixture.inspector->content().sections[1].series;
        QCOMPARE(static_cast<core::Index>(terms.terms.size()), trace.model().config.headSize);
        for (std::size_t i = 0; i < terms.terms.size(); ++i)
            QCOMPARE(terms.terms[i].left,
                     trace.stage(core::Stage::Query).matrix(0, 0)(4, static_cast<core::Index>(i)));
    }

    void copiesTheValueTheTermsAndTheScript() {
        InspectorFixture fixture("sentence");
        fixture.select(core::Stage::AttentionWeights, 4, 3);
        const core::Trace &trace = *fixture.document().trace();
        const float weight = trace.stage(core::Stage::AttentionWeights).matrix(0, 0)(4, 3);
        fixture.action("Copy value")->trigger();
        QCOMPARE(fixture.clipboard(), QString::fromStdString(core::exact(weight)));
        fixture.action("Copy all terms")->trigger();
        const QString terms = fixture.clipboard();
        QVERIFY(terms.startsWith("bank attends to money\n"));
        QVERIFY(terms.contains("weight\t" + QString::fromStdString(core::exact(weight))));
        QCOMPARE(terms.count("dimension\t"), 2); // one for Q ⊙ K, one for weight times value
        fixture.action("Copy as NumPy")->trigger();
        QVERIFY(fixture.clipboard().startsWith("import numpy as np\n"));
        fixture.select(core::Stage::AttentionWeights, 4, {});
        QVERIFY(!fixture.action("Copy value")->isEnabled());
        QVERIFY(fixture.action("Copy matrix as CSV")->isEnabled());
    }

    void matricesComeBackFromCsv() {
        InspectorFixture fixture("sentence");
        fixture.select(core::Stage::MaskedScores, 1, 2);
        QVERIFY(test::setMasks(fixture.document(), {core::CausalMask{}}).ok());
        fixture.settle();
        const core::Trace &trace = *fixture.document().trace();
        const core::SharedMatrix matrix = trace.stage(core::Stage::MaskedScores).matrix(0, 0);
        const QTemporaryDir folder;
        QVERIFY(fixture.inspector->saveMatrix(folder.filePath("m.csv")).ok());
        const std::string saved = test::readAll(folder.filePath("m.csv")).toStdString();
        fixture.action("Copy matrix as CSV")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->mimeData()->data("text/csv").toStdString(), saved);
        fixture.action("Copy matrix for a spreadsheet")->trigger();
        for (const auto &lines :
             {core::readCsv(saved), core::readCsv(fixture.clipboard().toStdString(), '\t')}) {
            QVERIFY(lines.ok());
            QCOMPARE(static_cast<core::Index>(lines->size()), matrix.rows + 1);
            QCOMPARE((*lines)[6][0], std::string(",")); // a token that requires quotes
            for (core::Index i = 0; i < matrix.rows; ++i)
                for (core::Index j = 0; j < matrix.columns; ++j)
                    QCOMPARE(QString::fromStdString((*lines)[static_cast<std::size_t>(i + 1)]
                                                            [static_cast<std::size_t>(j + 1)]),
                             QString::fromStdString(core::exact(matrix(i, j))));
        }
        QCOMPARE(core::readCsv(saved)->at(1).at(2), std::string("-inf"));
        const core::Outcome failed = fixture.inspector->saveMatrix("/nowhere/at/all.csv");
        QVERIFY(!failed.ok() && !failed.error().text().empty());
    }

    void followsStagesTracesAndTyping() {
        InspectorFixture fixture("bank");
        fixture.select(core::Stage::AttentionWeights, 1, 0);
        const QString before = fixture.line("weight")->exact;
        fixture.select(core::Stage::Scores, 1, 0);
        QVERIFY(!fixture.line("weight") && fixture.line("score")->current);
        fixture.select(core::Stage::AttentionWeights, 1, 0);
        QVERIFY(test::setScale(fixture.document(), {core::Scale::Kind::Off, 1}).ok());
        QCOMPARE(fixture.line("weight")->exact,
                 before); // unchanged until the new trace is computed
        fixture.settle();
        QVERIFY(fixture.line("weight")->exact != before);
        QVERIFY(
            test::typeText(fixture.document(), "a much longer sentence than it was before").ok());
        fixture.select(core::Stage::AttentionWeights, 6, 6); // not in the old trace
        QVERIFY(!fixture.inspector->content().headline.isEmpty());
        fixture.settle();
        QCOMPARE(fixture.inspector->content().title, QString("was attends to was"));
    }

    void hiddenItCostsNothing() {
        InspectorFixture fixture("bank");
        auto *dock = fixture.find<QDockWidget>("inspectorDock");
        QVERIFY(dock->isVisible());
        fixture.select(core::Stage::AttentionWeights, 0, 0);
        auto *headline = fixture.find<QLabel>("inspectorHeadline");
        const QString before = headline->text();
        dock->toggleViewAction()->trigger();
        QVERIFY(!dock->isVisible());
        fixture.select(core::Stage::AttentionWeights, 0, 1);
        QCOMPARE(headline->text(), before);
        fixture.action("Copy value")->trigger(); // copies the current selection
        QCOMPARE(fixture.clipboard(),
                 QString::fromStdString(core::exact(fixture.document()
                                                        .trace()
                                                        ->stage(core::Stage::AttentionWeights)
                                                        .matrix(0, 0)(0, 1))));
        dock->toggleViewAction()->trigger();
        QVERIFY(headline->text() != before);
    }

    void barsTellTheirTermsByMouseAndKeys() {
        InspectorFixture fixture("sentence");
        fixture.select(core::Stage::AttentionWeights, 4, 4);
        QCoreApplication::processEvents();
        ui::TermBars *bars = nullptr;
        for (ui::TermBars *each : fixture.inspector->findChildren<ui::TermBars *>())
            if (each->isVisible() && each->accessibleName() == "Q ⊙ K BY DIMENSION")
                bars = each;
        QVERIFY(bars);
        QSignalSpy pointed(bars, &ui::TermBars::pointedAt);
        const QPointF there = bars->geometryNow().place(8).center();
        test::moveMouse(*bars, there);
        QVERIFY(!pointed.isEmpty());
        QVERIFY2(pointed.last()[0].toString().startsWith("dimension 8: "),
                 qPrintable(pointed.last()[0].toString()));
        bars->setFocus();
        QTest::keyClick(bars, Qt::Key_Right);
        QVERIFY(pointed.last()[0].toString().startsWith("dimension 9: "));
        QVERIFY(bars->accessibleDescription().startsWith("dimension 9: "));
        fixture.action("Show terms as numbers")->trigger();
        bool listed = false;
        for (const QLabel *label : fixture.inspector->findChildren<QLabel *>())
            listed = listed || (label->isVisible() && label->text().contains("dimension 15: "));
        QVERIFY(listed);
    }

    void everyControlHasANameAndAMenuPlace() {
        InspectorFixture fixture("bank");
        QVERIFY(!fixture.find<QPushButton>("inspectorCopy")->accessibleName().isEmpty());
        QList<QAction *> inMenus;
        for (const QMenu *menu : fixture.window.menuBar()->findChildren<QMenu *>())
            inMenus << menu->actions();
        for (QAction *action : fixture.inspector->inspectActions())
            QVERIFY2(inMenus.contains(action), qPrintable(action->text()));
        QVERIFY(inMenus.contains(fixture.find<QDockWidget>("inspectorDock")->toggleViewAction()));
    }
};

HEADLIGHT_WIDGET_TEST(InspectorTest)
#include "tst_inspector.moc"
