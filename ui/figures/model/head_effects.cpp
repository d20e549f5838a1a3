#include "ui/figures/model/head_effects.h"

#include "core/formats/json/text.h"
#include "ui/figures/output/output_content.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

struct EffectText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::HeadEffects)
};

QString withSign(double number) {
    const QString text = fullText(static_cast<float>(number));
    return number > 0 ? QLatin1Char('+') + text : text;
}

/// Returns "after “the” (4)". Empty for a classifier, which has only one prediction.
QString placeOf(const core::Trace &trace, core::OutputRowId output) {
    if (aboutOf(trace.model()) == OutputContent::About::Class)
        return {};
    const QString token = tokensOf(trace.batch(), output.sequence).value(output.row);
    const QString row = QString::number(output.row);
    // Use one call of arg() for both arguments, because the token may contain "%2".
    return trace.model().saysNext() ? EffectText::tr("after “%1” (%2)").arg(token, row)
                                    : EffectText::tr("at “%1” (%2)").arg(token, row);
}

QString tableNumber(const std::optional<double> &number) {
    return number ? QString::fromStdString(core::jsonNumber(static_cast<float>(*number)))
                  : QString();
}

} // namespace

const core::HeadEffect *HeadEffects::of(const core::HeadId &head) const {
    if (!found)
        return nullptr;
    const auto effect = std::ranges::find_if(found->heads, [&](const core::HeadEffect &each) {
        return each.attention == head.attention && each.head == head.head;
    });
    return effect == found->heads.end() ? nullptr : &*effect;
}

std::optional<double> HeadEffects::valueOf(const core::HeadId &head) const {
    const core::HeadEffect *effect = of(head);
    if (!effect)
        return std::nullopt;
    return isLoss ? effect->lossDifference : std::optional(effect->logitDifference);
}

QString predictedName(const core::Model &model, core::Index word) {
    return aboutOf(model) == OutputContent::About::Class ? EffectText::tr("class %1").arg(word)
                                                         : wordName(model, word);
}

QString titleOf(const core::Trace &trace, const HeadEffects &effects) {
    if (!effects.found)
        return labelled(EffectText::tr("Effect of silencing each head"), effects.missing);
    const QString what = effects.isLoss
                             ? EffectText::tr("Change in the loss")
                             : EffectText::tr("Change in the logit of “%1”")
                                   .arg(predictedName(trace.model(), effects.found->token));
    const QString title =
        labelled(what, effects.state == core::HeadState::Mean
                           ? EffectText::tr("each head replaced by its mean over the text")
                           : EffectText::tr("each head silenced"));
    const QString place = effects.isLoss ? QString() : placeOf(trace, effects.output);
    return place.isEmpty() ? title : title + QStringLiteral(" · ") + place;
}

ColourScale scaleOf(const HeadEffects &effects, ColourMap signedMap) {
    double largest = 0;
    if (effects.found)
        for (const core::HeadEffect &effect : effects.found->heads)
            if (const auto value = effects.valueOf({effect.attention, effect.head}))
                largest = std::max(largest, std::abs(*value));
    return ColourScale::ofHeads(signedMap, largest);
}

QString effectWords(const core::Model &model, const HeadEffects &effects,
                    const core::HeadId &head) {
    if (!effects.found)
        return effects.missing;
    const core::HeadEffect *effect = effects.of(head);
    if (!effect)
        return EffectText::tr("the head is already off, so silencing it has no effect");
    if (effects.isLoss && !effects.isOfSelected)
        return effect->lossDifference
                   ? EffectText::tr("change in the loss %1").arg(withSign(*effect->lossDifference))
                   : QString();
    QStringList parts;
    const double before = effects.found->logit;
    parts << EffectText::tr("change in the logit of “%1” %2, from %3 to %4")
                 .arg(predictedName(model, effects.found->token), withSign(effect->logitDifference),
                      fullText(static_cast<float>(before)),
                      fullText(static_cast<float>(before + effect->logitDifference)));
    parts << EffectText::tr("probability %1 → %2")
                 .arg(percentText(effects.found->probability), percentText(effect->probability));
    if (effect->lossDifference)
        parts << EffectText::tr("change in the loss %1").arg(withSign(*effect->lossDifference));
    if (effects.isLoss && parts.size() > 2)
        parts.move(2, 0);
    if (effect->top != effects.found->top)
        parts << EffectText::tr("then most probable: “%1”").arg(predictedName(model, effect->top));
    return enumerated(parts);
}

QString effectsTable(const core::Model &model, const core::AblatedHeads &found) {
    QStringList lines{
        QStringLiteral("stack\tblock\tlayer\thead\tlogit_difference\tloss_difference\ttop")};
    for (const core::HeadEffect &effect : found.heads) {
        const core::AttentionId &at = effect.attention;
        lines << QStringList{QString::fromUtf8(core::wordOf(at.stack)),
                             QString::fromUtf8(core::wordOf(at.block)),
                             QString::number(at.layer),
                             QString::number(effect.head),
                             tableNumber(effect.logitDifference),
                             tableNumber(effect.lossDifference),
                             predictedName(model, effect.top)}
                     .join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace headlight::ui
