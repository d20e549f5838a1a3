#include "ui/strip/strip_content.h"

#include "core/analysis/attention_row.h"
#include "core/analysis/attention_row_properties.h"
#include "ui/document/fitting_selection.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/text/attention_names.h"
#include "ui/text/number_text.h"
#include "ui/text/step_number.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace headlight::ui {

namespace {

using core::Block;
using core::Stage;

constexpr int kDecimals = 2;

struct StripText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::StripContent)
};

QString joined(const QStringList &parts) {
    return parts.join(QStringLiteral(" · "));
}

/// True if the attention module's keys are words of the source, as in cross-attention and in
/// self-attention of the source.
bool readsSource(core::AttentionId attention) {
    return attention.block == Block::CrossAttention || sideOf(attention.stack) == InputSide::Source;
}

bool asksSource(core::AttentionId attention) {
    return sideOf(attention.stack) == InputSide::Source;
}

StripSentence sentenceOf(const core::BatchPointer &batch, core::Index sequence, InputSide side,
                         const QString &title, StripTexts &kept) {
    StripSentence sentence;
    sentence.side = side;
    sentence.title = title;
    sentence.words = kept.wordsOf(batch, std::min(sequence, batch->count() - 1), side);
    return sentence;
}

std::optional<core::Index> inside(std::optional<core::Index> index, const StripSentence &sentence) {
    return index && *index < std::ssize(sentence.text().words) ? index : std::nullopt;
}

/// Returns the layer and head, even if the model has only one of each, then the head's state, the
/// sentence and the compared side.
QStringList whereOf(const core::Trace &trace, const core::Selection &at, const Compared &compared) {
    QStringList where;
    if (at.stack != core::Stack::Main || at.block == Block::CrossAttention)
        where << placeText(at.attention());
    where << StripText::tr("layer %1, head %2").arg(at.layer).arg(at.head);
    where << stateText(trace.input().interventions.stateOf(at.attention(), at.head));
    if (trace.batch().count() > 1)
        where << StripText::tr("sentence %1 of %2")
                     .arg(stepNumber(at.sequence))
                     .arg(trace.batch().count());
    if (compared.shown == ComparisonSide::A)
        where << captionOf(compared);
    else if (compared.shown == ComparisonSide::Difference)
        where << StripText::tr("current side");
    where.removeAll(QString());
    return where;
}

/// Requires a selected query.
core::AttentionRowId rowOfWeights(const core::Selection &at) {
    return {at.attention(), at.sequence, at.head, *at.query};
}

/// Sets the weights of the selected row, or the caption that explains why there are none.
void tint(StripContent &content, const core::Trace &trace, const core::Selection &at) {
    const InputSide asking = asksSource(at.attention()) ? InputSide::Source : InputSide::Own;
    const InputSide read = readsSource(at.attention()) ? InputSide::Source : InputSide::Own;
    StripSentence *queries = nullptr, *keys = nullptr;
    for (StripSentence &sentence : content.sentences) {
        queries = sentence.side == asking ? &sentence : queries;
        keys = sentence.side == read ? &sentence : keys;
    }
    if (!queries || !keys)
        return;
    queries->selected = inside(at.query, *queries);
    keys->pointed = inside(at.key, *keys);
    if (!queries->selected) {
        content.caption = StripText::tr("Click a word to see which words it looks at");
        return;
    }
    content.subject = queries->text().words[static_cast<std::size_t>(*queries->selected)].text;
    if (core::seesNothing(trace, at.sequence, at.attention(), at.head, *at.query)) {
        content.caption = StripText::tr("%1 looks at no word, because all are hidden from it");
        keys->hidden = core::hiddenKeysOf(trace, rowOfWeights(at));
        return;
    }
    keys->weights = core::heldWeightsOf(trace, rowOfWeights(at));
    if (std::ssize(keys->weights) < std::ssize(keys->text().words)) {
        keys->weights.clear();
        content.caption = StripText::tr("%1: its weights have not been computed yet");
        return;
    }
    keys->hidden = core::hiddenKeysOf(trace, rowOfWeights(at));
    const auto visible =
        keys->hidden.empty() ? std::ssize(keys->weights) : std::ranges::count(keys->hidden, false);
    keys->share = 1 / static_cast<float>(std::max<std::ptrdiff_t>(1, visible));
    content.hasWeights = true;
    content.caption = StripText::tr("%1 looks at");
    content.isSigned = colourRoleOf(trace, Stage::AttentionWeights) != core::Role::Weights;
    if (content.isSigned) {
        content.largest = 0;
        for (const float weight : keys->weights)
            if (std::isfinite(weight))
                content.largest = std::max(content.largest, std::abs(static_cast<double>(weight)));
    }
}

} // namespace

const StripSentence *StripContent::sentence(InputSide side) const {
    const auto found = std::ranges::find(sentences, side, &StripSentence::side);
    return found == sentences.end() ? nullptr : &*found;
}

void StripContent::hideWeights(const QString &instead) {
    caption = instead;
    hasWeights = false;
    for (StripSentence &each : sentences) {
        each.weights.clear();
        each.hidden.clear();
    }
}

