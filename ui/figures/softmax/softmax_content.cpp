#include "ui/figures/softmax/softmax_content.h"

#include "core/format_number.h"
#include "ui/figures/output/output_content.h"
#include "ui/text/attention_names.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::ui {

namespace {

struct SoftmaxSentences {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Softmax)
};

using Content = SoftmaxContent;

QString rowUnavailableReason(core::SoftmaxRowError reason) {
    switch (reason) {
    case core::SoftmaxRowError::NoAttention:
        return SoftmaxSentences::tr("The selected position has no attention, so there is no row of "
                                    "scores. Select an attention block, or use custom logits.");
    case core::SoftmaxRowError::NoWeights:
        return SoftmaxSentences::tr("The file has no attention weights here. Use custom logits, or "
                                    "capture the weights and the scores.");
    case core::SoftmaxRowError::NoScores:
        return SoftmaxSentences::tr("The file has attention weights, but not the scores they were "
                                    "computed from. Use custom logits, or capture the scores.");
    case core::SoftmaxRowError::NoSoftmax:
        return SoftmaxSentences::tr("Softmax is turned off here, so the scores themselves are the "
                                    "weights. Turn it on, or use custom logits.");
    case core::SoftmaxRowError::Uniform:
        return SoftmaxSentences::tr(
            "This head was set to attend equally to every key, so its weights do not come from "
            "softmax. Turn the head on, or use custom logits.");
    case core::SoftmaxRowError::SeesNothing:
        return SoftmaxSentences::tr(
            "The mask hides every key from this word, so softmax has nothing "
            "to distribute. Select another row, or use custom logits.");
    }
    return {};
}

/// Returns the indices of the most probable keys in row order. Always includes the selected key.
std::vector<std::size_t> shownOf(const core::SoftmaxRow &row, std::optional<std::size_t> chosen) {
    std::vector<std::size_t> all(row.size());
    std::iota(all.begin(), all.end(), std::size_t(0));
    if (all.size() <= kMaxSoftmaxBars)
        return all;
    std::ranges::stable_sort(all, [&](std::size_t a, std::size_t b) {
        if ((a == chosen) != (b == chosen))
            return a == chosen;
        if (row.hidden[a] != row.hidden[b])
            return static_cast<bool>(row.hidden[b]);
        return row.probabilities[a] > row.probabilities[b];
    });
    all.resize(kMaxSoftmaxBars);
    std::ranges::sort(all);
    return all;
}

/// Returns a range that contains zero and all logits, with space to drag a bar further.
std::pair<double, double> rangeOf(const std::vector<Content::Bar> &bars) {
    double low = 0, high = 0;
    for (const Content::Bar &bar : bars)
        if (!bar.isHidden && std::isfinite(bar.logit)) {
            low = std::min(low, static_cast<double>(bar.logit));
            high = std::max(high, static_cast<double>(bar.logit));
        }
    const double most = std::max({-low, high, 0.01});
    return {std::min(1.15 * low, -0.35 * most), std::max(1.15 * high, 0.35 * most)};
}

void takeRow(Content &content, const core::SoftmaxRow &row, const QStringList &names,
             const std::vector<bool> &setByHand, std::optional<std::size_t> chosen,
             const GivenSoftmax &given) {
    const std::vector<std::size_t> shown = shownOf(row, chosen);
    // The total may be below 1, because a sink takes a share.
    double together = std::accumulate(row.probabilities.begin(), row.probabilities.end(), 0.0);
    for (const std::size_t index : shown) {
        if (index == chosen)
            content.chosen = content.bars.size();
        const auto at = static_cast<qsizetype>(index);
        content.bars.push_back({index, at < names.size() ? names[at] : QString::number(at + 1),
                                row.logits[index], row.probabilities[index], row.hidden[index],
                                index < setByHand.size() && setByHand[index]});
        together -= static_cast<double>(row.probabilities[index]);
    }
    if (shown.size() < row.size())
        content.others = SoftmaxSentences::tr("%1 other keys: %2 together")
                             .arg(row.size() - shown.size())
                             .arg(percentText(together < 0 ? 0 : together));
    std::tie(content.low, content.high) = given.range.value_or(rangeOf(content.bars));
    content.jacobian = row.jacobian(shown);
    content.norm = row.jacobianNorm();
    const double bits = row.entropyBits(), most = row.maxEntropyBits();
    const core::Index visible = row.visible();
    content.facts << (most > 0
                          ? SoftmaxSentences::tr("entropy %1 bits: %2 of the %3 bits that %4 equal "
                                                 "probabilities have")
                                .arg(numberText(bits, 3), percentText(bits / most),
                                     numberText(most, 3))
                                .arg(visible)
                          : SoftmaxSentences::tr("entropy 0 bits: there is only one key"));
}

