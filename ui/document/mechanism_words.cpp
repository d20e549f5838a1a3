#include "ui/document/mechanism_words.h"

#include "ui/figures/number_text.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MechanismWords)
};

} // namespace

QString scaleWords(const core::Scale &scale) {
    switch (scale.kind) {
    case core::Scale::Kind::SquareRoot:
        return QStringLiteral("÷√d");
    case core::Scale::Kind::Number:
        return QStringLiteral("÷") + fullText(scale.number);
    case core::Scale::Kind::Off:
        return Words::tr("off");
    }
    return {};
}

QString maskValueWords(float value) {
    if (value == -1e9f)
        return QStringLiteral("−1e9");
    if (value == -1e4f)
        return QStringLiteral("−1e4");
    return fullText(value);
}

QString maskingWords(const core::Masking &masking) {
    return masking.afterSoftmax ? Words::tr("after softmax")
                                : Words::tr("%1 before softmax").arg(maskValueWords(masking.value));
}

QString headStateWords(core::HeadState state) {
    switch (state) {
    case core::HeadState::On:
        return Words::tr("on");
    case core::HeadState::Zero:
        return Words::tr("zeros");
    case core::HeadState::Mean:
        return Words::tr("its mean");
    case core::HeadState::Uniform:
        return Words::tr("uniform attention");
    }
    return {};
}

} // namespace headlight::ui
