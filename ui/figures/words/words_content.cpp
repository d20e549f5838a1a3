#include "ui/figures/words/words_content.h"

#include "ui/figures/heatmap/painting_cache.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/text/attention_names.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/step_number.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct WordsViewText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::WordsFigure)
};

QStringList shownAs(const std::vector<std::string> &words) {
    QStringList shown;
    for (const std::string &word : words)
        shown << tokenText(word);
    return shown;
}

core::Tensor tensorOf(const core::Matrix &matrix) {
    return {core::Shape{1, matrix.rows(), matrix.columns()}, matrix.values()};
}

/// Returns a mask that hides the cosines of vectors without a direction.
std::shared_ptr<const core::Mask> withoutDirection(const core::CrossSimilarity &cosines) {
    core::CellMask cells;
    const core::Index rows = cosines.values.rows(), columns = cosines.values.columns();
    for (core::Index i = 0; i < rows; ++i)
        for (core::Index j = 0; j < columns; ++j)
            if (cosines.rowHasNoDirection[static_cast<std::size_t>(i)] ||
                cosines.columnHasNoDirection[static_cast<std::size_t>(j)])
                cells.cells.push_back({{}, i, j, false});
    if (cells.cells.empty())
        return nullptr;
    return std::make_shared<const core::Mask>(core::MaskLayers{cells}, 0, rows, columns, columns);
}

class Cards {
  public:
    Cards(const core::Trace &trace, std::shared_ptr<const core::EncodedTexts> numbers,
          const FigureStyle &style, const FigureOptions &options)
        : m_trace(trace), m_numbers(std::move(numbers)), m_style(style), m_options(options) {
        const bool hasTwo = m_numbers->sequences.size() == 2;
        for (std::size_t text = 0; text < m_numbers->tokens.size(); ++text) {
            const core::Index sequence = m_numbers->sequences[text];
            m_names << sentenceName(sequence);
            QStringList tokens;
            for (const QString &token : shownAs(m_numbers->tokens[text]))
                tokens << (hasTwo ? QStringLiteral("%1 · %2").arg(stepNumber(sequence)).arg(token)
                                  : token);
            m_rows << tokens;
            m_tokens.push_back(tokens);
        }
        m_words = shownAs(m_numbers->vocabulary);
    }

    WordsCard card(core::TextEncoding way) const {
        const core::EncodedText &written = m_numbers->of(way);
        WordsCard made{way,
                       titleOf(way),
                       sentences({explanationOf(way), columnsLeftOut(way, written)}),
                       numbersOf(way, written),
                       std::nullopt,
                       {},
                       {}};
        if (written.words)
            made.cosines = cosinesOf(written);
        if (written.texts) {
            made.textsCaption = textsCaptionOf(way, written);
            made.texts = textsOf(*written.texts);
        } else if (way == core::TextEncoding::OneHot && m_numbers->sequences.size() == 2) {
            made.textsCaption = WordsViewText::tr("sum: the bag of words");
        }
        return made;
    }