QString temperatureText(float temperature) {
    return SoftmaxSentences::tr("temperature %1").arg(fullText(temperature));
}

/// Returns "100" or "0.3536". A small factor keeps its significant digits.
QString factorText(double factor) {
    return factor < 0.001 ? digitsText(factor) : QString::fromStdString(core::rounded(factor, 4));
}

/// Explains the factor that the chain rule adds to the Jacobian.
QString chainText(const QString &what, double factor) {
    return factor == 1
               ? QString()
               : SoftmaxSentences::tr("With respect to %1, the Jacobian is %2 times as large.")
                     .arg(what, factorText(factor));
}

QString ownTitle() {
    return SoftmaxSentences::tr("Softmax of custom logits");
}

QString spreadTitle(const core::SoftmaxLook &look) {
    return SoftmaxSentences::tr("Why ÷ √d_k: dot products of %1 components").arg(look.headSize);
}

QString drawnWords(const core::SoftmaxLook &look) {
    return SoftmaxSentences::tr(
               "Random vectors, not the model's: %1 samples of a query and %2 keys, "
               "independent components of mean 0 and variance 1, seed %3")
        .arg(core::drawsOf(look.headSize))
        .arg(core::kDrawnKeys)
        .arg(look.seed);
}

Content ownContent(const core::SoftmaxLook &look, const GivenSoftmax &given) {
    Content content;
    content.isOwn = content.canChange = true;
    content.title = ownTitle();
    content.subtitle =
        SoftmaxSentences::tr("These logits are not from the model, which does not use them.");
    const core::SoftmaxRow row = core::ownRow(look);
    takeRow(content, row, {}, {}, given.chosen, given);
    content.facts << SoftmaxSentences::tr("× %1, temperature %2")
                         .arg(fullText(look.times), fullText(look.temperature));
    content.note = sentences(
        {look.times == 1 && look.temperature == 1
             ? SoftmaxSentences::tr(
                   "The Jacobian is with respect to the logits, the direct input of softmax.")
             : SoftmaxSentences::tr(
                   "The Jacobian is with respect to the input of softmax: the logits × %1 ÷ %2.")
                   .arg(fullText(look.times), fullText(look.temperature)),
         chainText(SoftmaxSentences::tr("the logits"),
                   static_cast<double>(look.times) / static_cast<double>(look.temperature))});
    return content;
}

/// Names the operations between a score and its logit.
QString detourText(const core::SoftmaxRowFromTrace &traced) {
    if (traced.isCapped && traced.isBiased)
        return SoftmaxSentences::tr(
            "The cap and the position bias are applied between a score and its logit.");
    if (traced.isCapped)
        return SoftmaxSentences::tr("The cap is applied between a score and its logit.");
    if (traced.isBiased)
        return SoftmaxSentences::tr("The position bias is applied between a score and its logit.");
    return {};
}

