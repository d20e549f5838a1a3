// Every view with a pinned A: both sides, equal and unequal lengths, and other models. A view
// paints the side's own numbers, or a message with the reason and a remedy, but never an empty
// picture.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/lines/lines_figure.h"
#include "ui/figures/tinted_text/tinted_text_figure.h"

#include <algorithm>

namespace {

constexpr QSizeF kRoomy(1700, 1100);

/// Returns a trace of a two-layer language model.
const core::TracePointer &presentTrace() {
    static const core::TracePointer trace = test::traceOf("gpt_neox");
    return trace;
}

/// Returns a trace of the same model on the first tokens only, with one head ablated.
core::TracePointer shortenedRun(core::Index length) {
    core::Input input = presentTrace()->input();
    core::TokenizedText text = (*input.batch)[0].tokenized();
    text.tokens.resize(static_cast<std::size_t>(length));
    text.text.clear();
    text.isSplit = false;
    input.batch = *core::Batch::create({text});
    input.interventions.heads.push_back({0, 0, core::HeadState::Zero});
    return test::passOf(presentTrace()->model(), input);
}

/// Returns a trace of the same model without the first tokens.
core::TracePointer laterPart(core::Index without) {
    core::Input input = presentTrace()->input();
    core::TokenizedText text = (*input.batch)[0].tokenized();
    text.tokens.erase(text.tokens.begin(), text.tokens.begin() + without);
    text.text.clear();
    text.isSplit = false;
    input.batch = *core::Batch::create({text});
    return test::passOf(presentTrace()->model(), input);
}

/// Returns the comparison of two texts by the partners of their tokens.
Compared byPartners(const core::TracePointer &now, const core::TracePointer &a,
                    ComparisonSide shown) {
    Compared compared{shown, a, 0, QStringLiteral("another text")};
    compared.training = test::someRun(a->model(), 0.75);
    compared.partners = core::partnersOf(now->input(), 0, a->input(), 0, now->model());
    return compared;
}

core::Index lengthNow() {
    return presentTrace()->batch()[0].length;
}

FigureInput presentInput(core::View view, const core::TracePointer &trace) {
    FigureInput input{.trace = trace, .selection = {}, .style = FigureStyle::light()};
    input.selection.layer = 1;
    input.selection.head = 1;
    input.selection.query = 3;
    if (view == core::View::Output)
        input.selection.query.reset(); // the query may not exist in the shorter text
    input.training = test::someRun(trace->model(), 0.25);
    return input;
}

FigureInput comparedInput(core::View view, const core::TracePointer &a, ComparisonSide shown) {
    FigureInput input = presentInput(view, presentTrace());
    input.options.compared = {shown, a, {}, QStringLiteral("before")};
    if (a)
        input.options.compared.training = test::someRun(a->model(), 0.75);
    return input;
}

/// Returns the input of A's figure without a comparison.
FigureInput inputOfA(core::View view, const core::TracePointer &a) {
    FigureInput input = presentInput(view, a);
    if (input.selection.query && *input.selection.query >= a->batch().length())
        input.selection.query.reset();
    input.training = test::someRun(a->model(), 0.75);
    return input;
}

std::unique_ptr<Figure> madeFigure(const FigureInput &input, core::View view) {
    return infoOf(view).makeFigure(input);
}

PaintingRecord roomyRecord(const Figure &figure) {
    return PaintingRecord::of(figure, kRoomy.expandedTo(figure.minimumSize()), Device::Vector);
}

/// Returns numbers with decimals, such as "0.1234", "−3.2" and "12.3 %", to exclude indices.
std::multiset<QString> numbersIn(const PaintingRecord &record) {
    static const QRegularExpression number(QStringLiteral("^[+−±]?\\d*[.,]\\d+( %)?$"));
    std::multiset<QString> numbers;
    for (const PaintingRecord::Text &text : record.texts)
        if (number.match(text.text.trimmed()).hasMatch())
            numbers.insert(text.text.trimmed());
    return numbers;
}

QString squeezed(QString text) {
    return text.remove(QRegularExpression(QStringLiteral("\\s")));
}

QString paintedText(const PaintingRecord &record) {
    QString all;
    for (const PaintingRecord::Text &text : record.texts)
        all += text.text;
    return squeezed(all);
}

/// Returns the row that the figure highlights. None for views in which no test needs it.
std::optional<core::Index> highlightedRow(const Figure &figure, core::View view) {
    if (view == core::View::Heatmap)
        return static_cast<const HeatmapFigure &>(figure).content().selectedRow;
    if (view == core::View::Heads)
        return static_cast<const HeadsFigure &>(figure).enlarged().content().selectedRow;
    if (view == core::View::CloseUp)
        return static_cast<const CloseUpFigure &>(figure).parts().result.content.selectedRow;
    if (view == core::View::Similarity)
        return static_cast<const SimilarityFigure &>(figure).heatmap(0).content().selectedRow;
    if (view == core::View::Text)
        return static_cast<const TintedTextFigure &>(figure).query();
    if (view == core::View::Lines)
        if (const auto pinned = static_cast<const LinesFigure &>(figure).pinned())
            return pinned->index;
    return std::nullopt;
}

bool isOfOneRun(core::View view) {
    return !infoOf(view).showsDifference;
}

struct OtherRun {
    const char *name;
    core::TracePointer a;
    bool hasAll;   ///< true if every view can show A
    bool isAsLong; ///< true if every view with differences can show them
};

std::vector<OtherRun> otherRuns() {
    test::TraceRecipe shallow; // one layer, two heads, no output layer, another text
    return {{"as long", shortenedRun(lengthNow()), true, true},
            {"shorter", shortenedRun(lengthNow() - 3), true, false},
            {"a single token", shortenedRun(1), true, false},
            {"another model", test::makeTrace(shallow), false, false},
            {"not computed yet", nullptr, false, false}};
}

} // namespace