  private:
    static QString textsCaptionOf(core::TextEncoding way, const core::EncodedText &written) {
        if (!core::isOfWords(way))
            return WordsViewText::tr("cosine of the sentences");
        switch (written.pooling) {
        case core::Pooling::First:
            return WordsViewText::tr("cosine of the vectors of the sentences' first tokens");
        case core::Pooling::Last:
            return WordsViewText::tr("cosine of the vectors of the sentences' last tokens");
        case core::Pooling::Mean:
            return WordsViewText::tr("cosine of the sentences' mean vectors");
        case core::Pooling::Second: // not in sentence-transformers
        case core::Pooling::LargestId:
            break;
        }
        return {};
    }
    QString explanationOf(core::TextEncoding way) const {
        const core::EncodedText &written = m_numbers->of(way);
        const auto words = m_numbers->vocabulary.size();
        switch (way) {
        case core::TextEncoding::OneHot:
            return WordsViewText::tr("A 1 at the word's own index among the %1 words of the "
                                     "sentences, else 0. Each word is similar only to itself.")
                .arg(words);
        case core::TextEncoding::BagOfWords:
            return WordsViewText::tr("How often each word occurs in the sentence: the sum of its "
                                     "one-hot vectors. The order is lost.");
        case core::TextEncoding::TfIdf:
            return idfWords();
        case core::TextEncoding::Embeddings:
            return WordsViewText::
                tr("One static vector of %1 dimensions for each word, the same in every sentence.")
                    .arg(written.columns);
        case core::TextEncoding::Contextual:
            return contextualText(written);
        }
        return {};
    }
    /// Returns a notice if some columns are not shown, otherwise an empty text.
    static QString columnsLeftOut(core::TextEncoding way, const core::EncodedText &written) {
        const core::Index shown = written.numbers.columns();
        if (written.absence != core::EncodedText::Absence::None || shown >= written.columns)
            return {};
        return core::isOverWords(way)
                   ? WordsViewText::tr("The first %1 of %2 columns are shown.")
                         .arg(shown)
                         .arg(written.columns)
                   : WordsViewText::tr(
                         "The first %1 of %2 columns are shown; Close-up shows the others.")
                         .arg(shown)
                         .arg(written.columns);
    }
    QString idfWords() const {
        const QString formula = WordsViewText::tr(
            "count · idf, with idf = ln((1 + n) / (1 + df)) + 1, where df of the n "
            "sentences have the word (smoothed, as in scikit-learn).");
        if (m_numbers->sequences.size() < 2)
            return sentences(
                {formula, WordsViewText::tr("With one sentence, idf is 1 for every word.")});
        return sentences(
            {formula, WordsViewText::tr("With two sentences, idf has only two values: 1 "
                                        "for a word in both, %1 for a word in one.")
                          .arg(numberText(std::log(1.5) + 1, 3))});
    }
    QString contextualText(const core::EncodedText &written) const {
        if (written.absence == core::EncodedText::Absence::NoSuchStage)
            return WordsViewText::tr("The vector of each word after the layers, in its sentence.");
        const QString where = attentionName(m_trace.model(), written.stage.attention);
        const QString stage = titleOf(m_trace.model(), written.stage.stage);
        const QString name = where.isEmpty() ? stage : enumerated({stage, where});
        return WordsViewText::tr("The vector of each word after attention (%1). In another "
                                 "sentence, the same word has a different vector.")
            .arg(name);
    }

    HeatmapContent contentOf(const core::Matrix &matrix) const {
        HeatmapContent content;
        content.tensor = tensorOf(matrix);
        content.numbers = m_options.numbers;
        content.minimumAspect = 0.05; // allows many columns to fit into a narrow card
        content.maximumAspect = 2;
        content.keptPainting = std::make_shared<PaintingCache>();
        return content;
    }
    HeatmapFigure numbersOf(core::TextEncoding way, const core::EncodedText &written) const {
        if (written.absence != core::EncodedText::Absence::None) {
            HeatmapContent content;
            content.absence = absenceOf(way, written.absence);
            return {std::move(content), m_style};
        }
        HeatmapContent content = contentOf(written.numbers);
        const core::Index shown = written.numbers.columns();
        content.subtitle = shapeText(written.numbers.rows(), written.columns);
        content.rowLabels = core::isOfWords(way) ? m_rows : m_names;
        if (core::isOverWords(way)) {
            double most = 1;
            for (const float number : written.numbers.values())
                most = std::max(most, static_cast<double>(number));
            content.scale = ColourScale::between(m_style.weightsMap, 0, most);
            content.columnLabels = m_words.mid(0, shown);
            content.columnsAreTokens = true;
        } else {
            content.scale =
                ColourScale::of(content.tensor, 0, 0, m_style.signedMap, Range::PerHead);
            content.scale.toneDown(m_style.isDark);
            for (core::Index column = 0; column < shown; ++column)
                content.columnLabels << QString::number(column);
        }
        return {std::move(content), m_style};
    }
    QString absenceOf(core::TextEncoding way, core::EncodedText::Absence absence) const {
        if (absence == core::EncodedText::Absence::NotMade)
            return WordsViewText::tr("For a text of this length, these values are computed when "
                                     "you open the last layer.");
        if (m_trace.model().isCaptured())
            return WordsViewText::tr("These vectors were not captured.");
        return way == core::TextEncoding::Contextual
                   ? WordsViewText::tr("No layer reads these words as a sequence of their own, so "
                                       "nothing is computed from them.")
                   : WordsViewText::tr("There are no such vectors.");
    }
    HeatmapFigure cosinesOf(const core::EncodedText &written) const {
        HeatmapContent content = contentOf(written.words->values);
        content.subtitle = WordsViewText::tr("cosine of each pair of words");
        content.mask = withoutDirection(*written.words);
        content.emptyRowText = WordsViewText::tr("zero vector, so no direction");
        content.scale = ColourScale::between(m_style.signedMap, -1, 1);
        content.scale.toneDown(m_style.isDark);
        content.rowLabels = m_tokens[0];
        content.columnLabels = m_tokens[1];
        content.columnsAreTokens = true;
        return {std::move(content), m_style};
    }
    QString textsOf(const core::Cosine &cosine) const {
        if (!cosine.isDefined)
            return WordsViewText::tr("one of the vectors is zero, so it has no direction");
        return QStringLiteral("%1 = %2 / (%3 · %4)")
            .arg(numberText(cosine.value, 4), numberText(cosine.product, 2),
                 numberText(cosine.firstLength, 2), numberText(cosine.secondLength, 2));
    }

