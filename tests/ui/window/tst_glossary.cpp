// Every term in the UI has a glossary entry, and F1 opens it.
#include "core/explain/formula.h"
#include "tests/support/forward.h"
#include "tests/support/shown_texts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/text/measure_text.h"

namespace {

/// Returns the terms of all symbols that the figures of this source show.
QSet<QString> symbolsOf(const QString &source) {
    const ui::OpenedSource opened = test::opened(source);
    const core::TracePointer trace = test::passOf(opened.state);
    QSet<QString> symbols;
    for (const core::StageId &at : ui::ModelParts(*trace).stages()) {
        const core::Line line = core::formulaOf(*trace, ui::atStage(opened.selection, at));
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (line[i].kind != core::Piece::Kind::Symbol)
                continue;
            const bool hasBeneath =
                i + 1 < line.size() && line[i + 1].kind == core::Piece::Kind::Beneath;
            for (const QString &symbol : ui::symbolsIn(QString::fromStdString(line[i].text)))
                symbols << (hasBeneath ? symbol + '_' + QString::fromStdString(line[i + 1].text)
                                       : symbol);
        }
    }
    return symbols;
}

ui::GlossaryWindow *glossaryOf(const WindowFixture &fixture) {
    return fixture.window.findChild<ui::GlossaryWindow *>();
}

} // namespace

class GlossaryTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void everyStageHasAnEntry() {
        for (const core::StageInfo &info : core::allStages()) {
            const ui::GlossaryEntry entry = ui::entryOf(info.stage);
            QVERIFY2(!entry.id.isEmpty(), std::string(info.name).c_str());
            const QString symbol =
                QString::fromUtf8(info.symbol.data(), static_cast<qsizetype>(info.symbol.size()));
            for (const QString &each : ui::symbolsIn(symbol))
                QVERIFY2(ui::entryOfSymbol(each), qPrintable(each));
        }
    }

    void everySymbolOfAFormulaHasAnEntry() {
        int seen = 0;
        for (const QString &source : ui::lessonIds() + test::allSessions())
            for (const QString &symbol : symbolsOf(source)) {
                QVERIFY2(ui::entryOfSymbol(symbol), qPrintable(source + ": " + symbol));
                ++seen;
            }
        QVERIFY(seen > 100);
        QVERIFY(!ui::entryOfSymbol("Ω"));
    }

    void entriesAreSentencesAndTheirNamesAreTheirOwn() {
        QSet<QString> ids, terms;
        for (const ui::GlossaryEntry &entry : ui::glossary()) {
            QVERIFY2(!ids.contains(entry.id) && !terms.contains(entry.term), qPrintable(entry.id));
            ids << entry.id;
            terms << entry.term;
            QVERIFY2(entry.text.endsWith('.') && entry.text.size() > 40 && entry.text.size() < 330,
                     qPrintable(entry.id));
        }
        QCOMPARE(ui::entryOfTerm("keys")->id, QString("key"));
        QCOMPARE(ui::entryOfTerm("Look-ahead mask")->id, QString("look-ahead"));
        QVERIFY(!ui::entryOfTerm("bank"));
    }

    /// A click on the button next to the measure, or F1 in its combo box, opens the definition.
    void everyMeasureHasADefinition() {
        WindowFixture fixture("tales", "model");
        auto *choice = fixture.find<QComboBox>("modelMeasure");
        QCOMPARE(choice->count(), int(std::size(core::kEveryMeasure)));
        for (int index = 0; index < choice->count(); ++index) {
            const core::NamedMeasure &measure = core::kEveryMeasure[index];
            choice->setCurrentIndex(index);
            fixture.find<QToolButton>("modelMeasureDefinition")->click();
            QCOMPARE(glossaryOf(fixture)->shownEntry(), ui::glossaryIdOf(measure));
            const QString shown = fixture.find<QTextBrowser>("meaning")->toPlainText();
            QVERIFY(test::says(shown, ui::definitionOf(measure)));
            QVERIFY(test::says(shown, ui::referenceOf(measure)));
            QVERIFY(!ui::titleOf(measure).isEmpty());
        }
    }

    void aSymbolLeadsToItsOwnIdea() {
        const std::pair<const char *, const char *> expected[] = {
            {"W_Q", "query"},    {"W_O", "output matrix"},
            {"Kᵀ", "key"},       {"QKᵀ", "score"},
            {"M", "mask"},       {"S′", "cap"},
            {"b_Q", "bias"},     {"Z_1", "context"},
            {"d_k", "head size"}};
        for (const auto &[symbol, id] : expected)
            QCOMPARE(ui::entryOfSymbol(QString::fromUtf8(symbol)).value_or(ui::GlossaryEntry()).id,
                     QString(id));
    }

    void f1SaysWhatIsSelectedOrFocused() {
        WindowFixture fixture("cat", "close-up");
        test::select(fixture.document(), {.stage = core::Stage::MaskedScores});
        fixture.view()->setFocus();
        QTest::keyClick(fixture.view(), Qt::Key_F1);
        QVERIFY(glossaryOf(fixture) && glossaryOf(fixture)->isVisible());
        QCOMPARE(glossaryOf(fixture)->shownEntry(), QString("mask"));
        QVERIFY(fixture.find<QTextBrowser>("meaning")->toPlainText().contains("−∞"));
        QTest::keyClick(glossaryOf(fixture), Qt::Key_Escape);
        fixture.window.activateWindow();
        fixture.settle();
        fixture.window.showView("whole");
        auto *head = fixture.find<QWidget>("viewBar")->findChild<QToolButton *>("head");
        QVERIFY(head->isVisible());
        head->setFocus();
        QTest::keyClick(head, Qt::Key_F1);
        QCOMPARE(glossaryOf(fixture)->shownEntry(), QString("head"));
    }

    void termsAreSearched() {
        WindowFixture fixture("cat", "close-up");
        QTest::keyClick(fixture.view(), Qt::Key_F1);
        QTest::keyClicks(fixture.find<QLineEdit>("searchGlossary"), "softmax");
        QCOMPARE(glossaryOf(fixture)->shownEntry(), QString("softmax"));
        auto *terms = fixture.find<QListWidget>("terms");
        int listed = 0;
        for (int row = 0; row < terms->count(); ++row)
            listed += terms->item(row)->isHidden() ? 0 : 1;
        QVERIFY(listed > 1 &&
                listed < terms->count()); // includes entries that only mention the term
    }

    void aTermOfALessonLeadsToIt() {
        WindowFixture fixture("bank", "close-up");
        auto *text = fixture.find<QTextBrowser>("lessonText");
        QVERIFY(text->toHtml().contains("glossary:embedding"));
        emit text->highlighted(QUrl("glossary:embedding"));
        QCOMPARE(text->toolTip(), ui::tipOf(*ui::entryOfTerm("embedding")));
        emit text->highlighted(QUrl());
        QVERIFY(text->toolTip() != ui::tipOf(*ui::entryOfTerm("embedding")));
        emit text->anchorClicked(QUrl("glossary:embedding"));
        QCOMPARE(glossaryOf(fixture)->shownEntry(), QString("embedding"));
    }
};

HEADLIGHT_WIDGET_TEST(GlossaryTest)
#include "tst_glossary.moc"
