#include "ui/compare/compared.h"

#include "core/analysis/difference.h"
#include "core/analysis/output_row_id.h"
#include "core/selection/selected.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::ui {

namespace {

struct ComparedText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Compared)
};

UnavailableReason noSuchLayer(core::Index layer, core::Index count) {
    return {count == 1 ? ComparedText::tr("A has 1 layer, so it has no layer %1").arg(layer)
                       : ComparedText::tr("A has %n layers, so it has no layer %1", nullptr,
                                          static_cast<int>(count))
                             .arg(layer),
            ComparedText::tr("select another layer, or choose Current")};
}

UnavailableReason noSuchSequence(core::Index sequence, core::Index count) {
    return {count == 1
                ? ComparedText::tr("A has 1 sentence, so it has no %1").arg(sentenceName(sequence))
                : ComparedText::tr("A has %n sentences, so it has no %1", nullptr,
                                   static_cast<int>(count))
                      .arg(sentenceName(sequence)),
            ComparedText::tr("select another sentence, or choose Current")};
}

UnavailableReason noSuchHead(core::Index head, core::Index count) {
    return {count == 1 ? ComparedText::tr("A has 1 head, so it has no head %1").arg(head)
                       : ComparedText::tr("A has %n heads, so it has no head %1", nullptr,
                                          static_cast<int>(count))
                             .arg(head),
            ComparedText::tr("select another head, or choose Current")};
}

UnavailableReason otherCount(const QString &why) {
    return {why, ComparedText::tr("choose Current or A")};
}

UnavailableReason otherSequences(core::Index a, core::Index now) {
    const QString inA = a == 1
                            ? ComparedText::tr("A has 1 sentence")
                            : ComparedText::tr("A has %n sentences", nullptr, static_cast<int>(a));
    return otherCount(ComparedText::tr("%1, but the current side has %2").arg(inA).arg(now));
}

UnavailableReason otherLength(core::Index a, core::Index now) {
    const QString inA = a == 1 ? ComparedText::tr("A has 1 token")
                               : ComparedText::tr("A has %n tokens", nullptr, static_cast<int>(a));
    return {ComparedText::tr("%1, but the current side has %2").arg(inA).arg(now),
            ComparedText::tr("give both sides the same number of tokens, or choose Current or A")};
}

/// Returns why there is no difference, and names the views that show one.
UnavailableReason oneSideAtATime(Sought sought) {
    const QString why = ComparedText::tr(
        "this view shows one side of a comparison, Current or A, not their difference");
    if (sought == Sought::Head)
        return {why,
                ComparedText::tr("choose Current or A, or the Heads or Model view: they show the "
                                 "differences of weights and of measures")};
    if (sought == Sought::Vectors)
        return {why, ComparedText::tr("choose Current or A, or the Similarity view, which shows "
                                      "the differences of cosines")};
    return {why, ComparedText::tr("choose Current or A")};
}

/// Returns why A cannot be shown: it lacks the selected stage, layer, head or sequence. Empty if it
/// has all of them.
UnavailableReason missingInAReason(const core::Selection &place, const core::Trace &a,
                                   Sought sought) {
    const core::Index layers = a.model().layerCount(place.stack);
    if (place.layer >= layers && place.stack != core::Stack::SourceEmbeddings &&
        sought != Sought::Output)
        return noSuchLayer(place.layer, layers);
    if (place.sequence >= a.batch().count())
        return noSuchSequence(place.sequence, a.batch().count());
    if (!a.plan().find({place.stage, place.attention()}))
        return {ComparedText::tr("A has no stage “%1”").arg(titleOf(place.stage)),
                ComparedText::tr("select another stage, or choose Current")};
    const core::Index heads = a.model().headsOf(place.attention());
    if (core::infoOf(place.stage).perHead && sought != Sought::EveryHead && place.head >= heads)
        return noSuchHead(place.head, heads);
    return {};
}

core::Index lengthOf(const core::Trace &trace, const core::Selection &place) {
    return trace.queries(place.attention())[place.sequence].length;
}

UnavailableReason nothingInCommon() {
    return {ComparedText::tr("the two texts have no token in common"),
            ComparedText::tr("pair tokens by hand, or choose Current or A")};
}

