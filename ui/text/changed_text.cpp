#include "ui/text/changed_text.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct ChangedText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ChangedText)
};

} // namespace

QString nameOf(core::StatePart part) {
    using core::StatePart;
    switch (part) {
    case StatePart::Text:
        return ChangedText::tr("the text");
    case StatePart::Masks:
        return ChangedText::tr("the mask");
    case StatePart::Positions:
        return ChangedText::tr("the positions");
    case StatePart::Scale:
        return ChangedText::tr("the scaling");
    case StatePart::Temperature:
        return ChangedText::tr("the temperature");
    case StatePart::Softmax:
        return ChangedText::tr("softmax");
    case StatePart::Masking:
        return ChangedText::tr("the kind of masking");
    case StatePart::Structure:
        return ChangedText::tr("the structure of the model");
    case StatePart::Interventions:
        return ChangedText::tr("heads or scores");
    case StatePart::Parameters:
        return ChangedText::tr("weights");
    case StatePart::Words:
        return ChangedText::tr("embeddings");
    }
    return {};
}

} // namespace headlight::ui
