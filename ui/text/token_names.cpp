#include "ui/text/token_names.h"

#include "core/analysis/token_partners.h"
#include "core/selection/selected.h"
#include "ui/text/step_number.h"
#include "ui/text/word_id.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

QStringList numbers(core::Index count) {
    QStringList names;
    for (core::Index i = 0; i < count; ++i)
        names << QString::number(i);
    return names;
}

/// Labels each token as "token → next token". The token after the last one is unknown.
QStringList withWritten(const core::Sequence &sequence, const QStringList &tokens) {
    QStringList labels;
    for (qsizetype i = 0; i < tokens.size(); ++i) {
        const auto index = static_cast<core::Index>(i);
        const QString written =
            index + 1 < sequence.length ? tokens.value(i + 1) : QStringLiteral("…");
        labels << (sequence.isPadding(index) ? tokens[i]
                                             : QStringLiteral("%1 → %2").arg(tokens[i], written));
    }
    return labels;
}

/// Names each row or column by its distance (query − key): "+3" for an earlier key. If several
/// distances share a row, uses the one nearest to 0. A capture has no table of distances, so its
/// rows or columns are numbered.
QStringList distanceNames(const core::Trace &trace, core::Index count) {
    QStringList names;
    for (const core::Index distance :
         core::nearestDistances(trace.model().config.disentangled.table))
        names << (distance > 0   ? QStringLiteral("+%1").arg(distance)
                  : distance < 0 ? QStringLiteral("−%1").arg(-distance)
                                 : QStringLiteral("0"));
    return names.isEmpty() ? numbers(count) : names;
}

bool isCausal(const core::MaskLayers &masks) {
    return std::ranges::any_of(masks, [](const core::MaskLayer &layer) {
        const auto *window = std::get_if<core::WindowMask>(&layer);
        return std::holds_alternative<core::CausalMask>(layer) || (window && !window->bothWays);
    });
}

struct TokenNamesText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::TokenNames)
};

} // namespace

QString tokenText(const std::string &token) {
    QString text = QString::fromStdString(token);
    for (QChar &c : text) {
        if (c == QLatin1Char('\n'))
            c = QChar(0x23CE); // ⏎
        else if (c == QLatin1Char('\t'))
            c = QChar(0x21E5); // ⇥
        else if (c == QLatin1Char(' '))
            c = QChar(0x2423); // ␣
        else if (c.category() == QChar::Other_Control)
            c = QChar(0x00B7); // ·
    }
    return text;
}

QStringList tokensOf(const core::Batch &batch, core::Index sequence) {
    QStringList tokens;
    if (sequence >= batch.count()) // the selection may belong to a newer state
        return tokens;
    for (const core::Token &token : batch[sequence].tokens)
        tokens.append(tokenText(token.text));
    return tokens;
}

QStringList tokensOf(const core::Trace &trace, core::Index sequence) {
    return tokensOf(trace.batch(), sequence);
}

QString shownTextOf(const core::Sequence &sequence) {
    if (!sequence.text.empty())
        return QString::fromStdString(sequence.text);
    QStringList words;
    for (core::Index t = 0; t < sequence.length; ++t)
        words << QString::fromStdString(sequence[t].text);
    return words.join(QLatin1Char(' '));
}

QString sentenceName(core::Index sequence) {
    return TokenNamesText::tr("sentence %1").arg(stepNumber(sequence));
}

QStringList queryTokens(const core::Trace &trace, const core::Selection &selection) {
    return tokensOf(trace.queries(selection.attention()), selection.sequence);
}

QStringList keyTokens(const core::Trace &trace, const core::Selection &selection) {
    return tokensOf(trace.keys(selection.attention()), selection.sequence);
}

/// Returns numbers from 1, as shown next to the words of a batch.
static QStringList sentenceNumbers(core::Index count) {
    QStringList all;
    for (core::Index sequence = 0; sequence < count; ++sequence)
        all << QString::number(stepNumber(sequence));
    return all;
}

QStringList rowNames(const core::Trace &trace, const core::Selection &selection) {
    if (core::infoOf(selection.stage).rowsAreSequences())
        return sentenceNumbers(trace.batch().count());
    if (core::infoOf(selection.stage).rowsAreDistances())
        return distanceNames(trace, core::sizeAt(trace, selection).rows);
    return core::infoOf(selection.stage).ofKeys() ? keyTokens(trace, selection)
                                                  : queryTokens(trace, selection);
}

QString sinkName() {
    return TokenNamesText::tr("sink (no token)");
}

