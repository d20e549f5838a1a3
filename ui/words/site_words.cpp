#include "ui/words/site_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace headlight::ui {

namespace {

struct SiteWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SiteWords)
};

} // namespace

std::vector<core::Site> placesOf(const core::Model &model) {
    std::vector<core::Site> places;
    for (const core::Site site : model.attentions())
        if (std::ranges::none_of(places, [&](core::Site place) {
                return place.stack == site.stack && place.block == site.block;
            }))
            places.push_back(site);
    return places;
}

QString placeWords(core::Site site) {
    if (site.block == core::Block::CrossAttention)
        return SiteWords::tr("cross-attention");
    switch (site.stack) {
    case core::Stack::Encoder:
        return SiteWords::tr("encoder");
    case core::Stack::Decoder:
        return SiteWords::tr("decoder");
    case core::Stack::Source:
        return SiteWords::tr("second sequence");
    case core::Stack::Only:
        break;
    }
    return SiteWords::tr("self-attention");
}

QString siteWords(const core::Model &model, core::Site site) {
    QStringList words;
    const bool plain = site.stack == core::Stack::Only && site.block == core::Block::SelfAttention;
    if (!plain || placesOf(model).size() > 1)
        words << placeWords(site);
    if (model.layerCount(site.stack) > 1)
        words << SiteWords::tr("layer %1").arg(site.layer);
    return words.join(QStringLiteral(", "));
}

} // namespace headlight::ui