    const core::Trace &m_trace;
    std::shared_ptr<const core::EncodedTexts> m_numbers;
    const FigureStyle &m_style;
    const FigureOptions &m_options;
    std::vector<QStringList>
        m_tokens;        // token names of each sentence: "0 · bank", or "bank" if that is unique
    QStringList m_names; // sentence names
    QStringList m_rows;  // tokens of all sentences
    QStringList m_words; // vocabulary
};

/// Returns the sentence as typed, or its tokens.
QString sentenceText(const core::Sequence &sequence) {
    if (!sequence.text.empty())
        return QString::fromStdString(sequence.text).simplified();
    QStringList tokens;
    for (core::Index token = 0; token < sequence.length; ++token)
        tokens << tokenText(sequence[token].text);
    return tokens.join(QLatin1Char(' '));
}

QString noticeOf(const core::Trace &trace, const core::EncodedTexts &numbers) {
    QStringList notes;
    if (numbers.sequences.size() < 2) {
        notes << WordsViewText::tr(
            "There is only one sentence, so there is nothing to compare it with.");
        if (!trace.model().isCaptured() && !trace.input().source)
            notes << WordsViewText::tr("In the window, type a second sentence below.");
    }
    for (std::size_t text = 0; text < numbers.sequences.size(); ++text)
        if (numbers.shownTokens(text) < numbers.lengths[text])
            notes << WordsViewText::tr(
                         "The first %2 of %3 tokens of %1 are shown; all are compared.")
                         .arg(sentenceName(numbers.sequences[text]))
                         .arg(numbers.shownTokens(text))
                         .arg(numbers.lengths[text]);
    return sentences(notes);
}

} // namespace

bool isShown(core::TextEncoding way, core::ShownEncoding shown) {
    switch (shown) {
    case core::ShownEncoding::All:
        return true;
    case core::ShownEncoding::OneHot:
        return way == core::TextEncoding::OneHot;
    case core::ShownEncoding::BagOfWords:
        return way == core::TextEncoding::BagOfWords;
    case core::ShownEncoding::TfIdf:
        return way == core::TextEncoding::TfIdf;
    case core::ShownEncoding::Embeddings:
        return way == core::TextEncoding::Embeddings;
    case core::ShownEncoding::Contextual:
        return way == core::TextEncoding::Contextual;
    }
    return true;
}

QString titleOf(core::TextEncoding way) {
    switch (way) {
    case core::TextEncoding::OneHot:
        return WordsViewText::tr("One-hot");
    case core::TextEncoding::BagOfWords:
        return WordsViewText::tr("Bag of words");
    case core::TextEncoding::TfIdf:
        return WordsViewText::tr("TF-IDF");
    case core::TextEncoding::Embeddings:
        return WordsViewText::tr("Embeddings");
    case core::TextEncoding::Contextual:
        return WordsViewText::tr("After attention");
    }
    return {};
}

WordsContent wordsContentOf(const core::Trace &trace, const core::Selection &selection,
                            const FigureStyle &style, const FigureOptions &options) {
    WordsContent content;
    content.title = !options.title.isEmpty()     ? options.title
                    : trace.batch().count() == 1 ? WordsViewText::tr("A sentence as numbers")
                                                 : WordsViewText::tr("Two sentences as numbers");
    if (const QString side = captionOf(options.compared); !side.isEmpty())
        content.title += QStringLiteral(" · ") + side;
    content.nothing =
        unavailableReason(trace, selection, options.compared, options.compared.shown, Sought::Texts)
            .sentences();
    if (!content.nothing.isEmpty())
        return content;
    const auto numbers = std::make_shared<const core::EncodedTexts>(
        core::encodedTextsOf(trace, selection.sequence, selection.stack));
    const core::AttentionId attention(
        0, core::Block::SelfAttention,
        trace.model().hasStack(selection.stack) ? selection.stack : trace.model().mainStack());
    for (const core::Index sequence : numbers->sequences)
        content.sentences << labelled(sentenceName(sequence),
                                      sentenceText(trace.queries(attention)[sequence]));
    content.numbers = numbers;
    content.notice = noticeOf(trace, *numbers);
    const Cards cards(trace, numbers, style, options);
    for (const core::TextEncoding way : core::kTextEncodings)
        if (isShown(way, options.writing))
            content.cards.push_back(cards.card(way));
    return content;
}

