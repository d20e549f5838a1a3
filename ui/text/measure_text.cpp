#include "ui/text/measure_text.h"

#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace headlight::ui {

namespace {

constexpr int kMeasureDecimals = 2;

struct MeasureText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MeasureText)
};

struct MeasureEntry {
    const char *title, *shortTitle, *formula, *rows;
    const char *reference; ///< a paper, so not translated
};

constexpr const char *kEveryRow =
    QT_TRANSLATE_NOOP("headlight::ui::MeasureText",
                      "The mean over all rows except padding and rows that see a single token.");
constexpr const char *kRowsThatSeeOne = QT_TRANSLATE_NOOP(
    "headlight::ui::MeasureText", "The mean over all rows that see such a token, except padding "
                                  "and rows that see a single token.");
constexpr const char *kClark = "Clark et al. 2019 (What Does BERT Look at?)";

/// In the order of core::kEveryMeasure.
constexpr std::array<MeasureEntry, std::size(core::kEveryMeasure)> kEntries{{
    {QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "entropy"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "entropy"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText",
                       "−Σ p ln p of a row, in nats: 0 if the row attends to one token."),
     kEveryRow, kClark},
    {QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "mean distance"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "mean distance"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText",
                       "Σ p · |i − j| of a row: the mean distance to the keys in tokens, weighted "
                       "by the attention."),
     kEveryRow,
     "Vig and Belinkov 2019 (Analyzing the Structure of Attention in a Transformer Language "
     "Model)"},
    {QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "weight on the previous token"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "previous"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "The weight on the previous token."),
     kRowsThatSeeOne, kClark},
    {QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "weight on the token itself"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "itself"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "The weight on the token itself."),
     kRowsThatSeeOne, kClark},
    {QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "weight on the first token"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "first"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "The weight on the first token."),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText",
                       "The mean over all rows except padding, rows that see a single token and, "
                       "in self-attention, the first row."),
     "Xiao et al. 2023 (Efficient Streaming Language Models with Attention Sinks)"},
    {QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "weight on separators"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "separators"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText",
                       "The weight on special tokens, such as [SEP], and on tokens of punctuation "
                       "only. A text without them has no value."),
     kEveryRow, kClark},
    {QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "weight on earlier occurrences"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "duplicates"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText",
                       "The weight on earlier occurrences of the same token."),
     kRowsThatSeeOne, "Wang et al. 2022 (Interpretability in the Wild)"},
    {QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "induction"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "induction"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText",
                       "The weight on the tokens right after earlier occurrences of the same "
                       "token."),
     kRowsThatSeeOne, "Olsson et al. 2022 (In-context Learning and Induction Heads)"},
    {QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "similarity to a chosen head"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText", "similarity"),
     QT_TRANSLATE_NOOP("headlight::ui::MeasureText",
                       "1 minus the Jensen–Shannon divergence (base 2) of a row and the chosen "
                       "head's row: 1 if they are equal, 0 if they attend to no common token."),
     kEveryRow, kClark},
}};

const MeasureEntry &entryOf(const core::NamedMeasure &measure) {
    const auto found =
        std::ranges::find(core::kEveryMeasure, measure.name, &core::NamedMeasure::name);
    return kEntries[static_cast<std::size_t>(found - std::begin(core::kEveryMeasure))];
}

} // namespace

QString titleOf(const core::NamedMeasure &measure) {
    return MeasureText::tr(entryOf(measure).title);
}

QString shortTitleOf(const core::NamedMeasure &measure) {
    return MeasureText::tr(entryOf(measure).shortTitle);
}

QString definitionOf(const core::NamedMeasure &measure) {
    const MeasureEntry &entry = entryOf(measure);
    return sentences({MeasureText::tr(entry.formula), MeasureText::tr(entry.rows)});
}

QString referenceOf(const core::NamedMeasure &measure) {
    return QString::fromUtf8(entryOf(measure).reference);
}

QString glossaryIdOf(const core::NamedMeasure &measure) {
    return QStringLiteral("measure ") +
           QString::fromUtf8(measure.name.data(), static_cast<qsizetype>(measure.name.size()));
}

QString measureText(const std::optional<double> &value) {
    return value ? numberText(*value, kMeasureDecimals) : QStringLiteral("—");
}

} // namespace headlight::ui
