// The Heads view with combined heads, ranges of cells, and tokens that are found.
#include "core/formats/csv.h"
#include "tests/support/long_input.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/document/edits/text_edits.h"
#include "ui/text/token_names.h"
#include "ui/views/combination_menu.h"
#include "ui/views/option_choices.h"
#include "ui/views/token_finder.h"

#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>

using headlight::test::Fixture;

namespace {

using core::Combination;

HeadCombination meanOf() {
    HeadCombination chosen;
    chosen.combination = Combination::Mean;
    return chosen;
}

QAction *actionOf(QMenu &menu, const QString &text) {
    for (QAction *action : menu.findChildren<QAction *>())
        if (action->text() == text)
            return action;
    return nullptr;
}

} // namespace

class HeadsViewTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theMenuCombinesHeadsAndIsRemembered() {
        Fixture<HeadsView> fixture("cat");
        QMenu menu;
        fillCombinationMenu(menu, fixture.view);
        QVERIFY(!actionOf(menu, "Words: pieces are merged")->isEnabled());
        actionOf(menu, "Mean over heads")->trigger();
        QCOMPARE(fixture.view.options().combination.combination, Combination::Mean);
        QCOMPARE(combinationText(fixture.view), QString("mean of all 2 heads"));
        QMenu again;
        fillCombinationMenu(again, fixture.view);
        QVERIFY(actionOf(again, "Words: pieces are merged")->isEnabled());
        actionOf(again, "Weights from 0.05")->trigger();
        QCOMPARE(fixture.view.options().combination.kept, (core::KeptWeights{0.05, 1}));
        actionOf(again, "Head 0")->trigger();
        QCOMPARE(fixture.view.combinedHeads(), std::vector<core::Index>{1});
        actionOf(again, "Head 1")->trigger(); // the last head cannot be removed
        QCOMPARE(fixture.view.combinedHeads(), std::vector<core::Index>{1});
        Document other;
        const HeadsView next(other);
        QCOMPARE(next.options().combination, fixture.view.options().combination);
        QCOMPARE(next.options().headLines.heads.heads, std::vector<core::Index>{1});
    }

    void theLargeMatrixIsTheMean() {
        Fixture<HeadsView> fixture("cat");
        fixture.view.setCombination(meanOf());
        QVERIFY(fixture.view.isComplete());
        const ShownHeatmap shown = fixture.view.shownHeatmap();
        const core::SharedMatrix mean = shown.content->matrix();
        const auto head = [&](core::Index index) {
            return fixture.document.trace()->matrix(Stage::AttentionWeights, {}, 0, index);
        };
        QCOMPARE(mean(3, 1), (head(0)(3, 1) + head(1)(3, 1)) / 2);
        const QString words =
            fixture.hover(fixture.view.geometry().enlarged.cellRect(3, 1).center());
        QVERIFY2(words.startsWith("mean of all 2 heads: ") && words.contains(" attends to "),
                 qPrintable(words));
        FigureView &view = fixture.view;
        QCOMPARE(view.wordsOf(Cell{3, 1}), words);
        fixture.click(fixture.view.geometry().enlarged.cellRect(3, 1).center());
        QCOMPARE(fixture.selection().query, test::some(3));
        QCOMPARE(fixture.selection().key, test::some(1));
        fixture.key(Qt::Key_Down);
        QCOMPARE(fixture.selection().query, test::some(4));
        // The menu of combined heads cannot edit the mask or a score.
        const auto menu =
            fixture.view.editMenu(fixture.view.geometry().enlarged.cellRect(3, 1).center());
        QVERIFY(menu->isEmpty());
    }

    void aClickWithCtrlAddsAHeadOrTakesItAway() {
        Fixture<HeadsView> fixture("cat");
        const auto click = [&](int tile) {
            const QRectF place = fixture.view.geometry().tiles[static_cast<std::size_t>(tile)];
            QTest::mouseClick(&fixture.view, Qt::LeftButton, Qt::ControlModifier,
                              place.center().toPoint());
        };
        const core::Index before = fixture.selection().head;
        fixture.view.setCombination(meanOf());
        (void)fixture.view.figure();
        click(0);
        QCOMPARE(fixture.view.combinedHeads(), std::vector<core::Index>{1});
        click(0);
        QCOMPARE(fixture.view.combinedHeads(), (std::vector<core::Index>{0, 1}));
        QCOMPARE(fixture.selection().head, before);
    }

    static OpenedSource wordOfPieces() {
        const auto batch = core::Batch::ofWords({{"[CLS]", "un", "##believ", "##able", "cats"}});
        return test::sourceOf(test::largeModel(16, 8), {*batch, {core::CausalMask{}}});
    }

    void wordsOfSeveralPiecesAreFound() {
        Fixture<HeadsView> fixture(wordOfPieces());
        fixture.view.findTokens();
        auto *finder = fixture.view.findChild<TokenFinder *>();
        const std::pair<const char *, std::vector<core::Index>> found[] = {
            {"unbelievable", {1}}, {"EVA", {2}},  {"able", {3}},    {"##", {2, 3}},
            {"e", {2, 3}},         {"cats", {4}}, {"ablecats", {}}, {"unbelievably", {}}};
        for (const auto &[text, matches] : found) {
            finder->find(text);
            QVERIFY2(finder->matches() == matches, text);
        }
    }

    void keysGoFromWordToWord() {
        Fixture<HeadsView> fixture(wordOfPieces());
        HeadCombination chosen = meanOf();
        chosen.words = true;
        fixture.view.setCombination(chosen);
        QCOMPARE(fixture.view.shownHeatmap().content->matrix().rows, core::Index(3));
        fixture.view.selectCell({1, 0});
        QCOMPARE(fixture.selection().query, test::some(1));
        fixture.key(Qt::Key_Down);
        QCOMPARE(fixture.selection().query, test::some(4)); // skips the other pieces of the word
    }

    /// A worker combines heads that the trace does not hold.
    void headsOfALongTextAreCombinedInTheBackground() {
        Fixture<HeadsView> fixture(test::longInput(), {}, {1000, 700});
        fixture.view.setCombination(meanOf());
        QVERIFY(!fixture.view.isComplete() || fixture.view.shownHeatmap().content->matrix().rows);
        fixture.view.repaint();
        HEADLIGHT_UNTIL(
            (fixture.view.repaint(), !fixture.view.shownHeatmap().content->matrix().empty()));
        const core::SharedMatrix mean = fixture.view.shownHeatmap().content->matrix();
        QCOMPARE(mean.rows, core::Index(400));
        double sum = 0;
        for (const float weight : mean.row(200))
            sum += static_cast<double>(weight);
        QVERIFY(std::abs(sum - 1) < 1e-4);
        HeadCombination flow;
        flow.combination = Combination::Flow;
        fixture.view.setCombination(flow);
        HEADLIGHT_UNTIL(
            (fixture.view.repaint(), fixture.view.figure()->description().contains("up to 64")));
        QVERIFY(fixture.view.isComplete());
    }

    /// A figure that is saved before the first paint has its combination, too.
    void aFigureIsCompleteOnlyWithItsCombination() {
        Fixture<HeadsView> fixture(test::longInput(), {}, {1000, 700});
        fixture.view.setCombination(meanOf());
        HEADLIGHT_UNTIL(fixture.view.isComplete());
        const auto figure = fixture.view.figureIn(fixture.view.figureStyle());
        const auto *heads = static_cast<const HeadsFigure *>(figure.get());
        QVERIFY(heads->combined());
        QCOMPARE(heads->combined()->weights.rows, core::Index(400));
    }

    /// A has one text, so its heads cannot be combined for a second text.
    void aTextThatAHasNotIsNotCombined() {
        Fixture<HeadsView> fixture("cat");
        fixture.view.setCombination(meanOf());
        fixture.document.comparison().pin();
        QVERIFY(fixture.document.apply(edits::addText(
            fixture.document.state(), fixture.document.textId().minimumLength, "dogs bark")));
        fixture.settle();
        HEADLIGHT_UNTIL(fixture.document.comparison().compared().a != nullptr);
        fixture.document.comparison().show(ComparisonSide::A);
        fixture.select({.sequence = 1});
        QVERIFY(fixture.view.figure());
        QVERIFY(fixture.view.isComplete());
        fixture.view.repaint();
    }

    void keysDoNotEditTheMaskOfACombination() {
        Fixture<HeadsView> fixture("cat");
        fixture.select(Stage::AttentionWeights, 3, 1);
        fixture.view.setMaskEditing(true);
        fixture.view.setCombination(meanOf());
        (void)fixture.view.figure();
        const core::MaskLayers before = fixture.document.state().input.masks;
        fixture.key(Qt::Key_Return);
        QVERIFY(fixture.document.state().input.masks == before);
        fixture.view.setCombination({});
        (void)fixture.view.figure();
        fixture.key(Qt::Key_Return);
        QVERIFY(fixture.document.state().input.masks != before);
    }

    void aRangeIsCopiedAndSaved() {
        Fixture<HeadsView> fixture("cat");
        const HeatmapGeometry large = fixture.view.geometry().enlarged;
        const QPoint from = large.cellRect(1, 0).center().toPoint();
        const QPoint to = large.cellRect(3, 2).center().toPoint();
        QTest::mousePress(&fixture.view, Qt::LeftButton, Qt::ShiftModifier, from);
        fixture.move(to, Qt::LeftButton, Qt::ShiftModifier);
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, Qt::ShiftModifier, to);
        QCOMPARE(fixture.view.shownSpan(), std::optional(CellSpan{{1, 0}, {3, 2}}));
        const core::SharedMatrix weights = fixture.view.shownHeatmap().content->matrix();
        fixture.key(Qt::Key_C, Qt::ControlModifier);
        const auto table = core::readCsv(QGuiApplication::clipboard()->text().toStdString());
        QVERIFY(table.ok());
        QCOMPARE(table->size(), std::size_t(4));
        QCOMPARE((*table)[0].size(), std::size_t(4));
        QCOMPARE(QString::fromStdString((*table)[1][2]).toFloat(), weights(1, 1));
        const QTemporaryDir folder;
        for (const char *name : {"part.csv", "part.npy"}) {
            const QString path = folder.filePath(name);
            fixture.view.saveSpanTo(path);
            HEADLIGHT_UNTIL(!fixture.view.isSaving());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray bytes = file.readAll();
            if (QString(name).endsWith("csv")) {
                QCOMPARE(bytes, QGuiApplication::clipboard()->text().toUtf8());
                continue;
            }
            QVERIFY(bytes.startsWith("\x93NUMPY"));
            float last = 0;
            std::memcpy(&last, bytes.constData() + bytes.size() - 4, 4);
            QCOMPARE(last, weights(3, 2));
        }
        fixture.key(Qt::Key_Escape);
        QVERIFY(!fixture.view.shownSpan());
        fixture.key(Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(fixture.view.shownSpan()->rows(), weights.rows);
    }

    /// A second file would cancel the first one.
    void aSecondFileIsRefusedWhileOneIsWritten() {
        Fixture<HeadsView> fixture("cat");
        fixture.key(Qt::Key_A, Qt::ControlModifier);
        const QTemporaryDir folder;
        const QString first = folder.filePath("first.csv"), second = folder.filePath("second.csv");
        const QSignalSpy failed(&fixture.view, &FigureView::failed);
        fixture.view.saveSpanTo(first);
        QVERIFY(fixture.view.isSaving());
        fixture.view.saveSpanTo(second);
        QVERIFY(failed.size() == 1);
        HEADLIGHT_UNTIL(!fixture.view.isSaving());
        QVERIFY(QFile::exists(first));
        QVERIFY(!QFile::exists(second));
    }

    void keysExtendARange() {
        Fixture<HeadsView> fixture("cat");
        fixture.select(Stage::AttentionWeights, 2, 2);
        const auto press = [&](Qt::Key key) {
            fixture.key(key, Qt::ControlModifier | Qt::ShiftModifier);
        };
        press(Qt::Key_Right);
        press(Qt::Key_Down);
        QCOMPARE(fixture.view.shownSpan(), std::optional(CellSpan{{2, 2}, {3, 3}}));
        press(Qt::Key_Left);
        press(Qt::Key_Left);
        QCOMPARE(fixture.view.shownSpan(), std::optional(CellSpan{{2, 1}, {3, 2}}));
    }

    /// The pyramid of a large matrix has the strongest cells or the means, so another choice
    /// reads the matrix again.
    void meansOfALargeMatrixAreReadAnew() {
        Fixture<HeadsView> fixture(
            test::sourceOf(test::largeModel(16, 1), {test::wordBatch(1500), {core::CausalMask{}}}),
            {}, {900, 600});
        HeadsView &view = fixture.view;
        HEADLIGHT_UNTIL(!fixture.document.isPreparing());
        fixture.select(Stage::AttentionWeights);
        const auto picture = [&] {
            const bool isSettled = test::until([&] { return view.repaint(), view.isSettled(); });
            return isSettled ? view.grab().toImage() : QImage();
        };
        const QImage largest = picture();
        QVERIFY(!largest.isNull());
        view.setOption(&FigureOptions::blocks, BlockNumber::Mean);
        const QImage means = picture();
        QVERIFY(!means.isNull() && means != largest);
        view.setOption(&FigureOptions::blocks, BlockNumber::Largest);
        QCOMPARE(picture(), largest);
    }

    /// While the wheel turns, a step makes one picture of the large matrix, with fewer pixels, and
    /// none of the other heads. When it rests, the view is painted as if it had not been turned.
    void aStepOfTheWheelPaintsOnlyTheLargeMatrix() {
        Fixture<HeadsView> fixture(test::inputByHead(), {}, {1400, 1000});
        HeadsView &view = fixture.view;
        HEADLIGHT_UNTIL(!fixture.document.isPreparing());
        fixture.select(Stage::AttentionWeights);
        const auto figure = [&]() -> const HeadsFigure & {
            return *static_cast<const HeadsFigure *>(view.figure());
        };
        const auto hasAllTiles = [&] {
            for (core::Index head = 0; head < figure().headCount(); ++head)
                if (figure().shownInTile(head).matrix().empty())
                    return false;
            return true;
        };
        HEADLIGHT_UNTIL((view.repaint(), view.isSettled() && hasAllTiles()));
        (void)view.grab();
        std::vector<std::shared_ptr<PaintingCache>> kept{
            figure().enlarged().content().keptPainting};
        for (core::Index head = 0; head < figure().headCount(); ++head)
            if (figure().lacks(head))
                kept.push_back(figure().shownInTile(head).keptPainting);
        QVERIFY(kept.size() > 30);
        QVERIFY(std::ranges::none_of(kept, [](const auto &cache) { return cache == nullptr; }));
        const auto made = [&kept] {
            std::vector<int> counts;
            for (const auto &cache : kept)
                counts.push_back(cache->made());
            return counts;
        };
        std::vector<int> counts = made();
        const auto paintedStep = [&](int notches, Qt::KeyboardModifiers modifiers) {
            fixture.wheel(view.onScreen(view.geometry().enlarged.cells).center(), notches,
                          modifiers);
            const QImage picture = view.grab().toImage();
            ++counts.front();
            return picture;
        };
        QImage coarse;
        for (const int notches : {1, 1, 0}) {
            coarse = notches > 0 ? paintedStep(1, Qt::ControlModifier) : paintedStep(-1, {});
            if (notches == 0) // a step that scrolls may need no image
                counts.front() = std::min(counts.front(), made().front());
            QCOMPARE(made(), counts);
            const QImage again = view.grab().toImage(); // painted again, as for a crosshair
            QCOMPARE(again, coarse);
            QCOMPARE(made(), counts);
        }
        QVERIFY(view.geometry().enlarged.isWindow);
        fixture.restWheel();
        const QImage rested = view.grab().toImage();
        ++counts.front();
        QCOMPARE(made(), counts);
        QVERIFY(rested != coarse);
        for (const auto &cache : kept)
            test::forgetImages(*cache);
        QCOMPARE(view.grab().toImage(), rested);
    }

    void tokensAreFound() {
        Fixture<HeadsView> fixture("cat");
        fixture.view.findTokens();
        auto *finder = fixture.view.findChild<TokenFinder *>();
        QVERIFY(finder && finder->isVisible());
        const QStringList tokens = keyTokens(*fixture.document.trace(), fixture.selection());
        const QString wanted = tokens[2];
        QTest::keyClicks(finder->findChild<QLineEdit *>(), wanted.toUpper());
        QVERIFY(!finder->matches().empty());
        const core::Index found = *fixture.selection().key;
        QVERIFY(tokens[found].contains(wanted, Qt::CaseInsensitive));
        QVERIFY(finder->findChild<QLabel *>("tokenFinderCount")->text().startsWith("1 of "));
        QTest::keyClick(finder->findChild<QLineEdit *>(), Qt::Key_Return);
        const auto count = std::ssize(finder->matches());
        QCOMPARE(*fixture.selection().key, finder->matches()[static_cast<std::size_t>(1 % count)]);
        QTest::keyClick(finder->findChild<QLineEdit *>(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(*fixture.selection().key, found);
        // An edit of the text finds its tokens, but selects none.
        const std::optional<core::Index> selected = fixture.selection().key;
        QVERIFY(test::typeText(fixture.document, tokens.join(' ') + " " + wanted));
        fixture.settle();
        QCOMPARE(std::ssize(finder->matches()), count + 1);
        QCOMPARE(fixture.selection().key, selected);
        QTest::keyClicks(finder->findChild<QLineEdit *>(), "zzz");
        QCOMPARE(finder->findChild<QLabel *>("tokenFinderCount")->text(), QString("none found"));
        QTest::keyClick(finder->findChild<QLineEdit *>(), Qt::Key_Escape);
        QVERIFY(finder->isHidden());
    }
};

HEADLIGHT_WIDGET_TEST(HeadsViewTest)
#include "tst_heads_view.moc"
