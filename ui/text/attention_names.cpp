#include "ui/text/attention_names.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace headlight::ui {

namespace {

struct AttentionNames {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::AttentionNames)
};

} // namespace

std::vector<core::AttentionId> placesOf(const core::Model &model) {
    std::vector<core::AttentionId> places;
    for (const core::AttentionId attention : model.attentions())
        if (std::ranges::none_of(places, [&](core::AttentionId place) {
                return place.stack == attention.stack && place.block == attention.block;
            }))
            places.push_back(attention);
    return places;
}

QString placeText(core::AttentionId attention) {
    if (attention.block == core::Block::CrossAttention)
        return AttentionNames::tr("cross-attention");
    switch (attention.stack) {
    case core::Stack::Encoder:
        return AttentionNames::tr("encoder");
    case core::Stack::Decoder:
        return AttentionNames::tr("decoder");
    case core::Stack::SourceEmbeddings:
        return AttentionNames::tr("second sequence");
    case core::Stack::Main:
        break;
    }
    return AttentionNames::tr("self-attention");
}

QString attentionName(const core::Model &model, core::AttentionId attention) {
    QStringList words;
    const bool plain =
        attention.stack == core::Stack::Main && attention.block == core::Block::SelfAttention;
    if (!plain || placesOf(model).size() > 1)
        words << placeText(attention);
    if (model.layerCount(attention.stack) > 1)
        words << AttentionNames::tr("layer %1").arg(attention.layer);
    return words.join(QStringLiteral(", "));
}

} // namespace headlight::ui