QString StripContent::captionText() const {
    QStringList parts{caption.contains(QLatin1String("%1")) ? caption.arg(subject) : caption};
    parts += where;
    parts.removeAll(QString());
    return joined(parts);
}

QString StripContent::wordText(InputSide side, core::Index word) const {
    const StripSentence *of = sentence(side);
    const auto index = static_cast<std::size_t>(word);
    if (!of || index >= of->text().words.size())
        return {};
    const QString &text = of->text().words[index].text;
    if (of->isHidden(word))
        return StripText::tr("%1, hidden").arg(text);
    if (of->weights.empty())
        return text;
    return StripText::tr("%1, weight %2").arg(text, weightText(of->weights[index]));
}

QString weightText(float weight) {
    return numberText(static_cast<double>(weight), kDecimals);
}

bool isShownAsZero(float weight) {
    return std::abs(weight) < 0.005F;
}

std::optional<core::AttentionId> nearestWeights(const core::Trace &trace,
                                                core::AttentionId attention) {
    const auto distance = [&](core::AttentionId other) {
        return std::tuple(other.stack != attention.stack, std::abs(other.layer - attention.layer),
                          other.block != attention.block);
    };
    std::optional<core::AttentionId> nearest;
    for (const core::AttentionId each : trace.model().attentions())
        if (trace.has(Stage::AttentionWeights, each) &&
            (!nearest || distance(each) < distance(*nearest)))
            nearest = each;
    return nearest;
}

std::shared_ptr<const StripWords> StripTexts::wordsOf(const core::BatchPointer &batch,
                                                      core::Index sequence, InputSide side) {
    Text &text = m_texts[static_cast<std::size_t>(side)];
    if (text.batch != batch || text.sequence != sequence)
        text = {batch, sequence, std::make_shared<StripWords>(stripWordsOf((*batch)[sequence]))};
    return text.words;
}

ShownRun stripRun(const core::TracePointer &trace, const core::Selection &selection,
                  const Compared &compared) {
    ShownRun run = shownRun(trace, selection, compared);
    if (run.trace != trace)
        run.selection = fittingSelection(run.selection, run.trace->model(), run.trace->input());
    return run;
}

StripContent stripContentOf(const core::Input &input, core::Index sequence, StripTexts &texts) {
    StripContent content;
    if (!input.batch)
        return content;
    const bool isPair = input.source != nullptr;
    if (isPair)
        content.sentences.push_back(
            sentenceOf(input.source, sequence, InputSide::Source, StripText::tr("source"), texts));
    content.sentences.push_back(sentenceOf(input.batch, sequence, InputSide::Own,
                                           isPair ? StripText::tr("target") : QString(), texts));
    return content;
}

StripContent stripContentOf(const core::TracePointer &trace, const core::Selection &selection,
                            const Compared &compared, bool isAsked, StripTexts *kept) {
    if (!trace)
        return {};
    const ShownRun run = stripRun(trace, selection, compared);
    const core::Trace &of = *run.trace;
    StripTexts own;
    StripContent content = stripContentOf(of.input(), run.selection.sequence, kept ? *kept : own);
    const auto attention = nearestWeights(of, run.selection.attention());
    content.place = selection;
    if (!attention) {
        content.caption = of.model().isCaptured()
                              ? StripText::tr("No attention weights were captured")
                              : StripText::tr("This model has no attention");
        return content;
    }
    core::Selection at = atStage(run.selection, {Stage::AttentionWeights, *attention});
    at.head = std::clamp<core::Index>(at.head, 0, of.model().headsOf(*attention) - 1);
    content.place = atStage(selection, {Stage::AttentionWeights, *attention});
    content.place.head = at.head;
    content.where = whereOf(of, at, compared);
    for (StripSentence &sentence : content.sentences)
        sentence.isRead = (sentence.side == InputSide::Source) == readsSource(*attention);
    if (isAsked)
        content.caption =
            StripText::tr("The words show their weights once the question is answered");
    else
        tint(content, of, at);
    return content;
}

core::Selection selectionAtWord(const core::Trace &trace, const core::Selection &selection,
                                InputSide side, core::Index word) {
    core::Selection at = selection;
    if (sideOf(at.stack) == side) {
        at.query = word;
        if (core::infoOf(at.stage).ofKeys() && at.block == Block::SelfAttention)
            at.key = word; // rows of keys and values are selected by the key
        return at;
    }
    const core::Model &model = trace.model();
    const bool isOfSource = side == InputSide::Source;
    if (isOfSource && at.block == Block::CrossAttention) { // a word of the source is a key
        at.key = word;
        return at;
    }
    const bool isOfKeys = isOfSource && !model.hasEncoder();
    const core::Stack stack =
        isOfSource && model.hasEncoder() ? model.sourceStack() : model.mainStack();
    const core::Index last = std::max<core::Index>(1, model.layerCount(stack)) - 1;
    at = atStage(at, {Stage::AttentionWeights,
                      {std::min(at.layer, last),
                       isOfKeys ? Block::CrossAttention : Block::SelfAttention, stack}});
    (isOfKeys ? at.key : at.query) = word;
    return at;
}

} // namespace headlight::ui
