// The whole formula in its bar: highlighted parts, navigation by symbols with mouse and keyboard,
// accessible texts, and when it is shown.
#include "core/formats/safetensors/writer.h"
#include "tests/ui/panels/editor_fixture.h"
#include "tests/ui/window/session_files.h"
#include "ui/panels/formula_bar.h"
#include "ui/panels/formula_link.h"

namespace {

struct BarFixture {
    Document document;
    FormulaBar bar{document};

    explicit BarFixture(const QString &source, int width = 1100) {
        bar.resize(width, 60);
        document.open(test::opened(source));
        settle();
        bar.showAction()->trigger();
        QVERIFY(test::exposed(bar));
        bar.activateWindow();
        QVERIFY(test::active(bar));
    }
    void settle() {
        if (!test::settled(document))
            qFatal("no trace");
    }
    FormulaField &field() { return bar.field(); }
    FormulaLink *link(const QString &text) {
        for (FormulaLink *each : field().links())
            if (field().strip().text(each->part().link) == text)
                return each;
        qFatal("no link %s", qPrintable(text));
    }
    QString formula() { return field().strip().text(field().strip().formula().head); }
    void select(Stage stage) { test::select(document, {.stage = stage}); }
    /// Returns the background colour of a symbol, at a point without letters.
    QColor behind(const FormulaLink &link) {
        const QImage image = field().grab().toImage();
        return image.pixelColor(link.geometry().center().x(), link.geometry().top() + 4);
    }
};

} // namespace

class FormulaBarTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void everySymbolLeadsToItsMatrix() {
        BarFixture fixture("cat");
        QCOMPARE(fixture.formula(), QString("head₀ = softmax(Q · Kᵀ / √dₖ) · V"));
        const std::pair<const char *, Stage> links[] = {{"Q", Stage::Query},
                                                        {"Kᵀ", Stage::Key},
                                                        {"/ √dₖ", Stage::ScaledScores},
                                                        {"softmax", Stage::AttentionWeights},
                                                        {"V", Stage::Value},
                                                        {"Concat", Stage::Concatenated},
                                                        {"MultiHead", Stage::Output},
                                                        {"X", Stage::EmbeddingSum},
                                                        {"E", Stage::Embeddings}};
        for (const auto &[text, stage] : links) {
            QTest::mouseClick(fixture.link(text), Qt::LeftButton);
            QCOMPARE(fixture.document.selection().stage, stage);
        }
        QTest::mouseClick(fixture.link("head₁"), Qt::LeftButton);
        QVERIFY(test::isAt(fixture.document.selection(), {.stage = Stage::Context, .head = 1}));
        QVERIFY(fixture.formula().startsWith("head₁ = "));
    }

    void keysGoFromSymbolToSymbol() {
        BarFixture fixture("cat");
        FormulaLink *first = fixture.field().links().first();
        first->setFocus(Qt::TabFocusReason);
        for (int i = 0; i < 2; ++i)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QCOMPARE(QApplication::focusWidget(), fixture.link("Q"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(fixture.document.selection().stage, Stage::Query);
        QCOMPARE(QApplication::focusWidget(), fixture.link("Q")); // the focus does not move
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(fixture.document.selection().stage, Stage::AttentionWeights);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), fixture.link("Q"));
    }

    void thePresentStageIsLit() {
        BarFixture fixture("cat");
        fixture.select(Stage::Value);
        const QColor plain = fixture.behind(*fixture.link("Q"));
        QVERIFY(fixture.behind(*fixture.link("V")) != plain);
        fixture.select(Stage::Scores);
        const QColor lit = fixture.behind(*fixture.link("Q"));
        QVERIFY(lit != plain);
        QCOMPARE(fixture.behind(*fixture.link("Kᵀ")), lit);
        QCOMPARE(fixture.behind(*fixture.link("V")), plain);
        QCOMPARE(fixture.behind(*fixture.link("softmax")), plain);
        fixture.select(Stage::AttentionWeights);
        QCOMPARE(fixture.behind(*fixture.link("softmax")), lit);
    }

    void aSymbolSaysWhatItIs() {
        BarFixture fixture("cat");
        const QString tip = fixture.link("Q")->toolTip();
        QVERIFY2(tip.startsWith("Q: queries\n[T, dₖ] = 6 × 8, head 0\nQ = X · W"), qPrintable(tip));
        QCOMPARE(fixture.link("Q")->accessibleName(), QString("Q: queries"));
        QVERIFY(fixture.link("/ √dₖ")->toolTip().contains("dₖ = 8"));
        // No training has produced these numbers, so they are not called learned.
        QCOMPARE(fixture.link("WO")->accessibleName(), QString("WO: parameters"));
        QVERIFY(fixture.link("WO")->toolTip().contains("[h·d"));
        QVERIFY(fixture.link("WO")->toolTip().contains("= 16 × 16"));
        QVERIFY(fixture.field().accessibleDescription().contains("softmax(Q · Kᵀ / √dₖ) · V"));
    }

    void theFormulaFollowsTheModel() {
        BarFixture fixture("cat");
        QVERIFY(test::setScale(fixture.document, {core::Scale::Kind::Off, 1}));
        fixture.settle();
        QCOMPARE(fixture.formula(), QString("head₀ = softmax(Q · Kᵀ) · V"));
        QVERIFY(test::setMasks(fixture.document, {core::CausalMask{}}));
        fixture.settle();
        QCOMPARE(fixture.formula(), QString("head₀ = softmax(Q · Kᵀ + M) · V"));
        QTest::mouseClick(fixture.link("+ M"), Qt::LeftButton);
        QCOMPARE(fixture.document.selection().stage, Stage::MaskedScores);
        QVERIFY(test::setPositions(fixture.document, core::Positions::None));
        fixture.settle();
        QVERIFY(!fixture.field().strip().description().contains("X = E"));
    }

    void largeTextWrapsAndNothingIsCut() {
        for (const double scale : {1.0, 2.0})
            for (const int width : {1200, 640, 300}) {
                BarFixture fixture("cat", width);
                fixture.bar.setStyle(FigureStyle::dark(scale));
                QCoreApplication::processEvents();
                const FormulaStripGeometry places = fixture.field().geometryNow();
                QVERIFY(places.height <= fixture.field().height() + 1);
                for (const FormulaLink *link : fixture.field().links()) {
                    QVERIFY(link->width() > 0);
                    QVERIFY(
                        fixture.field().rect().contains(link->geometry().adjusted(1, 1, -1, -1)));
                }
            }
    }

    void ofACaptureWhatIsThereIsALink() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("weights.safetensors");
        const core::Tensor weights({2, 3, 3}, std::vector<float>(18, 1.0F / 3));
        const auto bytes = core::safetensorsBytes({{"attentions.0", weights}},
                                                  {{"tokens", R"(["The"," cat"," sat"])"}});
        test::writeAll(path, QByteArray::fromStdString(*bytes));
        BarFixture fixture(path);
        QCOMPARE(fixture.field().links().size(), 1);
        QCOMPARE(fixture.link("softmax")->part().at.stage, Stage::AttentionWeights);
        QVERIFY(fixture.field().strip().description().contains("the usual computation"));
        QVERIFY(fixture.field().strip().description().contains("+ M"));
    }

    void aLessonsStepAsksForIt() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("lesson.headlight");
        QByteArray text = ui::lessonFile("bank");
        const qsizetype show = text.indexOf("\"show\": {", text.indexOf("\"steps\""));
        QVERIFY(show > 0);
        text.insert(show, "\"panels\": {\"formula\": true}, ");
        test::writeAll(path, text);
        Document document;
        FormulaBar bar(document);
        bar.restore();
        document.open(test::opened(path));
        QVERIFY(test::settled(document));
        QVERIFY(!bar.isHidden());
        QVERIFY(document.goToStep(1));
        QVERIFY(bar.isHidden());
        QVERIFY(!QSettings()
                     .value("formula/shown", false)
                     .toBool()); // not stored, because the user did not choose it
    }
};

HEADLIGHT_WIDGET_TEST(FormulaBarTest)
#include "tst_formula_bar.moc"
