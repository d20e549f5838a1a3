// The output figure: its tokens and numbers match the trace, bars match the probabilities, and
// nothing overlaps.
#include "core/analysis/top_tokens.h"
#include "tests/ui/figures/figure_fixture.h"

namespace {

/// A session's trace and selection.
struct Traced {
    core::TracePointer trace;
    core::Selection selection;
};

Traced traced(const QString &source) {
    const OpenedSource opened = test::opened(source);
    return {test::passOf(opened.state), opened.selection};
}

core::Selection atRow(core::Selection selection, core::Index row) {
    selection.stage = core::Stage::Probabilities;
    selection.query = row;
    return selection;
}

OutputFigure figureOf(const Traced &shown, const FigureOptions &options = {},
                      double textScale = 1) {
    return OutputFigure::fromTrace(shown.trace, shown.selection, FigureStyle::light(textScale),
                                   options);
}

/// Returns a trace of the same text with one head ablated.
core::TracePointer silenced(const core::Trace &trace) {
    core::Input input = trace.input();
    const core::AttentionId first = trace.model().attentions().front();
    input.interventions.heads.push_back({0, 0, core::HeadState::Zero, first.block, first.stack});
    return test::passOf(trace.model(), input);
}

} // namespace

class TestOutputFigure : public QObject {
    Q_OBJECT
  private slots:
    void an_answer_in_its_place_is_not_called_the_next_token() {
        for (const auto &[source, part, stage, title] :
             {std::tuple("it", "answer", "probability of the answer", "The answer here"),
              std::tuple("induction", "next token", "probability of the next token",
                         "What comes next")}) {
            const Traced shown = traced(source);
            const ModelParts parts(*shown.trace);
            QCOMPARE(titleOf(shown.trace->model(), parts.parts().back()), QString(part));
            QCOMPARE(titleOf(shown.trace->model(), core::Stage::Probabilities), QString(stage));
            const OutputContent content = figureOf(shown).content();
            QCOMPARE(content.title, QString(title));
            const bool isInPlace = QString(source) == "it";
            QCOMPARE(content.asked, *shown.selection.query + (isInPlace ? 0 : 1));
            if (isInPlace) { // no token of the input is the answer here
                QVERIFY(!content.stands);
                QCOMPARE(wordName(shown.trace->model(), content.bars.front().word),
                         QString("animal"));
            }
        }
    }

    void shows_the_traces_numbers_most_probable_first() {
        Traced shown = traced(test::sessionPath("gpt_neox"));
        shown.selection = atRow(shown.selection, 2);
        const OutputFigure figure = figureOf(shown);
        const OutputContent &content = figure.content();
        const auto probabilities = shown.trace->matrix(core::Stage::Probabilities, {}, 0, 0);
        const auto logits = shown.trace->matrix(core::Stage::Logits, {}, 0, 0);
        const auto likely = core::likeliestOf(probabilities.row(2), 60);
        // [PAD] and [UNK] have no bars, but count in the ranks.
        const core::Vocabulary &words = *shown.trace->model().vocabulary;
        const std::array noWords{*words.idOf("[PAD]"), *words.idOf("[UNK]")};
        QCOMPARE(content.bars.size(), likely.size() - noWords.size());
        double sum = double(probabilities(2, noWords[0])) + double(probabilities(2, noWords[1]));
        auto next = content.bars.begin();
        for (std::size_t i = 0; i < likely.size(); ++i) {
            if (std::ranges::count(noWords, likely[i].word) > 0)
                continue;
            QCOMPARE(next->word, likely[i].word);
            QCOMPARE(next->probability, probabilities(2, next->word));
            QCOMPARE(next->logit, logits(2, next->word));
            QCOMPARE(next->rank, core::Index(i) + 1);
            QCOMPARE(next->name, wordName(shown.trace->model(), next->word));
            sum += double(next->probability);
            ++next;
        }
        QVERIFY(std::abs(sum - 1) < 1e-5); // all other words are shown
        QCOMPARE(content.asked, core::Index(3));
        // Only the next token of the text is marked.
        for (const OutputContent::Bar &bar : content.bars)
            QCOMPARE(bar.isInText, bar.name == tokenText(shown.trace->batch()[0][3].text));
    }

