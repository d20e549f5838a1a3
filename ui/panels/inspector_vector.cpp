// The inspector for vector stages: the row's vector, and the terms of one of its numbers.
#include "core/analysis/row_measures.h"
#include "core/analysis/top_tokens.h"
#include "core/selection/selected.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/panels/inspector_origin.h"
#include "ui/panels/inspector_text_vectors.h"
#include "ui/text/glossary/term_html.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

struct InspectorVectorText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

/// Returns the name of a row of the stage; %1 is the token, or the sequence for a classifier.
QString rowTemplate(core::Stage stage) {
    using core::Stage;
    switch (stage) {
    case Stage::Embeddings:
        return InspectorVectorText::tr("Embedding of %1");
    case Stage::FirstNeighbours:
        return InspectorVectorText::tr("First frame of %1 between its neighbours");
    case Stage::FirstFrame:
        return InspectorVectorText::tr("First frame of %1, convolved");
    case Stage::SecondNeighbours:
        return InspectorVectorText::tr("Second frame of %1 between its neighbours");
    case Stage::SecondFrame:
        return InspectorVectorText::tr("Second frame of %1, convolved");
    case Stage::FrameNeighbours:
        return InspectorVectorText::tr("Convolved frames of %1 and the one before");
    case Stage::EmbeddingSum:
        return InspectorVectorText::tr("Embedding + position of %1");
    case Stage::Positioned:
        return InspectorVectorText::tr("%1 before the layers");
    case Stage::EmbeddingProjected:
        return InspectorVectorText::tr("Embedding of %1, mapped to the layers' width");
    case Stage::LayerInput:
        return InspectorVectorText::tr("%1 as it enters the layer");
    case Stage::Norm:
        return InspectorVectorText::tr("%1 normalised for attention");
    case Stage::ProjectedQuery:
        return InspectorVectorText::tr("Query of %1, not yet normalised");
    case Stage::ProjectedKey:
        return InspectorVectorText::tr("Key of %1, not yet normalised");
    case Stage::UnrotatedQuery:
        return InspectorVectorText::tr("Query of %1, not yet rotated");
    case Stage::UnrotatedKey:
        return InspectorVectorText::tr("Key of %1, not yet rotated");
    case Stage::RotatedQuery:
        return InspectorVectorText::tr("Rotated query of %1, not yet normalised");
    case Stage::RotatedKey:
        return InspectorVectorText::tr("Rotated key of %1, not yet normalised");
    case Stage::UntunedQuery:
        return InspectorVectorText::tr("Query of %1, not yet multiplied by its factor");
    case Stage::CompressedQuery:
        return InspectorVectorText::tr("Short vector of %1 for its queries");
    case Stage::NormedCompressedQuery:
        return InspectorVectorText::tr("Short vector of %1 for its queries, normalised");
    case Stage::CompressedKeyValue:
        return InspectorVectorText::tr("Short vector of %1 for its keys and values");
    case Stage::NormedCompressedKeyValue:
        return InspectorVectorText::tr("Short vector of %1 for its keys and values, normalised");
    case Stage::UnrotatedSharedKey:
        return InspectorVectorText::tr(
            "Part of the key of %1 that all heads share, not yet rotated");
    case Stage::SharedKey:
        return InspectorVectorText::tr("Part of the key of %1 that all heads share");
    case Stage::OwnKey:
        return InspectorVectorText::tr("Part of the key of %1 that belongs to the head alone");
    case Stage::DistanceEmbeddings:
        return InspectorVectorText::tr("Vector of distance %1");
    case Stage::PositionKey:
        return InspectorVectorText::tr("Key of distance %1");
    case Stage::PositionQuery:
        return InspectorVectorText::tr("Query of distance %1");
    case Stage::QueryDistances:
        return InspectorVectorText::tr("Query of %1 with the keys of all distances");
    case Stage::KeyDistances:
        return InspectorVectorText::tr("Key of %1 with the queries of all distances");
    case Stage::Query:
        return InspectorVectorText::tr("Query of %1");
    case Stage::Key:
        return InspectorVectorText::tr("Key of %1");
    case Stage::Value:
        return InspectorVectorText::tr("Value of %1");
    case Stage::SinkWeights:
        return InspectorVectorText::tr("Weight of the sink in the row of %1");
    case Stage::Context:
        return InspectorVectorText::tr("Context of %1");
    case Stage::Concatenated:
        return InspectorVectorText::tr("All heads of %1 side by side");
    case Stage::HeadOutputs:
        return InspectorVectorText::tr("The head's share of the output of %1");
    case Stage::Output:
        return InspectorVectorText::tr("Output of %1");
    case Stage::OutputNorm:
        return InspectorVectorText::tr("Output of %1, normalised");
    case Stage::ResidualSum:
        return InspectorVectorText::tr("%1 with the attention's output added");
    case Stage::Residual:
        return InspectorVectorText::tr("%1 after attention");
    case Stage::FeedForwardNorm:
        return InspectorVectorText::tr("%1 normalised for the feed-forward network");
    case Stage::RouterLogits:
        return InspectorVectorText::tr("Experts' logits for %1");
    case Stage::RouterProbabilities:
        return InspectorVectorText::tr("Experts' probabilities for %1");
    case Stage::RouterScores:
        return InspectorVectorText::tr("Scores for choosing the experts for %1");
    case Stage::ExpertWeights:
        return InspectorVectorText::tr("Weights of the experts that %1 has chosen");
    case Stage::ExpertInputs:
        return InspectorVectorText::tr("Inputs of the experts for %1");
    case Stage::ExpertOutputs:
        return InspectorVectorText::tr("Outputs of the experts for %1");
    case Stage::RoutedOutput:
        return InspectorVectorText::tr("Output of the experts for %1");
    case Stage::SharedGate:
        return InspectorVectorText::tr("Gate of %1 in the shared network");
    case Stage::SharedHidden:
        return InspectorVectorText::tr("Hidden layer of %1 in the shared network");
    case Stage::SharedActivated:
        return InspectorVectorText::tr("Activations of %1 in the shared network");
    case Stage::SharedOutput:
        return InspectorVectorText::tr("Output of the shared network for %1");
    case Stage::Gate:
        return InspectorVectorText::tr("Gate of %1");
    case Stage::Hidden:
        return InspectorVectorText::tr("Hidden layer of %1");
    case Stage::Activated:
        return InspectorVectorText::tr("Activations of %1");
    case Stage::FeedForwardOutput:
        return InspectorVectorText::tr("Feed-forward output of %1");
    case Stage::FeedForwardOutputNorm:
        return InspectorVectorText::tr("Feed-forward output of %1, normalised");
    case Stage::FeedForwardResidualSum:
        return InspectorVectorText::tr("%1 with the feed-forward output added");
    case Stage::LayerOutput:
        return InspectorVectorText::tr("%1 as it leaves the layer");
    case Stage::FinalNorm:
        return InspectorVectorText::tr("%1 after the final norm");
    case Stage::OutputLayerInput:
        return InspectorVectorText::tr("%1 as input of the output layer");
    case Stage::UncappedLogits:
    case Stage::Logits:
        return InspectorVectorText::tr("Logits at %1");
    case Stage::Probabilities:
        return InspectorVectorText::tr("Probabilities at %1");
    case Stage::Pooled:
        return InspectorVectorText::tr("Sentence %1 as one vector");
    case Stage::Projected:
        return InspectorVectorText::tr("Sentence %1 in the shared space");
    case Stage::DistillationPooled:
        return InspectorVectorText::tr("Second token of sentence %1");
    case Stage::ClsLogits:
        return InspectorVectorText::tr("Logits of sentence %1 from the first classifier");
    case Stage::DistillationLogits:
        return InspectorVectorText::tr("Logits of sentence %1 from the second classifier");
    case Stage::ClassLogits:
        return InspectorVectorText::tr("Class logits of sentence %1");
    default:
        break;
    }
    return InspectorVectorText::tr("Row of %1");
}

