#include "ui/compare/compared.h"

#include "core/analysis/difference.h"
#include "core/selection/selected.h"
#include "ui/words/number_text.h"
#include "ui/words/stage_titles.h"

#include <QCoreApplication>

#include <cmath>

namespace headlight::ui {

namespace {

struct ComparedWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Compared)
};

QString noSuchLayer(core::Index layer, core::Index count) {
    return count == 1 ? ComparedWords::tr("A has 1 layer, layer %1 does not exist there").arg(layer)
                      : ComparedWords::tr("A has %1 layers, layer %2 does not exist there")
                            .arg(count)
                            .arg(layer);
}

QString noSuchSequence(core::Index sequence, core::Index count) {
    return count == 1 ? ComparedWords::tr("A has 1 sequence, sequence %1 does not exist there")
                            .arg(sequence)
                      : ComparedWords::tr("A has %1 sequences, sequence %2 does not exist there")
                            .arg(count)
                            .arg(sequence);
}

QString noSuchHead(core::Index head, core::Index count) {
    return count == 1 ? ComparedWords::tr("A has 1 head, head %1 does not exist there").arg(head)
                      : ComparedWords::tr("A has %1 heads, head %2 does not exist there")
                            .arg(count)
                            .arg(head);
}

} // namespace

core::Selection inA(const Compared &compared, core::Selection selection) {
    selection.sequence = compared.sequence.value_or(selection.sequence);
    return selection;
}

QString otherLength(core::Index a, core::Index now) {
    const QString inA =
        a == 1 ? ComparedWords::tr("A has 1 token") : ComparedWords::tr("A has %1 tokens").arg(a);
    return now == 1 ? ComparedWords::tr("%1, now there is 1").arg(inA)
                    : ComparedWords::tr("%1, now there are %2").arg(inA).arg(now);
}

QString whyNot(const core::Trace &now, const core::Selection &selection, const Compared &compared,
               Shown shown, bool everyHead) {
    if (shown == Shown::Now)
        return {};
    if (!compared.a)
        return ComparedWords::tr("A is still being computed");
    const core::Trace &a = *compared.a;
    const core::Selection place = inA(compared, selection);
    const core::Index layers = a.model().layerCount(place.stack);
    if (place.layer >= layers && place.stack != core::Stack::Source)
        return noSuchLayer(place.layer, layers);
    if (place.sequence >= a.batch().count())
        return noSuchSequence(place.sequence, a.batch().count());
    const auto before = a.plan().find({place.stage, place.site()});
    const auto present = now.plan().find({selection.stage, selection.site()});
    const QString stage = titleOf(place.stage);
    if (!before)
        return ComparedWords::tr("A has no stage “%1”").arg(stage);
    const core::Index heads = a.model().headsOf(place.site());
    if (core::infoOf(place.stage).perHead && !everyHead && place.head >= heads)
        return noSuchHead(place.head, heads);
    if (shown == Shown::A)
        return {};
    if (!present)
        return ComparedWords::tr("Now there is no stage “%1”").arg(stage);
    const core::Shape &was = a.plan()[*before].shape, &is = now.plan()[*present].shape;
    if (was.last(1) != is.last(1))
        return otherLength(was.last(1), is.last(1));
    if (was.last(0) != is.last(0))
        return ComparedWords::tr("A has vectors of %1 numbers, now they have %2")
            .arg(was.last(0))
            .arg(is.last(0));
    if (a.isByHead(*before) || now.isByHead(*present))
        return ComparedWords::tr("matrices of %1 × %2 are not compared")
            .arg(is.last(1))
            .arg(is.last(0));
    return {};
}

std::optional<ComparedCell> comparedCell(const core::Trace &now, const core::Selection &selection,
                                         const Compared &compared, core::Index row,
                                         core::Index column) {
    if (!whyNot(now, selection, compared, Shown::Difference).isEmpty())
        return std::nullopt;
    const core::SharedMatrix left = core::matrixAt(now, selection);
    const core::SharedMatrix right = core::matrixAt(*compared.a, inA(compared, selection));
    if (row < 0 || column < 0 || row >= left.rows || column >= left.columns)
        return std::nullopt;
    ComparedCell cell{left(row, column), right(row, column), {}};
    const core::Result<core::Difference> change =
        core::difference({&cell.now, 1, 1, 1}, {&cell.a, 1, 1, 1});
    if (change && !change->hidesAnything())
        cell.change = change->values(0, 0);
    return cell;
}

QString ComparedCell::words() const {
    const QString both = ComparedWords::tr("now %1, A %2").arg(fullText(now), fullText(a));
    return change ? ComparedWords::tr("%1, change %2").arg(both, changeText(*change))
                  : ComparedWords::tr("%1: hidden on one side").arg(both);
}

QString changeText(float change) {
    if (change == 0)
        return QStringLiteral("0");
    const QString text = std::abs(change) < 0.0001F || std::abs(change) >= 100000
                             ? fullText(change)
                             : fixedText(static_cast<double>(change), 4);
    return change > 0 ? '+' + text : text;
}

QString captionOf(const Compared &compared) {
    switch (compared.shown) {
    case Shown::Now:
        break;
    case Shown::A:
        return ComparedWords::tr("A: %1").arg(compared.name);
    case Shown::Difference:
        return ComparedWords::tr("now − A, A: %1").arg(compared.name);
    }
    return {};
}

} // namespace headlight::ui