Content tracedContent(const core::Trace &trace, const core::Selection &selection,
                      const core::SoftmaxRowFromTrace &traced, const GivenSoftmax &given) {
    Content content;
    content.canChange = traced.isComputed;
    core::Selection at = selection;
    at.query = traced.query;
    const QStringList queries = queryTokens(trace, at);
    const QString query = queries.value(static_cast<qsizetype>(traced.query));
    const QString attention = attentionName(trace.model(), at.attention());
    const QString where =
        attention.isEmpty() ? SoftmaxSentences::tr("layer %1").arg(at.layer) : attention;
    content.title = SoftmaxSentences::tr("Softmax of the row of “%1”").arg(query);
    content.subtitle = traced.isSelected
                           ? SoftmaxSentences::tr("%1, head %2, query %3")
                                 .arg(where)
                                 .arg(at.head)
                                 .arg(traced.query)
                           : SoftmaxSentences::tr(
                                 "%1, head %2, query %3: no row is selected, so this is the first "
                                 "with more than one key")
                                 .arg(where)
                                 .arg(at.head)
                                 .arg(traced.query);
    const std::optional<std::size_t> chosen =
        selection.key && *selection.key < std::ssize(traced.row.logits)
            ? std::optional(static_cast<std::size_t>(*selection.key))
            : std::nullopt;
    takeRow(content, traced.row, keyTokens(trace, at), traced.setByHand, chosen, given);
    QStringList notes;
    if (!traced.isComputed) {
        content.facts << SoftmaxSentences::tr("captured");
        if (!traced.isExplained)
            notes << SoftmaxSentences::tr("Softmax of these scores does not give these weights, so "
                                          "the captured model has another step between them.");
    } else {
        content.facts << SoftmaxSentences::tr("scores q·k × %1, %2")
                             .arg(factorText(static_cast<double>(traced.scale)),
                                  temperatureText(traced.row.temperature));
        notes
            << (traced.row.temperature == 1
                    ? SoftmaxSentences::tr("The Jacobian is with respect to the logits, the direct "
                                           "input of softmax.")
                    : SoftmaxSentences::tr(
                          "The Jacobian is with respect to the input of softmax: the logits ÷ %1.")
                          .arg(fullText(traced.row.temperature)));
        notes << detourText(traced);
        if (!traced.isCapped)
            notes << chainText(SoftmaxSentences::tr("the scores q·k"),
                               static_cast<double>(traced.scale) /
                                   static_cast<double>(traced.row.temperature));
        if (traced.row.sink) {
            double share = 1;
            for (const float weight : traced.row.probabilities)
                share -= static_cast<double>(weight);
            notes
                << SoftmaxSentences::tr(
                       "The head's sink, a learned score of %1 without a key, takes %2 of the row.")
                       .arg(numberText(static_cast<double>(*traced.row.sink), 3),
                            numberText(share, 3));
        }
        if (traced.masksAfter)
            notes << SoftmaxSentences::tr(
                "Hidden keys are zeroed after softmax, so the weights sum to "
                "less than these probabilities.");
    }
    content.note = sentences(notes);
    return content;
}

/// Formats a share. A share below 1 is not rounded to 100 %.
QString largestText(double share) {
    return share > 0.9995 && share < 1 ? QStringLiteral("> 99.9 %") : percentText(share);
}

QString shareText(double share) {
    return share == 0 ? SoftmaxSentences::tr("none") : percentText(share);
}

Content spreadContent(const core::SoftmaxLook &look, const GivenSoftmax &given) {
    Content content;
    content.part = core::SoftmaxPart::Spread;
    content.title = spreadTitle(look);
    content.subtitle = drawnWords(look);
    if (given.spread)
        content.spread = *given.spread;
    else if (auto made = core::softmaxSpread(look.headSize, look.seed))
        content.spread = std::make_shared<const core::SoftmaxSpread>(*std::move(made));
    content.rows = {
        SoftmaxSentences::tr("standard deviation"),
        SoftmaxSentences::tr("largest of %1 probabilities, median").arg(core::kDrawnKeys),
        SoftmaxSentences::tr("norm of J, median"),
        SoftmaxSentences::tr("samples with norm below %1").arg(fixedText(core::kVanished, 3))};
    const auto columnOf = [](const core::DrawnScores &drawn) {
        return QStringList{numberText(drawn.deviation, 2), largestText(drawn.medianLargest),
                           normText(drawn.medianNorm), shareText(drawn.vanished)};
    };
    if (content.spread) {
        content.plain = columnOf(content.spread->plain);
        content.scaled = columnOf(content.spread->scaled);
    }
    content.note = SoftmaxSentences::tr(
        "J is the Jacobian of softmax with respect to its input. If its norm is almost zero, a "
        "score hardly changes any weight, and hardly any gradient passes back through softmax.");
    return content;
}

} // namespace

