#include "ui/figures/model/head_numbers.h"

#include "ui/text/sentences.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

struct NumberText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::HeadNumbers)
};

} // namespace

HeadNumbers numbersOf(const core::NamedMeasure &measure, const core::TraceGlances &glances) {
    HeadNumbers numbers;
    numbers.measure = &measure;
    for (const auto &layer : glances.made)
        for (std::size_t head = 0; layer && head < layer->heads.size(); ++head)
            if (const auto &value = layer->heads[head].measures.*measure.measure)
                numbers.values[{layer->attention, static_cast<core::Index>(head)}] = *value;
    if (glances.next())
        numbers.missing = NumberText::tr("computing…");
    return numbers;
}

HeadNumbers changesOf(const core::NamedMeasure &measure,
                      const std::vector<core::ComparedHead> &heads) {
    HeadNumbers numbers;
    numbers.measure = &measure;
    numbers.isChange = true;
    for (const core::ComparedHead &head : heads)
        if (const std::optional<double> change = core::changeOf(head).*measure.measure)
            numbers.values[{head.attention, head.head}] = *change;
    return numbers;
}

QString titleOf(const HeadNumbers &numbers) {
    const QString name = titleOf(*numbers.measure);
    const QString title = numbers.isChange ? NumberText::tr("Change of the %1").arg(name)
                                           : name.left(1).toUpper() + name.mid(1);
    return numbers.missing.isEmpty() ? title : labelled(title, numbers.missing);
}

ColourScale scaleOf(const HeadNumbers &numbers, const FigureStyle &style) {
    double largest = 0;
    for (const auto &[head, value] : numbers.values)
        largest = std::max(largest, std::abs(value));
    if (numbers.isChange)
        return ColourScale::ofHeads(style.signedMap, largest);
    return isShare(*numbers.measure) ? ColourScale::between(style.weightsMap, 0, 1)
                                     : ColourScale::ofHeads(style.weightsMap, largest);
}

QString numberWords(const HeadNumbers &numbers, const core::HeadId &head) {
    const auto found = numbers.values.find(head);
    const std::optional<double> value =
        found == numbers.values.end() ? std::nullopt : std::optional(found->second);
    const QString name = titleOf(*numbers.measure);
    return numbers.isChange
               ? NumberText::tr("change of the %1 %2").arg(name, changeOfMeasureText(value))
               : NumberText::tr("%1 %2").arg(name, measureText(value));
}

QString changeOfMeasureText(const std::optional<double> &change) {
    const QString text = measureText(change);
    return change && *change > 0 ? QLatin1Char('+') + text : text;
}

bool isShare(const core::NamedMeasure &measure) {
    return measure.measure != &core::HeadMeasures::entropy &&
           measure.measure != &core::HeadMeasures::distance;
}

} // namespace headlight::ui
