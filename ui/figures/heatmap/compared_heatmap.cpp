#include "ui/figures/heatmap/compared_heatmap.h"

#include "core/analysis/weight_changes.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/text/head_text.h"
#include "ui/text/number_text.h"
#include "ui/text/token_names.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct ComparedHeatmapText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Compared)
};

QString titleFor(const FigureOptions &options, core::Stage stage) {
    if (!options.title.isEmpty())
        return options.title;
    // Omit the symbol, because the attention weights have the symbol A, like side A.
    const QString name = titleOf(stage);
    return options.compared.shown == ComparisonSide::A
               ? ComparedHeatmapText::tr("%1 of A").arg(name)
               : ComparedHeatmapText::tr("%1, current − A").arg(name);
}

QStringList joined(const QStringList &parts, const QString &last) {
    QStringList all = parts;
    all.append(last);
    all.removeAll(QString());
    return all;
}

HeatmapContent contentOfA(const core::Selection &selection, const FigureStyle &style,
                          const FigureOptions &options) {
    FigureOptions alone = options;
    alone.compared = {};
    HeatmapContent content =
        contentOf(options.compared.a, inA(options.compared, selection), style, alone);
    content.subtitle =
        joined({captionOf(options.compared)}, content.subtitle).join(QStringLiteral(" · "));
    return content;
}

/// How the rows and columns of the two sides correspond. Without partners, they correspond by
/// index.
struct Order {
    const core::TokenPartners *partners = nullptr;
    core::StageTexts texts{};
};

/// Returns current − A for heads first … last of one sequence on each side. The shape is [1, heads,
/// rows, columns], or [1, rows, columns] without heads.
core::Tensor differencesOf(const core::Tensor &now, core::Index sequence, const core::Tensor &a,
                           core::Index sequenceOfA, const Order &order, core::Index first,
                           core::Index last) {
    std::vector<float> values;
    for (core::Index head = first; head <= last; ++head) {
        const core::Result<core::Difference> one = core::difference(
            now.view(sequence, head), a.view(sequenceOfA, head), order.partners, order.texts);
        values.insert(values.end(), one->values.values().begin(), one->values.values().end());
    }
    const core::Index rows = now.shape().last(1);
    const core::Index columns = now.shape().last(0);
    return now.shape().rank() == 4 ? core::Tensor({1, last - first + 1, rows, columns}, values)
                                   : core::Tensor({1, rows, columns}, values);
}

/// Returns the number of leading rows that are not padding on either side. Padding has no partner.
core::Index wordsOnBothSides(const core::Trace &now, const core::Selection &selection,
                             const core::Trace &a, const core::Selection &place, bool hasPartners) {
    const auto words = [](const core::Trace &trace, const core::Selection &at) {
        return rowBatch(trace, at.stage, at.attention())[at.sequence].length;
    };
    if (core::infoOf(selection.stage).rowsAreDistances())
        return core::sizeAt(now, selection).rows;
    if (rowsAreSequences(selection.stage))
        return now.batch().count();
    const core::Index own = words(now, selection);
    return hasPartners ? own : std::min(own, words(a, place));
}

/// Returns the mean |change| of one head's attention weights, as `headlight compare` prints it.
std::optional<double> meanChangeOfWeights(core::MatrixView now, core::MatrixView a,
                                          const core::ComparedSide &side,
                                          const core::ComparedSide &sideOfA,
                                          const core::TokenPartnersPointer &known,
                                          const core::StageTexts &texts) {
    const core::TokenPartnersPointer partners = core::partnersOf(side, sideOfA, known);
    const auto pairsOf = [&](std::optional<std::size_t> text) -> const core::AlignedPairs & {
        const std::size_t place = partners->has(text) ? *text : core::TokenPartners::kMainText;
        return partners->texts()[place].pairs;
    };
    return core::weightChanges(now, a, pairsOf(texts.rows), pairsOf(texts.columns)).mean;
}