QStringList columnNames(const core::Trace &trace, const core::Selection &selection,
                        core::Index columns) {
    const core::StageInfo &info = core::infoOf(selection.stage);
    if (info.overKeys())
        return keyTokens(trace, selection);
    if (info.overDistances())
        return distanceNames(trace, core::sizeAt(trace, selection).columns);
    if (selection.stage == core::Stage::SinkWeights)
        return {sinkName()};
    if (info.columns != core::Columns::Words)
        return numbers(columns);
    QStringList names;
    for (core::Index word = 0; word < columns; ++word)
        names << wordName(trace.model(), word);
    return names;
}

QStringList rowLabels(const core::Trace &trace, const core::Selection &selection) {
    const QStringList names = rowNames(trace, selection);
    const core::AttentionId attention = selection.attention();
    return readsAndWrites(trace, selection.stage, attention)
               ? withWritten(rowBatch(trace, selection.stage, attention)[selection.sequence], names)
               : names;
}

const core::Batch &rowBatch(const core::Trace &trace, core::Stage stage,
                            core::AttentionId attention) {
    return core::batchOfRows(trace, {stage, attention});
}

bool readsAndWrites(const core::Trace &trace, core::Stage stage, core::AttentionId attention) {
    const core::Part part = core::infoOf(stage).part;
    const core::Model &model = trace.model();
    if (core::infoOf(stage).ofKeys() || !core::infoOf(stage).rowsAreTokens() ||
        part == core::Part::Embedding)
        return false;
    if (part != core::Part::OutputLayer && attention.stack != model.mainStack())
        return false;
    return isCausal(trace.input().masks) && (model.hasEncoder() || model.saysNext());
}

AxisNames axesOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention) {
    if (core::infoOf(stage).rowsAreSequences())
        return {TokenNamesText::tr("sentence"),
                core::infoOf(stage).columns == core::Columns::Classes
                    ? TokenNamesText::tr("class")
                    : TokenNamesText::tr("dimension")};
    const core::StageInfo &info = core::infoOf(stage);
    if (info.overKeys() && attention.block == core::Block::CrossAttention)
        return trace.model().hasEncoder() ? AxisNames{TokenNamesText::tr("decoder query"),
                                                      TokenNamesText::tr("encoder key")}
                                          : AxisNames{TokenNamesText::tr("target query"),
                                                      TokenNamesText::tr("source key")};
    if (info.overKeys())
        return {TokenNamesText::tr("query"), TokenNamesText::tr("key")};
    if (info.rowsAreDistances())
        return {TokenNamesText::tr("distance"), TokenNamesText::tr("dimension")};
    if (info.overDistances())
        return {info.ofKeys() ? TokenNamesText::tr("key") : TokenNamesText::tr("query"),
                TokenNamesText::tr("distance")};
    return {readsAndWrites(trace, stage, attention) ? TokenNamesText::tr("read → written")
                                                    : TokenNamesText::tr("token"),
            info.columns == core::Columns::Words ? TokenNamesText::tr("word")
            : stage == core::Stage::SinkWeights  ? TokenNamesText::tr("no token")
                                                 : TokenNamesText::tr("dimension")};
}

QString rowNameWithId(const core::Trace &trace, const core::Selection &selection, core::Index row) {
    if (core::infoOf(selection.stage).ofKeys())
        return keyNameWithId(trace, selection, row);
    const QString name = rowNames(trace, selection).value(row);
    const core::AttentionId attention = selection.attention();
    const core::Sequence &sequence = trace.queries(attention)[selection.sequence];
    return !core::infoOf(selection.stage).rowsAreTokens() || row >= std::ssize(sequence.tokens)
               ? name
               : withId(name, trace.model(), attention.stack, sequence[row]);
}

QString keyNameWithId(const core::Trace &trace, const core::Selection &selection, core::Index key) {
    const QString name = keyTokens(trace, selection).value(key);
    const core::AttentionId attention = selection.attention();
    const core::Sequence &sequence = trace.keys(attention)[selection.sequence];
    const core::Stack stack = attention.block == core::Block::CrossAttention
                                  ? trace.model().sourceStack()
                                  : attention.stack;
    return key < std::ssize(sequence.tokens) ? withId(name, trace.model(), stack, sequence[key])
                                             : name;
}

QString wordNameWithId(const core::Model &model, core::Index word) {
    const QString name = wordName(model, word);
    return model.vocabulary && word < model.vocabulary->size()
               ? withId(name, *model.vocabulary, word)
               : name;
}

QString wordName(const core::Model &model, core::Index word) {
    return wordName(model.vocabulary.get(), word);
}

QString wordName(const core::Vocabulary *words, core::Index word) {
    return words && word < words->size() ? tokenText(words->word(word)) : QString::number(word);
}

} // namespace headlight::ui