/// True if each text of the stage that can have partners contains at least one pair.
bool hasPairs(const core::TokenPartners &partners, const core::StageTexts &texts) {
    for (const std::optional<std::size_t> text : {texts.rows, texts.columns})
        if (partners.has(text) && partners.texts()[*text].pairs.empty())
            return false;
    return true;
}

/// Returns why the two sides cannot be subtracted, even if each can be shown alone. Empty if they
/// can.
UnavailableReason differenceUnavailableReason(const core::Trace &now,
                                              const core::Selection &selection,
                                              const core::Trace &a, const core::Selection &place,
                                              const core::TokenPartners *partners, Sought sought) {
    const auto before = a.plan().find({place.stage, place.attention()});
    const auto present = now.plan().find({selection.stage, selection.attention()});
    if (!present)
        return {ComparedText::tr("The current side has no stage “%1”").arg(titleOf(place.stage)),
                ComparedText::tr("select another stage, or choose A")};
    const core::Shape &was = a.plan()[*before].shape, &is = now.plan()[*present].shape;
    const core::StageInfo &info = core::infoOf(place.stage);
    // Rows that are sequences can be compared even if the batches differ in size.
    const bool ofTexts = !info.rowsAreTokens();
    const core::StageTexts texts =
        partners ? core::stageTexts(now, {selection.stage, selection.attention()})
                 : core::StageTexts();
    const bool hasPartners = partners && partners->has(texts.rows);
    if (!ofTexts && !hasPartners && was.last(1) != is.last(1))
        return otherLength(was.last(1), is.last(1));
    if (sought == Sought::Output) {
        if (!ofTexts && !hasPartners && lengthOf(a, place) != lengthOf(now, selection))
            return otherLength(lengthOf(a, place), lengthOf(now, selection));
        return was.last(0) == is.last(0) && haveSameWords(a.model(), now.model())
                   ? UnavailableReason()
                   : otherCount(ComparedText::tr("A has different words"));
    }
    if (hasPartners && !hasPairs(*partners, texts))
        return nothingInCommon();
    if (sought == Sought::Cosines)
        return hasPartners || lengthOf(a, place) == lengthOf(now, selection)
                   ? UnavailableReason()
                   : otherLength(lengthOf(a, place), lengthOf(now, selection));
    if (!hasPartners && was.last(1) != is.last(1))
        return otherSequences(was.last(1), is.last(1));
    const bool columnsHavePartners = partners && partners->has(texts.columns);
    if (!columnsHavePartners && was.last(0) != is.last(0))
        return info.overKeys()
                   ? otherLength(was.last(0), is.last(0))
                   : otherCount(ComparedText::tr(
                                    "A has vectors of %1 dimensions, but the current side of %2")
                                    .arg(was.last(0))
                                    .arg(is.last(0)));
    if (a.isByHead(*before) || now.isByHead(*present) || a.isByRow(*before) ||
        now.isByRow(*present))
        return otherCount(ComparedText::tr("matrices of %1 × %2 cannot be compared")
                              .arg(is.last(1))
                              .arg(is.last(0)));
    return {};
}

QString capitalized(const QString &sentence) {
    return sentence.left(1).toUpper() + sentence.mid(1);
}

/// True if the selected stack reads the source text.
bool asksSource(const core::Selection &selection) {
    return selection.stack == core::Stack::Encoder ||
           selection.stack == core::Stack::SourceEmbeddings;
}

/// Replaces query and key with their partners. Positions in a text that only one side has do not
/// change.
void replaceByPartners(const Compared &compared, core::Selection &selection,
                       std::optional<core::Index> (core::TokenPartners::*partnerOf)(std::size_t,
                                                                                    core::Index)
                           const) {
    if (!compared.partners)
        return;
    const auto replace = [&](std::optional<core::Index> &token, bool isOfSource) {
        const std::size_t text =
            isOfSource ? core::TokenPartners::kSourceText : core::TokenPartners::kMainText;
        if (token && compared.partners->has(text))
            token = (*compared.partners.*partnerOf)(text, *token);
    };
    replace(selection.query, asksSource(selection));
    replace(selection.key, asksSource(selection) || selection.block == core::Block::CrossAttention);
}

} // namespace