/// Returns a mask of the cells that are hidden on one side only or on both. `now`: the mask of the
/// current side, or null. A cell that `now` hides is hidden on both sides if its number is
/// unchanged.
std::shared_ptr<const core::Mask> hiddenCells(const core::Difference &difference,
                                              const core::Mask *now) {
    if (!now || !now->hidesAnything())
        return oneSided(difference);
    std::vector<bool> hidden = difference.hiddenOnOneSide;
    const core::Index columns = difference.values.columns();
    for (core::Index row = 0; row < difference.values.rows(); ++row) {
        if (now->seesNothing(row))
            continue; // such a row would have the text “hidden on one side”
        now->forEachRun(row, [&](const core::MaskRun &run) {
            for (core::Index column = run.first; run.hidden() && column < run.end; ++column)
                if (difference.values(row, column) == 0)
                    hidden[static_cast<std::size_t>(row * columns + column)] = true;
        });
    }
    return std::make_shared<const core::Mask>(hidden, difference.values.rows(), columns);
}

HeatmapContent contentOfDifference(const core::TracePointer &now, const core::Selection &selection,
                                   const FigureStyle &style, const FigureOptions &options) {
    const Compared &compared = options.compared;
    const core::Selection place = inA(compared, selection);
    FigureOptions alone = options;
    alone.compared = {};
    HeatmapContent content = contentOf(now, selection, style, alone);
    core::Tensor a = tensorOf(*compared.a, place.stage, place.attention());
    if (options.summary)
        a = core::summarizeHeads(a, *options.summary);
    const core::Tensor present = content.tensor;
    Order order{compared.partners.get(), {}};
    if (order.partners)
        order.texts = core::stageTexts(*now, {selection.stage, selection.attention()});
    const bool hasPartners = order.partners && order.partners->has(order.texts.rows);
    core::Result<core::Difference> own =
        core::difference(present.view(selection.sequence, content.head),
                         a.view(place.sequence, content.head), order.partners, order.texts,
                         wordsOnBothSides(*now, selection, *compared.a, place, hasPartners));
    if (selection.stage == core::Stage::AttentionWeights && own->meanAbsolute)
        own.value().meanAbsolute = meanChangeOfWeights(
            present.view(selection.sequence, content.head), a.view(place.sequence, content.head),
            {*now, selection.sequence}, {*compared.a, place.sequence}, compared.partners,
            core::stageTexts(*now, {selection.stage, selection.attention()}));
    // Include all heads only if they share a colour range.
    const bool perHead = present.shape().rank() == 4;
    const bool all = perHead && (options.range == Range::Fixed || options.range == Range::AllHeads);
    const core::Index last = all ? std::min(present.shape()[1], a.shape()[1]) - 1 : content.head;
    content.tensor = differencesOf(present, selection.sequence, a, place.sequence, order,
                                   all ? 0 : content.head, last);
    content.sequence = 0;
    content.head = all ? content.head : 0;
    content.setScale(
        ColourScale::of(content.tensor, 0, content.head, style.signedMap, options.range), style,
        options);
    content.mask = hiddenCells(*own, content.mask.get());
    content.hidesWholly = true;
    content.hiddenHaveNumbers = false; // a hidden cell has no difference
    content.emptyRowText = hasPartners ? ComparedHeatmapText::tr("no partner in A")
                                       : ComparedHeatmapText::tr("hidden on one side");
    const core::SharedMatrix numbers = content.matrix();
    content.rowLabels = shownNames(*now, selection, compared, numbers.columns).rows;
    if (content.columnsAreTokens)
        content.columnLabels = shownNames(*now, selection, compared, numbers.columns).columns;
    // These parts are first, because a narrow picture omits the last ones.
    QStringList parts{onlyInA(compared, order.texts),
                      changeText(*own,
                                 content.columnsAreTokens
                                     ? QStringLiteral("%1 → %2")
                                     : ComparedHeatmapText::tr("%1, dimension %2"),
                                 content.rowLabels, content.columnLabels)};
    if (perHead && !options.summary)
        parts << ui::headText(selection.head);
    parts << shapeText(present.shape().last(1), present.shape().last(0))
          << ComparedHeatmapText::tr("A: %1").arg(compared.name);
    parts.removeAll(QString());
    content.subtitle = parts.join(QStringLiteral(" · "));
    return content;
}

} // namespace