class ComparedViewsTest : public QObject {
    Q_OBJECT

    /// All views but Being born, which replays the current run only (tests/ui/birth).
    void addCases(bool withSides) {
        test::addColumns<core::View, std::size_t, ComparisonSide>({"view", "other", "shown"});
        const std::vector<OtherRun> all = otherRuns();
        for (const ViewInfo &info : allViews())
            for (std::size_t other = info.view == core::View::Birth ? all.size() : 0;
                 other < all.size(); ++other)
                for (const ComparisonSide shown : kShown)
                    if (withSides || shown == ComparisonSide::Now)
                        QTest::addRow("%s, %s, %s", qPrintable(idOf(info)), all[other].name,
                                      qPrintable(nameOf(shown)))
                            << info.view << other << shown;
    }

  private slots:
    void theSidesOwnOrASentence_data() { addCases(true); }
    void theSidesOwnOrASentence() {
        QFETCH(core::View, view);
        QFETCH(std::size_t, other);
        QFETCH(ComparisonSide, shown);
        const OtherRun beside = otherRuns()[other];
        const FigureInput input = comparedInput(view, beside.a, shown);
        const auto figure = madeFigure(input, view);
        const PaintingRecord record = roomyRecord(*figure);
        const QString text = paintedText(record);
        const UnavailableReason why = infoOf(view).comparisonUnavailableReason(input);
        QVERIFY(!record.texts.empty());
        QVERIFY(!figure->description().isEmpty());
        if (beside.hasAll) // an expected value that does not use the function under test
            QCOMPARE(why.isEmpty(),
                     shown != ComparisonSide::Difference || (beside.isAsLong && !isOfOneRun(view)));
        if (!beside.a)
            QCOMPARE(why.isEmpty(), shown == ComparisonSide::Now);
        if (!why.isEmpty()) {
            const QString sentence = why.sentences();
            QVERIFY2(text.contains(squeezed(sentence)), qPrintable(sentence));
            QVERIFY(test::says(figure->description(), sentence));
            QVERIFY(!why.todo.isEmpty());
            QCOMPARE(infoOf(view).whyEmpty(input, *figure), why.why);
            if (isOfOneRun(view) || view == core::View::Output || view == core::View::Heatmap ||
                view == core::View::Similarity)
                QVERIFY(numbersIn(record).empty());
            return;
        }
        if (shown != ComparisonSide::Now) // the figure names the side
            QVERIFY(test::says(text, "before"));
        const std::multiset<QString> numbers = numbersIn(record);
        const FigureInput own = shown == ComparisonSide::A ? inputOfA(view, beside.a)
                                                           : presentInput(view, presentTrace());
        const std::multiset<QString> ownNumbers = numbersIn(roomyRecord(*madeFigure(own, view)));
        QVERIFY(!numbers.empty() || ownNumbers.empty()); // a single weight is 1, without decimals
        if (shown == ComparisonSide::Difference) {
            QVERIFY(numbers != ownNumbers);
            QVERIFY(numbers != numbersIn(roomyRecord(*madeFigure(inputOfA(view, beside.a), view))));
            return;
        }
        if (view != core::View::Output) { // Output may also show the other run
            QCOMPARE(QStringList(numbers.begin(), numbers.end()),
                     QStringList(ownNumbers.begin(), ownNumbers.end()));
            return;
        }
        for (const QString &number : ownNumbers)
            if (!number.endsWith(QLatin1Char('%'))) // bars of logits may have another range
                QVERIFY2(numbers.contains(number), qPrintable(number));
    }