    void padding_and_the_unknown_word_are_not_offered_data() {
        test::addColumns<QString>({"session"});
        QTest::newRow("next token") << "decoder_rotary";
        QTest::newRow("hidden token") << "encoder_postnorm";
    }
    /// Any shown word can be chosen for the text, so [PAD] and [UNK] are not shown.
    void padding_and_the_unknown_word_are_not_offered() {
        QFETCH(QString, session);
        const Traced shown = traced(test::sessionPath(session));
        const core::Vocabulary &words = *shown.trace->model().vocabulary;
        QCOMPARE(words.word(*words.idOf("[PAD]")), std::string("[PAD]"));
        QCOMPARE(words.word(*words.idOf("[UNK]")), std::string("[UNK]"));
        const OutputContent content = figureOf(shown).content();
        QCOMPARE(core::Index(content.bars.size()), words.size() - 2);
        for (const OutputContent::Bar &bar : content.bars)
            QVERIFY(bar.name != "[PAD]" && bar.name != "[UNK]");
        QVERIFY(content.subtitle.contains("[PAD]") && content.subtitle.contains("[UNK]"));
        QCOMPARE(content.words, words.size());
    }

    void asks_for_the_token_that_is_not_there_yet_unless_one_is_selected() {
        Traced shown = traced(test::sessionPath("gpt_neox"));
        shown.selection.query.reset();
        const OutputContent last = figureOf(shown).content();
        QCOMPARE(last.asked, shown.trace->batch()[0].length);
        QVERIFY(!last.stands);
        QVERIFY(std::ranges::none_of(last.bars, &OutputContent::Bar::isInText));
    }

    void asks_for_a_hidden_token_of_a_masked_language_model() {
        Traced shown = traced(test::sessionPath("encoder_postnorm"));
        shown.selection = atRow(shown.selection, 3);
        const OutputContent content = figureOf(shown).content();
        QVERIFY(content.about == OutputContent::About::HiddenToken);
        QCOMPARE(content.asked, core::Index(3));
        const auto probabilities = shown.trace->matrix(core::Stage::Probabilities, {}, 0, 0);
        QCOMPARE(content.bars[0].probability, probabilities(3, content.bars[0].word));
    }

    void says_the_classes_of_a_classifier() {
        Traced shown = traced(test::sessionPath("encoder_prenorm"));
        shown.selection.sequence = 1;
        const OutputContent content = figureOf(shown).content();
        QVERIFY(content.about == OutputContent::About::Class);
        QCOMPARE(content.bars.size(), std::size_t(2));
        const auto logits = shown.trace->matrix(core::Stage::ClassLogits, {}, 0, 0);
        double bottom = 0;
        for (const OutputContent::Bar &bar : content.bars) {
            QCOMPARE(bar.logit, logits(1, bar.word));
            bottom += std::exp(double(bar.logit));
        }
        for (const OutputContent::Bar &bar : content.bars)
            QVERIFY(std::abs(double(bar.probability) - std::exp(double(bar.logit)) / bottom) <
                    1e-6);
    }

    void bars_are_as_long_as_their_probabilities_on_one_scale_with_the_axis() {
        Traced shown = traced(test::sessionPath("t5_like"));
        const OutputFigure figure = figureOf(shown);
        for (const QSizeF size : {QSizeF(1400, 900), QSizeF(720, 500), QSizeF(460, 700)}) {
            const OutputGeometry places = figure.geometry({QPointF(), size});
            const OutputBarsGeometry &bars = places.bars;
            QVERIFY(!bars.rows.empty());
            for (std::size_t i = 0; i < bars.rows.size(); ++i) {
                const double share = double(figure.content().bars[i].probability) / bars.highest;
                QVERIFY(std::abs(bars.rows[i].bar.width() - share * bars.plot.width()) < 0.01);
                QCOMPARE(bars.rows[i].bar.left(), bars.plot.left());
                QVERIFY(bars.rows[i].bar.right() <= bars.plot.right() + 0.01);
            }
            QVERIFY(bars.ticks.size() >= 2);
            for (const double tick : bars.ticks)
                QVERIFY(tick >= 0 && tick <= bars.highest * (1 + 1e-9));
        }
    }

