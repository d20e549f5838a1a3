#include "ui/figures/geometry/plane_titles.h"

#include "core/analysis/attention_contribution.h"
#include "ui/text/attention_names.h"
#include "ui/text/number_text.h"

namespace headlight::ui {

using core::VectorSpace;

QString spaceTitle(VectorSpace space, const core::Trace &trace, const core::Selection &selection) {
    const QString where = attentionName(trace.model(), selection.attention());
    switch (space) {
    case VectorSpace::Residual:
        return where.isEmpty()
                   ? SpacePlaneText::tr("Residual stream, layer %1").arg(selection.layer)
                   : SpacePlaneText::tr("Residual stream, %1").arg(where);
    case VectorSpace::QueryKey:
        return SpacePlaneText::tr("Queries and keys, head %1").arg(selection.head);
    case VectorSpace::ValueContext:
        return SpacePlaneText::tr("Values and contexts, head %1").arg(selection.head);
    }
    return {};
}

QString legendOf(VectorSpace space, const core::Trace &trace, const core::Selection &selection,
                 bool showsShift) {
    switch (space) {
    case VectorSpace::Residual: {
        const auto gravity =
            core::attentionShiftOf(trace, selection.sequence, selection.attention());
        if (!gravity || !showsShift)
            return SpacePlaneText::tr("● x");
        return gravity->toContext ? SpacePlaneText::tr("● x   ○ its context")
                                  : SpacePlaneText::tr("● x   ○ x + output");
    }
    case VectorSpace::QueryKey:
        return SpacePlaneText::tr("▲ query   ■ key");
    case VectorSpace::ValueContext:
        return SpacePlaneText::tr("● value   ◆ context");
    }
    return {};
}

namespace {

/// Returns "42 %", or "—" for an unknown share.
QString shareText(std::optional<double> share) {
    return share ? SpacePlaneText::tr("%1 %").arg(fixedText(100 * *share, 0)) : QStringLiteral("—");
}

std::optional<double> shareOfAxis(const core::Projection &projection, std::size_t axis) {
    return projection.share ? std::optional((*projection.share)[axis]) : std::nullopt;
}

std::optional<double> shareOfBoth(const core::Projection &projection) {
    return projection.share ? std::optional((*projection.share)[0] + (*projection.share)[1])
                            : std::nullopt;
}

} // namespace

QString axisName(const core::Projection &projection, std::size_t axis, const QString &query) {
    const QString share = shareText(shareOfAxis(projection, axis));
    switch (projection.kind) {
    case core::Projection::Kind::Exact:
        return SpacePlaneText::tr("dimension %1").arg(axis);
    case core::Projection::Kind::Principal:
        return SpacePlaneText::tr("component %1: %2").arg(axis).arg(share);
    case core::Projection::Kind::DotProduct:
        return axis == 0 ? SpacePlaneText::tr("along q %1: score ÷ its length").arg(query)
                         : SpacePlaneText::tr("perpendicular to q: %1 of the keys' squared length")
                               .arg(share);
    }
    return {};
}

QString axesText(const SpacePlane &plane, const QString &query) {
    const core::Projection &projection = plane.projection;
    const bool ofKeys = plane.space == VectorSpace::QueryKey;
    switch (projection.kind) {
    case core::Projection::Kind::Exact:
        return plane.share < 1 ? SpacePlaneText::tr("keys are shown exactly")
                               : SpacePlaneText::tr("shown exactly");
    case core::Projection::Kind::Principal:
        return (ofKeys ? SpacePlaneText::tr("PCA of the keys, %1 dimensions, %2 of the variance")
                       : SpacePlaneText::tr("PCA of %1 dimensions, %2 of the variance"))
            .arg(projection.width())
            .arg(shareText(shareOfBoth(projection)));
    case core::Projection::Kind::DotProduct:
        return SpacePlaneText::tr("%1 dimensions; dot products with q %2 are preserved")
            .arg(QString::number(projection.width()), query);
    }
    return {};
}

} // namespace headlight::ui