QString UnavailableReason::sentences() const {
    return isEmpty() ? QString()
                     : ui::sentences({ended(capitalized(why)), ended(capitalized(todo))});
}

core::Selection inA(const Compared &compared, core::Selection selection) {
    selection.sequence = compared.sequence.value_or(selection.sequence);
    if (!compared.a)
        return selection;
    const core::Trace &a = *compared.a;
    const bool readsTwo = asksSource(selection) || selection.block == core::Block::CrossAttention;
    if (readsTwo && !a.input().source)
        return selection; // A has no source sequence
    replaceByPartners(compared, selection, &core::TokenPartners::inA);
    if (selection.query && *selection.query >= a.queries(selection.attention()).length())
        selection.query.reset();
    if (selection.key && *selection.key >= a.keys(selection.attention()).length())
        selection.key.reset();
    return selection;
}

core::Selection onShownSide(const Compared &compared, core::Selection selection) {
    if (compared.shown == ComparisonSide::A && compared.a)
        replaceByPartners(compared, selection, &core::TokenPartners::inA);
    return selection;
}

core::Selection onCurrentSide(const Compared &compared, core::Selection selection) {
    if (compared.shown == ComparisonSide::A && compared.a)
        replaceByPartners(compared, selection, &core::TokenPartners::inNow);
    return selection;
}

std::optional<core::OutputRowId>
outputPlaceInA(const core::Trace &now, const core::Selection &selection, const Compared &compared) {
    const core::Trace &a = *compared.a;
    const core::OutputRowId place = core::outputPlaceOf(now, selection);
    core::Selection unselected = selection;
    unselected.query.reset();
    const core::OutputRowId usual = core::outputPlaceOf(now, unselected);
    const core::OutputRowId usualInA = core::outputPlaceOf(a, inA(compared, unselected));
    if (!compared.partners || now.has(core::Stage::ClassLogits))
        return core::outputPlaceOf(a, inA(compared, selection));
    // The query selects a row of the output layer only if it is not a token of the source.
    const bool isAsked = selection.query && !asksSource(selection);
    if (isAsked)
        if (const auto row = compared.partners->inA(core::TokenPartners::kMainText, place.row))
            return core::OutputRowId{usualInA.sequence, *row};
    return place == usual ? std::optional(usualInA) : std::nullopt;
}

ShownRun shownRun(const core::TracePointer &now, const core::Selection &selection,
                  const Compared &compared) {
    return compared.shown == ComparisonSide::A && compared.a
               ? ShownRun{compared.a, inA(compared, selection)}
               : ShownRun{now, selection};
}

UnavailableReason unavailableReason(const core::Trace &now, const core::Selection &selection,
                                    const Compared &compared, ComparisonSide shown, Sought sought) {
    if (shown == ComparisonSide::Now)
        return {};
    const bool isOfOne = sought == Sought::Head || sought == Sought::Vectors ||
                         sought == Sought::Texts || sought == Sought::Curves;
    if (shown == ComparisonSide::Difference && isOfOne)
        return oneSideAtATime(sought);
    if (!compared.a)
        return {ComparedText::tr("A is still being computed"),
                ComparedText::tr("A appears as soon as it is ready")};
    const core::Trace &a = *compared.a;
    const core::Selection place = inA(compared, selection);
    switch (sought) {
    case Sought::Curves:
        return compared.training
                   ? UnavailableReason()
                   : UnavailableReason{ComparedText::tr("A was not trained here, so it has no "
                                                        "curves"),
                                       ComparedText::tr("choose Current")};
    case Sought::Texts:
        return {};
    case Sought::Output:
        if (!core::hasOutput(a))
            return {ComparedText::tr("A has no output layer, so it predicts no words"),
                    ComparedText::tr("choose Current")};
        break;
    case Sought::Matrix:
    case Sought::EveryHead:
    case Sought::Cosines:
    case Sought::Head:
    case Sought::Vectors:
        break;
    }
    if (const UnavailableReason why = missingInAReason(place, a, sought);
        shown == ComparisonSide::A || !why.isEmpty())
        return why;
    return differenceUnavailableReason(now, selection, a, place, compared.partners.get(), sought);
}