QStringList bothLabels(const QStringList &now, const QStringList &a) {
    QStringList labels;
    for (qsizetype i = 0; i < now.size(); ++i)
        labels << (now[i] == a.value(i) ? now[i]
                                        : QStringLiteral("%1 | %2").arg(now[i], a.value(i)));
    return labels;
}

QStringList partnerLabels(const QStringList &now, const QStringList &a,
                          const core::TokenPartners &partners, std::size_t text) {
    const qsizetype words = std::ssize(partners.texts()[text].now);
    QStringList labels;
    for (qsizetype i = 0; i < now.size(); ++i) {
        const std::optional<core::Index> partner = partners.inA(text, i);
        const QString other = partner ? a.value(*partner) : QStringLiteral("—");
        labels << (other == now[i] || i >= words ? now[i] // padding has no partner
                                                 : QStringLiteral("%1 | %2").arg(now[i], other));
    }
    return labels;
}

StageNames shownNames(const core::Trace &now, const core::Selection &selection,
                      const Compared &compared, core::Index columns) {
    if (compared.shown == ComparisonSide::Now)
        return {rowLabels(now, selection), columnNames(now, selection, columns)};
    const StageNames present{rowNames(now, selection), columnNames(now, selection, columns)};
    const core::Selection place = inA(compared, selection);
    if (!compared.a || !compared.a->has(place.stage, place.attention()) ||
        place.sequence >= compared.a->batch().count())
        return present;
    if (compared.shown == ComparisonSide::A)
        columns = sizeOf(*compared.a, place).columns;
    const StageNames a{rowNames(*compared.a, place), columnNames(*compared.a, place, columns)};
    if (compared.shown == ComparisonSide::A)
        return a;
    const core::StageTexts texts =
        compared.partners ? core::stageTexts(now, {selection.stage, selection.attention()})
                          : core::StageTexts();
    const auto both = [&](const QStringList &own, const QStringList &other,
                          std::optional<std::size_t> text) {
        return compared.partners && compared.partners->has(text)
                   ? partnerLabels(own, other, *compared.partners, *text)
                   : bothLabels(own, other);
    };
    return {both(present.rows, a.rows, texts.rows),
            both(present.columns, a.columns, texts.columns)};
}

std::shared_ptr<const core::Mask> oneSided(const core::Difference &difference) {
    if (!difference.hidesAnything())
        return nullptr;
    return std::make_shared<const core::Mask>(difference.hiddenOnOneSide, difference.values.rows(),
                                              difference.values.columns());
}

QString changeText(const core::Difference &difference, const QString &pair, const QStringList &rows,
                   const QStringList &columns) {
    if (!difference.largest)
        return difference.hidesAnything()  ? ComparedHeatmapText::tr("only the mask changed")
               : difference.paddingChanged ? ComparedHeatmapText::tr("only padding changed")
               : difference.hasUnknown     ? ComparedHeatmapText::tr("no known number changed")
                                           : ComparedHeatmapText::tr("nothing changed");
    const core::LargestChange &largest = *difference.largest;
    const auto labelOf = [](const QStringList &labels, core::Index index) {
        return labels.value(index, QString::number(index));
    };
    const QString where = pair.arg(labelOf(rows, largest.row), labelOf(columns, largest.column));
    return ComparedHeatmapText::tr("largest change: %1 %2 · mean |change| %3")
        .arg(where, changeText(largest.value),
             numberText(difference.meanAbsolute.value_or(NAN), 4));
}

HeatmapContent comparedContentOf(const core::TracePointer &now, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options) {
    const ComparisonSide shown = options.compared.shown;
    const core::StageInfo &info = core::infoOf(selection.stage);
    HeatmapContent content;
    const UnavailableReason why =
        options.backwardPass
            ? gradientsUnavailableReason(shown)
            : unavailableReason(*now, selection, options.compared, shown,
                                options.summary ? Sought::EveryHead : Sought::Matrix);
    content.absence = why.sentences();
    if (content.absence.isEmpty())
        content = shown == ComparisonSide::A ? contentOfA(selection, style, options)
                                             : contentOfDifference(now, selection, style, options);
    content.title = titleFor(options, selection.stage);
    content.titleColour = style.colourOf(info.role);
    return content;
}

} // namespace headlight::ui
