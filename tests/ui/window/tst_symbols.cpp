// Symbols are typeset: no window text has an underscore or a caret, at any stage of any model.
// Every symbol and term leads to the glossary.
#include "tests/support/long.h"
#include "tests/support/shown_texts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/new_session.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/panels/film_frame.h"
#include "ui/panels/inspector_section_view.h"
#include "ui/text/symbol_text.h"

namespace {

/// Returns lessons, sessions of every kind of model, and the defaults of New session.
std::vector<std::pair<QString, ui::OpenedSource>> allOfThem() {
    std::vector<std::pair<QString, ui::OpenedSource>> sources;
    for (const QString &id : ui::lessonIds())
        sources.emplace_back(id, test::opened(id));
    for (const QString &path : test::allSessions())
        sources.emplace_back(QFileInfo(path).fileName(), test::opened(path));
    for (const ui::NewKind kind : ui::kNewKinds) {
        ui::NewSession wanted = ui::usualSession(kind);
        wanted.text = "the cat sat";
        wanted.sourceText = "a dog slept there";
        sources.emplace_back(QString("new %1").arg(static_cast<int>(kind)),
                             test::valueOf(ui::makeSession(wanted)));
    }
    return sources;
}

QString plain(const QString &shown) {
    return shown.contains('<') ? QTextDocumentFragment::fromHtml(shown).toPlainText() : shown;
}

/// Returns all text in the window: texts, tooltips, accessible texts and menus.
QStringList plainTextsOf(const ui::MainWindow &window) {
    QStringList texts = test::allTextsOf(window);
    for (QString &text : texts)
        text = plain(text);
    return texts;
}

/// Returns the texts that a figure paints, and its accessible description.
QStringList paintedTexts(const ui::Figure &figure) {
    QStringList texts{figure.description()};
    for (const auto &text :
         test::PaintingRecord::of(figure, QSizeF(1100, 800), ui::Device::Vector).texts)
        texts << text.text;
    return texts;
}

/// Returns the first text with raw formula syntax, or an empty string.
QString raw(const QStringList &texts) {
    static const QRegularExpression sign("[_^]");
    for (QString text : texts) {
        text.remove("Ctrl+Shift+_"); // a keyboard shortcut
        if (text.contains(sign))
            return text;
    }
    return {};
}

QString shownEntry(const WindowFixture &fixture) {
    const auto *glossary = fixture.window.findChild<ui::GlossaryWindow *>();
    return glossary && glossary->isVisible() ? glossary->shownEntry() : QString();
}

} // namespace

class SymbolsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void symbolsAreSet_data() {
        test::addColumns<QString, QString, QString>({"marked", "plain", "html"});
        const auto row = [](const char *name, const char *marked, const char *plain,
                            const char *html) {
            QTest::newRow(name) << QString(marked) << QString(plain) << QString(html);
        };
        row("letter", "W_Q", "WQ", "W<sub>Q</sub>");
        row("digit", "x · W_1", "x · W₁", "x · W<sub>1</sub>");
        row("small letter", "√d_k, b_t", "√dₖ, bₜ", "√d<sub>k</sub>, b<sub>t</sub>");
        row("a name of a file", "my_W_Q.txt a_b", "my_W_Q.txt a_b", "my_W_Q.txt a_b");
        row("a stage of a file", "self_attention", "self_attention", "self_attention");
    }
    void symbolsAreSet() {
        QFETCH(QString, marked);
        QFETCH(QString, plain);
        QFETCH(QString, html);
        QCOMPARE(ui::plainSymbols(marked), plain);
        QCOMPARE(ui::symbolsInHtml(marked), html);
    }

    /// Checks every stage of lessons, of sessions of all kinds, and of new sessions.
    void nothingIsRaw() {
        int seen = 0;
        std::size_t turn = 0;
        for (const auto &[name, source] : allOfThem()) {
            if (!test::isTried(turn++, 2))
                continue;
            QSettings().clear(); // so that no name of a recent file is read as a symbol
            ui::MainWindow window;
            window.resize(1280, 800);
            window.open(source);
            QVERIFY(test::settled(window));
            window.showView("whole");
            const core::TracePointer trace = window.document().trace();
            QVERIFY(trace);
            for (const core::StageId &at : ui::ModelParts(*trace).stages()) {
                core::Selection selection = ui::atStage(window.document().selection(), at);
                selection.query = selection.key = selection.dimension = 0;
                window.document().select(selection);
                QVERIFY(test::settled(window));
                const auto stage = QString::fromStdString(core::stageName(at.stage, at.attention));
                const auto check = [&, &name = name](const QStringList &texts) {
                    const QString found = raw(texts);
                    QVERIFY2(found.isEmpty(), qPrintable(name + ", " + stage + ": " + found));
                };
                auto *inspector = window.findChild<ui::Inspector *>();
                const ui::InspectorContent &content = inspector->content();
                QStringList said{content.title, content.place, plain(content.allTerms())};
                for (const ui::InspectorSection &section : content.sections)
                    for (const ui::InspectorLine &line : section.lines)
                        said << line.name << line.expression << plain(line.html) << line.value;
                check(said);
                check(paintedTexts(*window.currentView()->figure()));
                ++seen;
            }
            QStringList shown = plainTextsOf(window);
            for (QString &text : shown) // the file name may have underscores
                text.remove(name).remove(QFileInfo(name).completeBaseName());
            const QString found = raw(shown);
            QVERIFY2(found.isEmpty(), qPrintable(name + ": " + found));
            for (const char *view : {"heads", "similarity", "geometry"}) {
                window.showView(view);
                if (const ui::Figure *figure = window.currentView()->figure()) {
                    const QString painted = raw(paintedTexts(*figure));
                    QVERIFY2(painted.isEmpty(), qPrintable(name + ", " + view + ": " + painted));
                }
            }
        }
        QVERIFY2(seen > 150, qPrintable(QString::number(seen)));
    }

    void theGlossaryIsSet() {
        WindowFixture fixture("cat", "close-up");
        QTest::keyClick(fixture.view(), Qt::Key_F1);
        auto *terms = fixture.find<QListWidget>("terms");
        auto *meaning = fixture.find<QTextBrowser>("meaning");
        for (int row = 0; row < terms->count(); ++row) {
            terms->setCurrentRow(row);
            const QString text = terms->item(row)->text() + meaning->toPlainText();
            QVERIFY2(!text.contains('_') && !text.contains('^'), qPrintable(text));
        }
    }

    /// The tooltip of each chip explains the stage. F1 opens its entry, with the mouse over it or
    /// with focus.
    void everyChipLeadsToItsEntry() {
        WindowFixture fixture("cat", "close-up");
        int seen = 0;
        for (auto *chip : fixture.window.findChildren<ui::FilmFrame *>()) {
            if (chip->objectName().isEmpty())
                continue; // from an earlier layout
            const auto entry = ui::entryOfTerm(chip->term());
            QVERIFY2(entry, qPrintable(chip->text()));
            QVERIFY2(plain(chip->toolTip()).contains(plain(ui::tipOf(*entry))),
                     qPrintable(chip->toolTip()));
            QVERIFY(!chip->toolTip().contains('_'));
            QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), chip->mapToGlobal(QPointF(5, 5)));
            QCoreApplication::sendEvent(chip, &enter);
            QTest::keyClick(fixture.view(), Qt::Key_F1);
            QCOMPARE(shownEntry(fixture), entry->id);
            QEvent leave(QEvent::Leave);
            QCoreApplication::sendEvent(chip, &leave);
            fixture.window.findChild<ui::GlossaryWindow *>()->hide();
            ++seen;
        }
        QVERIFY(seen > 8);
        QTest::keyClick(fixture.view(),
                        Qt::Key_F1); // no chip is hovered, so F1 uses the selected stage
        QCOMPARE(shownEntry(fixture), ui::entryOf(fixture.document().selection().stage).id);
    }

    /// Checks titles of stages and weights, and each symbol of the formula, stage by stage.
    void everyTitleAndSymbolLeadsToItsEntry() {
        WindowFixture fixture("cat", "whole");
        fixture.settle();
        QString last;
        const auto termAt = [&](ui::FigureView &view, QPointF point) {
            QSignalSpy hovered(&view, &ui::FigureView::termHovered);
            test::moveMouse(view, {1, 1});
            test::moveMouse(view, point * view.shrink());
            return hovered.isEmpty() ? QString() : hovered.last()[0].toString();
        };
        auto &whole = static_cast<ui::WholeView &>(*fixture.view());
        QVERIFY(whole.figure());
        const ui::WholeGeometry map = whole.places().map;
        for (const ui::WholeNode &node : map.nodes)
            QCOMPARE(termAt(whole, node.title.center()), ui::entryOf(node.at.stage).id);
        for (const ui::WholeNode &node : map.learned)
            QVERIFY(!termAt(whole, node.title.center()).isEmpty());
        QVERIFY(map.nodes.size() > 8);
        fixture.window.showView("close-up");
        auto &view = static_cast<ui::CloseUpView &>(*fixture.view());
        const core::TracePointer trace = fixture.document().trace();
        int symbols = 0;
        for (const core::StageId &at : ui::ModelParts(*trace).stages()) {
            fixture.document().select(ui::atStage(fixture.document().selection(), at));
            const auto *shown = static_cast<const ui::CloseUpFigure *>(view.figure());
            const QFont font = view.figureStyle().font(ui::FigureStyle::Text::Title);
            const QRectF line = shown->strip().formulaIn(view.places().strip, view.figureStyle());
            double x = line.left();
            for (const ui::Span &span : shown->strip().formula) {
                const double width = ui::spansWidth({span}, font);
                if (span.bold && span.place == ui::Span::Place::Line && x + width < line.right()) {
                    QVERIFY2(!termAt(view, {x + width / 2, line.center().y()}).isEmpty(),
                             qPrintable(span.text));
                    ++symbols;
                }
                x += width;
            }
        }
        QVERIFY(symbols > 20);
    }

    /// The inspector's symbols are links: their tooltip is the entry, and a click or F1 opens it.
    void theInspectorsSymbolsLeadToTheirEntries() {
        WindowFixture fixture("cat", "close-up");
        test::select(fixture.document(),
                     {.stage = core::Stage::AttentionWeights, .query = 2, .key = 1});
        (void)fixture.find<ui::Inspector>("inspector")->content(); // updates the content now
        QSet<QString> terms;
        static const QRegularExpression link("href='(glossary:[^']*)'");
        for (QLabel *label : fixture.find<ui::Inspector>("inspector")->findChildren<QLabel *>()) {
            QStringList links;
            for (auto found = link.globalMatch(label->text()); found.hasNext();)
                links << found.next().captured(1);
            for (const QString &one : links) {
                const auto entry = ui::entryOfTerm(ui::termOfLink(one));
                QVERIFY2(entry, qPrintable(one));
                emit label->linkHovered(one);
                QCOMPARE(plain(label->toolTip()), plain(ui::tipOf(*entry)));
                QTest::keyClick(fixture.view(), Qt::Key_F1);
                QCOMPARE(shownEntry(fixture), entry->id);
                emit label->linkHovered({});
                QVERIFY(label->toolTip().isEmpty());
                fixture.window.findChild<ui::GlossaryWindow *>()->hide();
                emit label->linkActivated(one);
                QCOMPARE(shownEntry(fixture), entry->id);
                terms << entry->id;
            }
        }
        for (const char *term : {"query", "key", "value", "score", "scaling", "weight"})
            QVERIFY2(terms.contains(term), term);
    }

    /// A token that looks like a symbol does not link to the glossary.
    void aWordOfTheTextIsNoLink() {
        WindowFixture fixture("cat", "close-up");
        test::select(fixture.document(),
                     {.stage = core::Stage::AttentionWeights, .query = 2, .key = test::none()});
        const auto &content = fixture.find<ui::Inspector>("inspector")->content();
        int words = 0;
        for (const ui::InspectorSection &section : content.sections)
            for (const ui::InspectorLine &line : section.lines)
                words += line.isTerm ? 0 : 1;
        QVERIFY(words > 0); // such as the key with the largest weight
        QVERIFY(!ui::linesHtml({{"q", "mask", "1", "1", false, {}, false}},
                               ui::FigureStyle::light(), false)
                     .contains("href"));
    }

    void thePlanesTitlesLeadToTheirEntries() {
        WindowFixture fixture("sentence", "geometry");
        auto *view = static_cast<ui::GeometryView *>(fixture.view());
        QVERIFY(view->figure());
        QSignalSpy hovered(view, &ui::FigureView::termHovered);
        const char *spaces[] = {"residual", "query", "value"};
        for (std::size_t i = 0; i < 3; ++i) {
            const ui::PlaneGeometry place = view->geometry().planes[i];
            test::moveMouse(*view, place.title.center() * view->shrink());
            QCOMPARE(hovered.last()[0].toString(), QString(spaces[i]));
            test::moveMouse(*view, place.subtitle.center() * view->shrink());
            QCOMPARE(hovered.last()[0].toString(), QString("PCA"));
            test::moveMouse(*view, place.plot.center() * view->shrink());
            QCOMPARE(hovered.last()[0].toString(), QString());
        }
    }
};

HEADLIGHT_WIDGET_TEST(SymbolsTest)
#include "tst_symbols.moc"