void WordsContent::select(const core::Selection &selection) {
    const auto text = numbers ? numbers->textOf(selection.sequence) : std::nullopt;
    const std::optional<core::Index> token = text ? selection.query : std::nullopt;
    const std::optional<core::Index> row = token ? numbers->rowOf(*text, *token) : std::nullopt;
    std::optional<core::Index> word;
    if (row) {
        const std::string &tokenText = numbers->tokens[*text][static_cast<std::size_t>(*token)];
        const auto found = std::ranges::find(numbers->vocabulary, tokenText);
        if (found != numbers->vocabulary.end())
            word = found - numbers->vocabulary.begin();
    }
    for (WordsCard &card : cards) {
        const bool isOfStage =
            numbers->of(card.way).stage.stage == selection.stage && !core::isOverWords(card.way);
        const auto column = core::isOverWords(card.way) ? word
                            : isOfStage                 ? selection.dimension
                                                        : std::nullopt;
        const std::optional<core::Index> ofText =
            row ? std::optional(static_cast<core::Index>(*text)) : std::nullopt;
        card.numbers.select(core::isOfWords(card.way) ? row : ofText, row ? column : std::nullopt);
        if (card.cosines && row)
            card.cosines->select(*text == 0 ? token : std::nullopt,
                                 *text == 1 ? token : std::nullopt);
        else if (card.cosines)
            card.cosines->select({}, {});
    }
}

std::optional<std::pair<core::Index, core::Index>> WordsContent::tokenAt(const WordsCard &card,
                                                                         core::Index row) const {
    if (!core::isOfWords(card.way))
        return std::nullopt;
    const auto [text, token] = numbers->tokenOf(row);
    return std::pair(numbers->sequences[text], token);
}

QString WordsContent::words(const WordsCard &card, Cell cell) const {
    const HeatmapContent &shown = card.numbers.content();
    const float value = shown.matrix()(cell.row, cell.column);
    const bool ofWords = core::isOfWords(card.way);
    const auto [text, token] =
        ofWords ? numbers->tokenOf(cell.row)
                : std::pair<std::size_t, core::Index>(static_cast<std::size_t>(cell.row), 0);
    const QString sentence = sentenceName(numbers->sequences[text]);
    const QString column = shown.columnLabels.value(cell.column);
    const auto tokenWords = [&, text = text, token = token] {
        return tokenText(numbers->tokens[text][static_cast<std::size_t>(token)]);
    };
    switch (card.way) {
    case core::TextEncoding::OneHot:
        return WordsViewText::tr("“%1” in %2: %3 at the index of “%4”")
            .arg(tokenWords(), sentence, fullText(value), column);
    case core::TextEncoding::BagOfWords:
        return WordsViewText::tr("“%1” occurs in %2: %3 times")
            .arg(column, sentence, fullText(value));
    case core::TextEncoding::TfIdf:
        return WordsViewText::tr("“%1” in %2: count %3 · idf %4 = %5")
            .arg(column, sentence,
                 fullText(
                     numbers->of(core::TextEncoding::BagOfWords).numbers(cell.row, cell.column)),
                 numberText(numbers->idf[static_cast<std::size_t>(cell.column)], 4),
                 numberText(static_cast<double>(value), 4));
    case core::TextEncoding::Embeddings:
    case core::TextEncoding::Contextual:
        return WordsViewText::tr("“%1” in %2, dimension %3: %4")
            .arg(tokenWords(), sentence, QString::number(cell.column), fullText(value));
    }
    return {};
}

QString WordsContent::cosineText(Cell cell) const {
    QStringList values;
    for (const WordsCard &card : cards) {
        const core::EncodedText &written = numbers->of(card.way);
        if (!written.words)
            continue;
        const bool hidden = card.cosines->content().isHidden(cell.row, cell.column);
        const QString value = hidden ? WordsViewText::tr("no direction")
                                     : fullText(written.words->values(cell.row, cell.column));
        values << labelled(card.title, value);
    }
    const auto name = [this](std::size_t text, core::Index token) {
        return WordsViewText::tr("“%1” in %2")
            .arg(tokenText(numbers->tokens[text][static_cast<std::size_t>(token)]),
                 sentenceName(numbers->sequences[text]));
    };
    return WordsViewText::tr("Cosine of %1 and %2 · %3")
        .arg(name(0, cell.row), name(1, cell.column), enumerated(values));
}

} // namespace headlight::ui