bool haveSameWords(const core::Model &a, const core::Model &now) {
    return a.vocabulary == now.vocabulary ||
           (a.vocabulary && now.vocabulary && *a.vocabulary == *now.vocabulary);
}

UnavailableReason gradientsUnavailableReason(ComparisonSide shown) {
    if (shown == ComparisonSide::Now)
        return {};
    return {ComparedText::tr("gradients are only available for the current side"),
            ComparedText::tr("choose Current, or turn gradients off")};
}

std::optional<ComparedCell> comparedCell(const core::Trace &now, const core::Selection &selection,
                                         const Compared &compared, core::Index row,
                                         core::Index column) {
    if (!unavailableReason(now, selection, compared, ComparisonSide::Difference).isEmpty())
        return std::nullopt;
    const core::SharedMatrix left = core::matrixAt(now, selection);
    const core::SharedMatrix right = core::matrixAt(*compared.a, inA(compared, selection));
    std::optional<core::Index> rowOfA = row, columnOfA = column;
    if (compared.partners) {
        const core::StageTexts texts =
            core::stageTexts(now, {selection.stage, selection.attention()});
        if (compared.partners->has(texts.rows))
            rowOfA = compared.partners->inA(*texts.rows, row);
        if (compared.partners->has(texts.columns))
            columnOfA = compared.partners->inA(*texts.columns, column);
    }
    const auto has = [](const core::SharedMatrix &matrix, core::Index r, core::Index c) {
        return r >= 0 && c >= 0 && r < matrix.rows && c < matrix.columns;
    };
    if (!has(left, row, column)) // also if the matrix is empty because it could not be read
        return std::nullopt;
    if (!rowOfA || !columnOfA)
        return ComparedCell{left(row, column), std::numeric_limits<float>::quiet_NaN(), {}, false};
    if (!has(right, *rowOfA, *columnOfA))
        return std::nullopt;
    ComparedCell cell{left(row, column), right(*rowOfA, *columnOfA), {}};
    const core::Result<core::Difference> change =
        core::difference({&cell.now, 1, 1, 1}, {&cell.a, 1, 1, 1});
    if (change && !change->hidesAnything())
        cell.change = change->values(0, 0);
    return cell;
}

QString ComparedCell::words() const {
    if (!hasPartner)
        return ComparedText::tr("current %1, no partner in A").arg(fullText(now));
    const QString both = ComparedText::tr("current %1, A %2").arg(fullText(now), fullText(a));
    return change ? ComparedText::tr("%1, change %2").arg(both, changeText(*change))
                  : ComparedText::tr("%1: hidden on one side").arg(both);
}

QString changeText(float change) {
    if (change == 0)
        return QStringLiteral("0");
    const QString text = std::abs(change) < 0.0001F || std::abs(change) >= 100000
                             ? fullText(change)
                             : fixedText(static_cast<double>(change), 4);
    return change > 0 ? '+' + text : text;
}

QString onlyInA(const Compared &compared, const core::StageTexts &texts) {
    constexpr std::size_t kNamed = 4;
    if (!compared.partners || !compared.partners->has(texts.rows))
        return {};
    const core::AlignedText &text = compared.partners->texts()[*texts.rows];
    const std::vector<core::Index> alone = text.unpaired().a;
    if (alone.empty())
        return {};
    QStringList names;
    for (std::size_t i = 0; i < std::min(alone.size(), kNamed); ++i)
        names << tokenText(text.a[static_cast<std::size_t>(alone[i])]);
    const QString listed = names.join(QStringLiteral(", "));
    const auto more = static_cast<int>(alone.size() - static_cast<std::size_t>(names.size()));
    return more > 0 ? ComparedText::tr("only in A: %1 and %n more", nullptr, more).arg(listed)
                    : ComparedText::tr("only in A: %1").arg(listed);
}

QString captionOf(const Compared &compared) {
    switch (compared.shown) {
    case ComparisonSide::Now:
        break;
    case ComparisonSide::A:
        return ComparedText::tr("A: %1").arg(compared.name);
    case ComparisonSide::Difference:
        return ComparedText::tr("current − A, A: %1").arg(compared.name);
    }
    return {};
}

} // namespace headlight::ui