/// Names the looked-up row of the embedding matrix; empty if there is none.
QString lookedUpRemark(const core::Trace &trace, const core::Selection &selection,
                       core::Index row) {
    const core::Sequence &sequence = trace.queries(selection.attention())[selection.sequence];
    const core::Vocabulary *words = trace.model().embeddingMatrix(selection.stack)
                                        ? trace.model().vocabularyOf(selection.stack)
                                        : nullptr;
    const auto id = words && !sequence.embeddings ? words->idOf(sequence[row]) : std::nullopt;
    if (!id)
        return {};
    return words->readsLikeAnother(*id)
               ? InspectorVectorText::tr(
                     "Row %1 of the embedding matrix; another word is spelled the same.")
                     .arg(*id)
               : InspectorVectorText::tr("Row %1 of the embedding matrix.").arg(*id);
}

/// Describes whether the embeddings are specified or computed from a seed. Empty if they are looked
/// up.
QString embeddingRemark(const core::Trace &trace, const core::Selection &selection,
                        core::Index row) {
    const core::Sequence &sequence = trace.queries(selection.attention())[selection.sequence];
    if (sequence.embeddings)
        return InspectorVectorText::tr("This sequence came with its own vectors.");
    if (trace.model().embeddingMatrix(selection.stack) || !trace.model().embeddings)
        return {};
    return trace.model().embeddings->isGiven(sequence[row].text)
               ? InspectorVectorText::tr("The word's own vector, the same at every position.")
               : InspectorVectorText::tr("This word has no given vector, so its vector was "
                                         "generated from the seed and the word's spelling.");
}

