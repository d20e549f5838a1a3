#include "ui/text/mask_text.h"

#include "ui/text/sentences.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct Name {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MaskName)
  public:
    QString operator()(const core::CausalMask &) const { return tr("causal mask"); }
    QString operator()(const core::PaddingMask &) const { return tr("padding mask"); }
    QString operator()(const core::WindowMask &window) const {
        const auto width = static_cast<int>(window.width);
        if (window.bothWays)
            return width == 1 ? tr("window of 1 token both ways")
                              : tr("window of %n tokens both ways", nullptr, width);
        return width == 1 ? tr("window of 1 token") : tr("window of %n tokens", nullptr, width);
    }
    QString operator()(const core::CellMask &) const { return tr("single-cell mask edits"); }
    QString operator()(const core::PrefixMask &prefix) const {
        return prefix.length == 1 ? tr("causal mask with a prefix of 1 token")
                                  : tr("causal mask with a prefix of %n tokens", nullptr,
                                       static_cast<int>(prefix.length));
    }
    QString operator()(const core::BlockMask &blocks) const {
        return blocks.size == 1 ? tr("blocks of 1 token")
                                : tr("blocks of %n tokens", nullptr, static_cast<int>(blocks.size));
    }
    QString operator()(const core::DiagonalMask &) const { return tr("diagonal off"); }
};

struct Reason {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MaskReason)
  public:
    QString operator()(const core::CausalMask &) const {
        return tr("it comes later (causal mask)");
    }
    QString operator()(const core::PaddingMask &) const { return tr("it is padding"); }
    QString operator()(const core::WindowMask &window) const {
        return tr("it is outside the window of %1").arg(window.width);
    }
    QString operator()(const core::CellMask &) const { return tr("a single-cell edit hides it"); }
    QString operator()(const core::PrefixMask &prefix) const {
        return tr("it comes later and is not in the prefix of %1").arg(prefix.length);
    }
    QString operator()(const core::BlockMask &blocks) const {
        return tr("it is in another block of %1").arg(blocks.size);
    }
    QString operator()(const core::DiagonalMask &) const {
        return tr("it is the token itself (diagonal off)");
    }
};

} // namespace

QString maskName(const core::MaskLayer &layer) {
    return std::visit(Name{}, layer);
}

QString maskReason(const core::MaskLayer &layer) {
    return std::visit(Reason{}, layer);
}

QString maskSentence(const QStringList &names) {
    return Name::tr("Mask: %1").arg(listed(names));
}

} // namespace headlight::ui
