#include "ui/words/changed_words.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct ChangedWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ChangedWords)
};

} // namespace

QString nameOf(core::StatePart part) {
    using core::StatePart;
    switch (part) {
    case StatePart::Text:
        return ChangedWords::tr("the text");
    case StatePart::Masks:
        return ChangedWords::tr("the mask");
    case StatePart::Positions:
        return ChangedWords::tr("the positions");
    case StatePart::Scale:
        return ChangedWords::tr("the scaling");
    case StatePart::Temperature:
        return ChangedWords::tr("the temperature");
    case StatePart::Softmax:
        return ChangedWords::tr("softmax");
    case StatePart::Masking:
        return ChangedWords::tr("how the mask hides");
    case StatePart::Structure:
        return ChangedWords::tr("the structure of the model");
    case StatePart::Interventions:
        return ChangedWords::tr("heads or scores");
    case StatePart::Parameters:
        return ChangedWords::tr("weights");
    case StatePart::Words:
        return ChangedWords::tr("embeddings");
    }
    return {};
}

} // namespace headlight::ui