/// Returns the five most probable next words, if the model predicts words.
std::optional<InspectorSection> likelySection(const core::Trace &trace,
                                              const core::Selection &selection, core::Index row) {
    constexpr std::size_t kShown = 5;
    if (core::infoOf(selection.stage).columns != core::Columns::Words)
        return std::nullopt;
    InspectorSection section;
    section.heading = InspectorVectorText::tr("MOST PROBABLE WORDS");
    for (const core::TopToken &word : core::topTokens(trace, selection.sequence, row, kShown)) {
        section.lines << lineOf(wordName(trace.model(), word.word),
                                InspectorVectorText::tr("word %1").arg(word.word),
                                word.probability);
        section.lines.last().isTerm = false; // the name is a word of the vocabulary
    }
    return section;
}

InspectorSection vectorSection(const core::Trace &trace, std::span<const float> vector,
                               const core::Selection &selection, const FigureStyle &style) {
    InspectorSection section;
    const core::StageInfo &info = core::infoOf(selection.stage);
    section.heading =
        InspectorVectorText::tr("ROW OF %1")
            .arg(symbolLink(symbolText(trace, {selection.stage, selection.attention()}),
                            style.colourOf(info.role)));
    section.lines << lineOf(
        InspectorVectorText::tr("norm"),
        vector.size() == 1
            ? InspectorVectorText::tr("of 1 number")
            : InspectorVectorText::tr("of %n numbers", nullptr, static_cast<int>(vector.size())),
        core::normOf(vector));
    for (const float value : vector)
        section.series.terms.push_back({value, 1});
    section.series.leftName = InspectorVectorText::tr("value");
    section.series.quantity = titleOf(trace.model(), selection.stage);
    section.series.indexName =
        info.columns == core::Columns::Words     ? InspectorVectorText::tr("word")
        : info.columns == core::Columns::Classes ? InspectorVectorText::tr("class")
        : info.overDistances()                   ? InspectorVectorText::tr("distance")
                                                 : InspectorVectorText::tr("dimension");
    if (info.columns == core::Columns::Words || info.overDistances())
        section.series.labels =
            columnNames(trace, selection, static_cast<core::Index>(vector.size()));
    section.series.sums = false;
    section.series.current = core::selectedColumn(selection);
    return section;
}

