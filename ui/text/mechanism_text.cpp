#include "ui/text/mechanism_text.h"

#include "ui/text/number_text.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct MechanismText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MechanismText)
};

} // namespace

QString scalingText(const core::Scale &scale) {
    switch (scale.kind) {
    case core::Scale::Kind::SquareRoot:
        return QStringLiteral("÷√d");
    case core::Scale::Kind::Number:
        return QStringLiteral("÷") + fullText(scale.number);
    case core::Scale::Kind::Off:
        return MechanismText::tr("off");
    }
    return {};
}

QString maskValueText(float value) {
    if (value == -1e9f)
        return QStringLiteral("−1e9");
    if (value == -1e4f)
        return QStringLiteral("−1e4");
    return fullText(value);
}

QString maskingText(const core::MaskOptions &masking) {
    return masking.afterSoftmax
               ? MechanismText::tr("after softmax")
               : MechanismText::tr("%1 before softmax").arg(maskValueText(masking.value));
}

std::vector<PositionsText> positionsTexts() {
    using P = core::Positions;
    return {{P::None, MechanismText::tr("None"),
             MechanismText::tr("The order of the words makes no difference")},
            {P::Sinusoidal, MechanismText::tr("Sinusoidal"),
             MechanismText::tr("Sines and cosines are added to the embeddings")},
            {P::Learned, MechanismText::tr("Learned"),
             MechanismText::tr("A learned vector for each position is added to the embeddings")},
            {P::Rotary, MechanismText::tr("Rotary"),
             MechanismText::tr(
                 "Queries and keys are rotated by their position, in pairs of dimensions")},
            {P::Alibi, MechanismText::tr("ALiBi"),
             MechanismText::tr(
                 "The scores shrink with the distance, with a different slope in each head")},
            {P::Relative, MechanismText::tr("Relative"),
             MechanismText::tr(
                 "A learned number for each range of distances is added to the scores, as in T5")}};
}

QString positionsName(core::Positions positions) {
    for (const PositionsText &text : positionsTexts())
        if (text.positions == positions)
            return text.name;
    return {};
}

QString headStateText(core::HeadState state) {
    switch (state) {
    case core::HeadState::On:
        return MechanismText::tr("on");
    case core::HeadState::Zero:
        return MechanismText::tr("zeros");
    case core::HeadState::Mean:
        return MechanismText::tr("its mean");
    case core::HeadState::Uniform:
        return MechanismText::tr("even attention");
    }
    return {};
}

} // namespace headlight::ui