    void parts_do_not_lie_over_each_other_data() {
        test::addColumns<QSizeF, double>({"size", "textScale"});
        QTest::newRow("window") << QSizeF(700, 420) << 1.0;
        QTest::newRow("large") << QSizeF(1400, 900) << 1.0;
        QTest::newRow("narrow") << QSizeF(360, 500) << 1.0;
        QTest::newRow("least") << QSizeF(10, 10) << 1.0;
        QTest::newRow("least, large text") << QSizeF(10, 10) << 2.0;
        QTest::newRow("projector") << QSizeF(1280, 600) << 2.0;
    }
    void parts_do_not_lie_over_each_other() {
        QFETCH(QSizeF, size);
        QFETCH(double, textScale);
        for (const char *name : {"gpt_neox", "encoder_postnorm", "t5_like", "encoder_prenorm"}) {
            Traced shown = traced(test::sessionPath(name));
            FigureOptions options;
            options.compared.a = silenced(*shown.trace);
            options.compared.name = "A";
            const OutputFigure figure = figureOf(shown, options, textScale);
            const QRectF area(QPointF(), size.expandedTo(figure.minimumSize()));
            const OutputGeometry places = figure.geometry(area);
            QVERIFY2(test::areApart(std::array{places.title, places.subtitle, places.textCard,
                                               places.barsCard}),
                     name);
            for (const OutputBarsGeometry::Row &row : places.bars.rows) {
                QVERIFY2(test::areApart(std::array{row.rank, row.name, row.bar, row.probability,
                                                   row.change, row.logit}),
                         name);
                QVERIFY(places.barsCard.contains(row.rect));
            }
            if (!places.bars.rest.isNull())
                QVERIFY2(places.barsCard.contains(places.bars.rest), name);
            for (const OutputTextGeometry::Place &place : places.text.places)
                QVERIFY2(places.textCard.contains(place.rect), name);
            QVERIFY(area.contains(places.barsCard));
        }
    }

    void what_is_asked_is_in_sight_in_a_long_text() {
        Traced shown = traced(test::sessionPath("gpt_neox"));
        OutputContent content = figureOf(shown).content();
        content.chips.clear();
        for (int i = 0; i < 400; ++i)
            content.chips.push_back({QString("word%1").arg(i), false});
        const FigureStyle style = FigureStyle::light();
        for (const core::Index asked : {0, 1, 57, 200, 398, 399, 400}) {
            content.asked = asked;
            const OutputTextGeometry places = outputTextGeometry(content, style, {10, 10}, 500, 3);
            QVERIFY(std::ranges::any_of(places.places,
                                        [&](const auto &place) { return place.chip == asked; }));
            for (const auto &place : places.places)
                QVERIFY(places.area.contains(place.rect));
            QCOMPARE(places.chipAt(places.places.front().rect.center()),
                     std::optional(places.places.front().chip));
        }
    }