QString softmaxRowUnavailableReason(const core::Trace &trace, const core::Selection &selection) {
    const auto found = core::softmaxRowFromTrace(trace, selection);
    const auto *reason = std::get_if<core::SoftmaxRowError>(&found);
    return reason ? rowUnavailableReason(*reason) : QString();
}

UnavailableReason softmaxComparisonUnavailableReason(const core::TracePointer &trace,
                                                     const core::Selection &selection,
                                                     const core::SoftmaxLook &look,
                                                     const Compared &compared) {
    if (compared.shown == ComparisonSide::Now)
        return {};
    if (look.part == core::SoftmaxPart::Spread || look.isOwn())
        return {
            SoftmaxSentences::tr("custom logits do not come from a model, so they have no side A"),
            SoftmaxSentences::tr("choose Current, or the row of the model")};
    core::Selection weights = selection;
    weights.stage = core::Stage::AttentionWeights;
    return unavailableReason(*trace, weights, compared, compared.shown, Sought::Head);
}

SoftmaxContent softmaxContentOf(const core::TracePointer &trace, const core::Selection &selection,
                                const core::SoftmaxLook &look, const GivenSoftmax &given,
                                const Compared &compared) {
    Content content;
    content.title = SoftmaxSentences::tr("Softmax");
    const QString side = captionOf(compared);
    const auto withSide = [&side](const QString &title) {
        return side.isEmpty() ? title : title + QStringLiteral(" · ") + side;
    };
    if (const UnavailableReason why =
            softmaxComparisonUnavailableReason(trace, selection, look, compared);
        !why.isEmpty()) {
        content.title = withSide(content.title);
        content.nothing = why.sentences();
        return content;
    }
    if (look.part == core::SoftmaxPart::Spread)
        return spreadContent(look, given);
    if (look.isOwn())
        return ownContent(look, given);
    const ShownRun run = shownRun(trace, selection, compared);
    const auto found = core::softmaxRowFromTrace(*run.trace, run.selection);
    if (const auto *traced = std::get_if<core::SoftmaxRowFromTrace>(&found)) {
        content = tracedContent(*run.trace, run.selection, *traced, given);
        content.canChange = content.canChange && compared.shown == ComparisonSide::Now;
    } else {
        content.nothing = rowUnavailableReason(std::get<core::SoftmaxRowError>(found));
    }
    content.title = withSide(content.title);
    return content;
}

QString captionOf(const core::SoftmaxLook &look) {
    if (look.part == core::SoftmaxPart::Spread)
        return plainSymbols(sentences({ended(spreadTitle(look)), ended(drawnWords(look))}));
    if (!look.isOwn())
        return {};
    QStringList numbers;
    for (const float logit : look.logits)
        numbers << fullText(logit);
    return sentences({ended(ownTitle()), ended(SoftmaxSentences::tr("%1; × %2, temperature %3")
                                                   .arg(enumerated(numbers), fullText(look.times),
                                                        fullText(look.temperature)))});
}

QString normText(double norm) {
    return lossText(norm);
}

QString barText(const SoftmaxContent::Bar &bar) {
    if (bar.isHidden)
        return SoftmaxSentences::tr("“%1”: hidden by the mask, probability %2")
            .arg(bar.name, digitsText(static_cast<double>(bar.probability)));
    const QString text =
        SoftmaxSentences::tr("“%1”: logit %2, probability %3")
            .arg(bar.name, fullText(bar.logit), digitsText(static_cast<double>(bar.probability)));
    return bar.isSetByHand ? enumerated({text, SoftmaxSentences::tr("score overridden")}) : text;
}

} // namespace headlight::ui