    /// A run compared with itself shows no changes.
    void aRunBesideItself_data() {
        QTest::addColumn<core::View>("view");
        for (const ViewInfo &info : allViews())
            if (info.showsDifference)
                QTest::newRow(qPrintable(idOf(info))) << info.view;
    }
    void aRunBesideItself() {
        QFETCH(core::View, view);
        const auto figure =
            madeFigure(comparedInput(view, presentTrace(), ComparisonSide::Difference), view);
        const PaintingRecord record = roomyRecord(*figure);
        QVERIFY(test::says(paintedText(record), "nothingchanged"));
    }

    /// The texts have different lengths, and each row and key is selected in turn. Each view paints
    /// the differences that it has, in the shape of the current side.
    void textsWithPartners_data() {
        test::addColumns<core::View, bool>({"view", "isLonger"});
        for (const ViewInfo &info : allViews())
            for (const bool isLonger : {false, true})
                if (info.view != core::View::Birth)
                    QTest::addRow("%s, %s", qPrintable(idOf(info)), isLonger ? "longer" : "shorter")
                        << info.view << isLonger;
    }
    void textsWithPartners() {
        QFETCH(core::View, view);
        QFETCH(bool, isLonger);
        const core::TracePointer part = laterPart(3);
        const core::TracePointer &now = isLonger ? presentTrace() : part;
        const core::TracePointer &a = isLonger ? part : presentTrace();
        for (const ComparisonSide shown : kShown)
            for (core::Index token = 0; token < now->batch().length(); ++token) {
                const core::Index shifted = isLonger ? token - 3 : token + 3;
                const auto partner =
                    shifted < 0 ? std::nullopt : std::optional<core::Index>(shifted);
                FigureInput input = presentInput(view, now);
                input.selection.query = token;
                input.selection.key = now->batch().length() - 1 - token;
                input.options.compared = byPartners(now, a, shown);
                input.options.order = core::HeadOrder::Entropy;
                const auto figure = madeFigure(input, view);
                const PaintingRecord record = roomyRecord(*figure);
                QVERIFY(!record.texts.empty());
                const UnavailableReason why = infoOf(view).comparisonUnavailableReason(input);
                const bool isAlone = view == core::View::Output && isLonger && token < 3;
                if (shown == ComparisonSide::Difference)
                    QCOMPARE(why.isEmpty(), !isOfOneRun(view) && !isAlone);
                if (!why.isEmpty())
                    QVERIFY(test::says(paintedText(record), squeezed(why.sentences())));
                if (shown != ComparisonSide::A || !why.isEmpty())
                    continue;
                // The figure equals that of A without a comparison, with the partners selected.
                FigureInput own = presentInput(view, a);
                own.training = test::someRun(a->model(), 0.75);
                own.options.order = core::HeadOrder::Entropy;
                own.selection = inA(input.options.compared, input.selection);
                const auto alone = madeFigure(own, view);
                QCOMPARE(highlightedRow(*figure, view), highlightedRow(*alone, view));
                if (view == core::View::Heatmap)
                    QCOMPARE(highlightedRow(*figure, view), partner);
                if (view == core::View::Output) // Output may also show the other run
                    continue;
                const auto numbers = numbersIn(record), ownNumbers = numbersIn(roomyRecord(*alone));
                QCOMPARE(QStringList(numbers.begin(), numbers.end()),
                         QStringList(ownNumbers.begin(), ownNumbers.end()));
            }
    }