    void beside_another_run_both_probabilities_are_shown() {
        Traced shown = traced(test::sessionPath("gpt_neox"));
        shown.selection = atRow(shown.selection, 4);
        const core::TracePointer a = silenced(*shown.trace);
        const auto before = a->matrix(core::Stage::Probabilities, {}, 0, 0);
        const auto now = shown.trace->matrix(core::Stage::Probabilities, {}, 0, 0);
        FigureOptions options;
        options.compared.a = a;
        options.compared.name = "silent";
        for (const ui::ComparisonSide order : kShown) {
            options.compared.shown = order;
            const OutputFigure figure = figureOf(shown, options);
            const OutputContent &content = figure.content();
            // Side A shows A's numbers, ranks and order, next to the current ones.
            const bool ofA = order == ui::ComparisonSide::A;
            const auto &own = ofA ? before : now, &others = ofA ? now : before;
            const auto ownLogits = (ofA ? a : shown.trace)->matrix(core::Stage::Logits, {}, 0, 0);
            QVERIFY(ofA ? content.name == "A" : content.otherName.contains("silent"));
            QCOMPARE(content.showsChanges, !ofA);
            for (const OutputContent::Bar &bar : content.bars) {
                QCOMPARE(bar.probability, own(4, bar.word));
                QCOMPARE(bar.logit, ownLogits(4, bar.word));
                QCOMPARE(bar.before, std::optional(others(4, bar.word)));
                QCOMPARE(bar.rank, 1 + std::ranges::count_if(own.row(4), [&](float each) {
                                       return each > bar.probability;
                                   }));
            }
            for (std::size_t i = 1; i < content.bars.size(); ++i) {
                const auto key = [&](const OutputContent::Bar &bar) {
                    return order == ui::ComparisonSide::Now ? now(4, bar.word)
                           : order == ui::ComparisonSide::A
                               ? before(4, bar.word)
                               : std::abs(now(4, bar.word) - before(4, bar.word));
                };
                QVERIFY(key(content.bars[i - 1]) >= key(content.bars[i]));
            }
            const OutputGeometry places = figure.geometry({0, 0, 900, 600});
            for (std::size_t i = 0; i < places.bars.rows.size(); ++i) {
                const double share = double(*content.bars[i].before) / places.bars.highest;
                QVERIFY(std::abs(places.bars.rows[i].otherBar.width() -
                                 share * places.bars.plot.width()) < 0.01);
            }
        }
    }

    void a_run_of_other_words_is_not_compared() {
        const Traced shown = traced(test::sessionPath("gpt_neox"));
        FigureOptions options;
        options.compared.a = traced(test::sessionPath("encoder_postnorm")).trace;
        options.compared.name = "other";
        const OutputContent content = figureOf(shown, options).content();
        QVERIFY(content.otherName.isEmpty());
        QVERIFY(content.subtitle.contains("other"));
        QVERIFY(!content.bars[0].before);
    }

    void the_token_of_the_text_has_a_row_where_it_is_not_among_the_first() {
        Traced shown = traced(test::sessionPath("gpt_neox"));
        // Finds the position whose next token has the lowest rank.
        const auto &text = shown.trace->batch()[0];
        core::Index least = 0, worst = 0;
        for (core::Index row = 0; row + 1 < text.length; ++row) {
            const OutputContent content =
                figureOf({shown.trace, atRow(shown.selection, row)}).content();
            if (content.stands && content.stands->rank > worst)
                worst = content.stands->rank, least = row;
        }
        QVERIFY(worst > 4);
        const OutputFigure figure = figureOf({shown.trace, atRow(shown.selection, least)});
        const OutputGeometry places =
            figure.geometry(QRectF(QPointF(), QSizeF(700, figure.minimumSize().height())));
        QVERIFY(places.bars.stands.has_value());
        QVERIFY(core::Index(places.bars.rows.size()) < worst);
        const OutputContent::Bar &bar = figure.bar(places, places.bars.rows.size());
        QCOMPARE(bar.rank, worst);
        QVERIFY(figure.words(bar).contains(QString::number(worst)));
        // The description has the same percentage as the text next to the bar.
        QVERIFY(test::says(figure.words(bar),
                           "probability " + percentText(double(bar.probability)) + ","));
        QCOMPARE(places.bars.rowAt(places.bars.stands->rect.center()),
                 std::optional(places.bars.rows.size()));
    }
};

HEADLIGHT_WIDGET_TEST(TestOutputFigure)
#include "tst_output_figure.moc"