QStringList placeOf(const core::Trace &trace, const core::Selection &place, core::Index row) {
    const core::StageInfo &info = core::infoOf(place.stage);
    QStringList where;
    if (info.rowsAreDistances())
        where << InspectorVectorText::tr("distance %1").arg(rowNames(trace, place).value(row));
    if (info.rowsAreTokens()) {
        const bool cross = place.block == core::Block::CrossAttention && info.inAttention();
        where << (cross && info.ofKeys() ? InspectorVectorText::tr("token %1 of the source")
                  : cross                ? InspectorVectorText::tr("token %1 of the target")
                                         : InspectorVectorText::tr("token %1"))
                     .arg(row);
        const core::Batch &batch =
            info.ofKeys() ? trace.keys(place.attention()) : trace.queries(place.attention());
        if (batch[place.sequence].isPadding(row))
            where << InspectorVectorText::tr("padding");
    }
    if (place.dimension) {
        const core::Index column = *place.dimension;
        where.insert(std::min<qsizetype>(1, where.size()),
                     info.columns == core::Columns::Words
                         ? InspectorVectorText::tr("word “%1” (%2)")
                               .arg(wordName(trace.model(), column), QString::number(column))
                     : info.columns == core::Columns::Classes
                         ? InspectorVectorText::tr("class %1").arg(column)
                         : InspectorVectorText::tr("dimension %1").arg(column));
    }
    return where + placeText(trace, place, info.perHead);
}

} // namespace

InspectorContent inspectVector(const core::Trace &trace, const core::Selection &selection,
                               const FigureStyle &style) {
    core::Selection place = selection;
    const std::optional<core::Index> row = core::selectedRow(place);
    const core::SharedMatrix numbers = row ? core::rowAt(trace, place, *row) : core::SharedMatrix();
    if (numbers.empty())
        return {};
    // A dimension that was selected at a wider stage may not exist here.
    if (place.dimension && *place.dimension >= numbers.columns)
        place.dimension.reset();
    const std::span<const float> vector = numbers.row(0);
    const QString token = rowNames(trace, place).value(*row);
    const QString sentence = rowTemplate(place.stage);
    InspectorContent content;
    content.isEmpty = false;
    content.headline = sentence.arg(tokenHtml(token, style));
    content.title = sentence.arg(token);
    content.place = placeOf(trace, place, *row).join(QStringLiteral(" · "));

    const std::vector<core::Derivation> derivations = core::derivationsOf(trace, place);
    if (!derivations.empty()) {
        content.sections << originSection(trace, place, derivations);
        if (const InspectorSection terms = termsSection(trace, place, derivations, style);
            !terms.series.empty())
            content.sections << terms;
        if (derivations.back().heads > 1)
            content.sections << headsSection(derivations.back());
        if (core::infoOf(place.stage).ofKeys())
            if (const QString shared = sharedWords(trace, place); !shared.isEmpty())
                content.sections.last().words = shared;
    } else {
        content.sections.append(
            {{}, InspectorVectorText::tr("Click one of its numbers to see its terms."), {}, {}});
    }
    if (const auto likely = likelySection(trace, place, *row))
        content.sections << *likely;
    content.sections << vectorSection(trace, vector, place, style);
    if (place.stage == core::Stage::Embeddings) {
        QString &words = content.sections.first().words;
        if (const QString remark = embeddingRemark(trace, place, *row); !remark.isEmpty())
            words = remark;
        if (const QString remark = lookedUpRemark(trace, place, *row); !remark.isEmpty())
            words = sentences({remark, words});
        content.sections << textSections(trace, place);
    }
    return content;
}

} // namespace headlight::ui