    void theDifferenceOfTextsWithPartners() {
        const core::TracePointer part = laterPart(3);
        for (const bool isLonger : {false, true}) {
            const core::TracePointer &now = isLonger ? presentTrace() : part;
            const core::TracePointer &a = isLonger ? part : presentTrace();
            const core::Index shift = isLonger ? -3 : 3; // offset from current positions to A's
            FigureOptions options;
            options.compared = byPartners(now, a, ComparisonSide::Difference);
            const core::Selection at = test::at(Stage::AttentionWeights, 1, 0, 1);
            const HeatmapContent content = contentOf(now, at, FigureStyle::light(), options);
            QCOMPARE(content.absence, QString());
            QCOMPARE(content.matrix().rows, now->batch().length());
            QCOMPARE(content.rowLabels.size(), now->batch().length());
            QCOMPARE(content.subtitle.contains("only in A: "), !isLonger);
            for (core::Index row = 0; row < now->batch().length(); ++row)
                for (core::Index column = 0; column < now->batch().length(); ++column) {
                    const bool hasPartners = row + shift >= 0 && column + shift >= 0;
                    const float own =
                        now->matrix(at.stage, at.attention(), 0, at.head)(row, column);
                    const auto cell = comparedCell(*now, at, options.compared, row, column);
                    QVERIFY(cell);
                    QCOMPARE(cell->hasPartner, hasPartners);
                    QCOMPARE(cell->now, own);
                    QCOMPARE(content.isHidden(row, column),
                             !hasPartners || now->mask(0, at.attention()).hidden(row, column));
                    if (!hasPartners)
                        continue;
                    const float other = a->matrix(at.stage, at.attention(), 0,
                                                  at.head)(row + shift, column + shift);
                    QCOMPARE(cell->a, other);
                    QCOMPARE(
                        content.matrix()(row, column),
                        static_cast<float>(static_cast<double>(own) - static_cast<double>(other)));
                }
            QCOMPARE(content.isHidden(0, 0), isLonger);
            if (isLonger)
                QVERIFY(content.rowLabels[0].endsWith(" | —"));
        }
    }

    /// Two texts without a common token have no difference of weights, but both predict a next
    /// token.
    void nothingInCommon() {
        const core::TracePointer now = shortenedRun(1), a = laterPart(lengthNow() - 2);
        FigureInput input = presentInput(core::View::Heatmap, now);
        input.selection.query.reset();
        input.options.compared = byPartners(now, a, ComparisonSide::Difference);
        QVERIFY(input.options.compared.partners->texts()[0].pairs.empty());
        QVERIFY(infoOf(core::View::Heatmap)
                    .comparisonUnavailableReason(input)
                    .why.contains("no token in common"));
        QVERIFY(infoOf(core::View::Output).comparisonUnavailableReason(input).isEmpty());
    }

    /// The heads whose measure differs most come first, with the difference.
    void headsInTheOrderOfTheirChange() {
        const core::TracePointer now = presentTrace(), a = laterPart(3);
        FigureInput input = presentInput(core::View::Heads, now);
        input.options.compared = byPartners(now, a, ComparisonSide::Difference);
        input.options.order = core::HeadOrder::Entropy;
        const auto figure = madeFigure(input, core::View::Heads);
        const PaintingRecord record = roomyRecord(*figure);
        QVERIFY(test::says(paintedText(record), "sortedbythechangeoftheentropy"));
        const core::ComparedSide left{*now, 0}, right{*a, 0};
        const auto heads =
            core::comparedHeads(left, right, input.options.compared.partners->texts(),
                                core::AttentionId{input.selection.layer});
        QVERIFY(heads.ok());
        for (const core::ComparedHead &head : *heads) {
            const double change = *head.now.entropy - *head.a.entropy;
            const QString text =
                (change > 0 ? QStringLiteral("+") : QString()) + numberText(change, 2);
            QVERIFY2(test::says(paintedText(record), squeezed(text)), qPrintable(text));
        }
    }

    /// The mean change of a head's weights is the one that `headlight compare` prints, for texts of
    /// different lengths and for equally long ones.
    void meanChangeAsInTheCommand() {
        const core::TracePointer now = presentTrace();
        for (const core::Index shift : {0, 3}) {
            core::Input input = now->input();
            input.masks = {core::CausalMask{}};
            const core::TracePointer causal = test::passOf(now->model(), input);
            core::TokenizedText text = (*input.batch)[0].tokenized();
            text.text.clear();
            text.isSplit = false;
            if (shift > 0)
                text.tokens.erase(text.tokens.begin(), text.tokens.begin() + shift);
            else
                std::ranges::rotate(text.tokens, text.tokens.begin() + 1);
            input.batch = *core::Batch::create({text});
            const core::TracePointer a = test::passOf(now->model(), input);
            FigureOptions options;
            options.compared = byPartners(causal, a, ComparisonSide::Difference);
            const core::Selection at = test::at(Stage::AttentionWeights, 1, 0, 1);
            const auto heads =
                core::comparedHeads(core::ComparedSide{*causal, 0}, core::ComparedSide{*a, 0},
                                    options.compared.partners->texts(), at.attention());
            QVERIFY(heads.ok());
            const core::ComparedHead &head = (*heads)[static_cast<std::size_t>(at.head)];
            QVERIFY(head.meanDifference && *head.meanDifference > 0);
            const QString mean = "mean |change| " + numberText(*head.meanDifference, 4);
            if (shift == 0) // equally long texts are compared without partners
                options.compared.partners.reset();
            const HeatmapContent content = contentOf(causal, at, FigureStyle::light(), options);
            QVERIFY2(content.subtitle.contains(mean), qPrintable(content.subtitle + " | " + mean));
        }
    }

    /// Two sequences of a batch are equally long with padding, but have their own lengths.
    void sequencesOfABatch() {
        core::Input input = presentTrace()->input();
        core::TokenizedText text = (*input.batch)[0].tokenized();
        text.text.clear();
        text.isSplit = false;
        core::TokenizedText first = text;
        first.tokens.resize(3);
        input.batch = *core::Batch::create({text, first});
        const core::TracePointer both = test::passOf(presentTrace()->model(), input);
        FigureInput side = presentInput(core::View::Output, both);
        side.options.compared = {ComparisonSide::Difference, both, 1, QStringLiteral("sequence 1")};
        QVERIFY(infoOf(core::View::Output)
                    .comparisonUnavailableReason(side)
                    .why.startsWith("A has 3 tokens"));
        side.options.compared.shown = ComparisonSide::A;
        const auto figure = madeFigure(side, core::View::Output);
        QCOMPARE(std::ssize(static_cast<const OutputFigure &>(*figure).content().chips),
                 core::Index(3));
    }

    /// Cosines between words can be compared even if the vectors have different widths.
    void cosinesOfVectorsOfTwoWidths() {
        test::TraceRecipe narrow;
        narrow.headSize = 4;
        const core::TracePointer now = test::makeTrace(), a = test::makeTrace(narrow);
        FigureOptions options;
        options.compared = {ComparisonSide::Difference, a, {}, QStringLiteral("before")};
        const auto figure = SimilarityFigure::fromTrace(now, {}, FigureStyle::light(), options);
        QCOMPARE(figure.heatmap(1).content().absence, QString());
        const auto of = [&](const core::TracePointer &trace) {
            return SimilarityFigure::fromTrace(trace, {}, FigureStyle::light())
                .heatmap(1)
                .content()
                .matrix()(4, 3);
        };
        QCOMPARE(figure.heatmap(1).content().matrix()(4, 3),
                 static_cast<float>(static_cast<double>(of(now)) - static_cast<double>(of(a))));
    }

    void softmaxOfNumbersOfNoModelHasNoSides() {
        for (const bool own : {true, false})
            for (const ComparisonSide shown : {ComparisonSide::A, ComparisonSide::Difference}) {
                FigureInput input =
                    comparedInput(core::View::Softmax, shortenedRun(lengthNow()), shown);
                if (own)
                    input.softmax.logits = {1, 2};
                else
                    input.softmax.part = core::SoftmaxPart::Spread;
                const auto figure = madeFigure(input, core::View::Softmax);
                const QString nothing =
                    static_cast<const SoftmaxFigure &>(*figure).content().nothing;
                QVERIFY(test::says(nothing, "do not come from a model"));
            }
    }

    /// The heads of A have A's own order and number.
    void headsInTheOrderOfA() {
        test::TraceRecipe recipe;
        recipe.heads = 4;
        recipe.headSize = 8;
        const core::TracePointer now = test::makeTrace(recipe);
        recipe.heads = 3;
        recipe.seed = 11;
        const core::TracePointer a = test::makeTrace(recipe);
        FigureInput input{.trace = now, .selection = {}, .style = FigureStyle::light()};
        input.options.order = core::HeadOrder::Entropy;
        const auto own = roomyRecord(*madeFigure(
            {.trace = a, .selection = {}, .style = FigureStyle::light(), .options = input.options},
            core::View::Heads));
        input.options.compared = {ComparisonSide::A, a, {}, QStringLiteral("before")};
        const auto shown = roomyRecord(*madeFigure(input, core::View::Heads));
        const auto titles = [](const PaintingRecord &record) {
            QStringList found;
            for (const PaintingRecord::Text &text : record.texts)
                if (text.text.startsWith("head ") && !text.text.contains(QChar(0xb7)))
                    found << text.text;
            return found;
        };
        QVERIFY(titles(own).size() >= 3);
        QCOMPARE(titles(shown), titles(own));
    }

    void gradientsAreOfThePresentRun() {
        FigureInput input =
            comparedInput(core::View::Whole, shortenedRun(lengthNow()), ComparisonSide::A);
        core::BackwardPass back;
        back.trace = input.trace;
        input.options.backwardPass = std::make_shared<const core::BackwardPass>(std::move(back));
        const auto figure = madeFigure(input, core::View::Whole);
        QVERIFY(paintedText(roomyRecord(*figure))
                    .contains("Gradientsareonlyavailableforthecurrentside"));
    }
};

HEADLIGHT_WIDGET_TEST(ComparedViewsTest)
#include "tst_compared_views.moc"
