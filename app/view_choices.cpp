#include "app/view_choices.h"

#include "app/option_reader.h"
#include "app/words.h"

#include <QStringList>

namespace headlight::app {

using ui::ViewChoices;

namespace {

/// Reads one or two color maps, one for weights and one for signed numbers, in any order.
void readColours(const OptionReader &reader, ViewChoices &choices) {
    const QStringList given = reader.words("colors");
    for (const QString &name : given.join(',').split(',')) {
        if (given.isEmpty())
            return;
        const auto map = ui::findColourMap(name);
        if (!map)
            throw OptionError{Words::tr("--%1 %2: expected %3")
                                  .arg("colors", name, reader.allowed("colors").join(", "))};
        std::optional<ui::ColourMap> &place =
            ui::isDiverging(*map) ? choices.signedMap : choices.weightsMap;
        if (place)
            throw OptionError{
                Words::tr("--%1 %2: expected %3")
                    .arg("colors", given.join(','),
                         Words::tr("at most one map for weights and one for signed numbers"))};
        place = map;
    }
}

/// Reads the options for the planes of the geometry view.
void readPlane(const OptionReader &reader, ViewChoices &choices) {
    choices.spaces = ui::findSpaces(reader.oneOf("space"));
    choices.axes = ui::findAxes(reader.oneOf("axes"));
    if (const auto given = reader.word("gravity")) {
        choices.gravity = reader.number<double>("gravity", "a number from 0 to 1");
        if (!(*choices.gravity >= 0 && *choices.gravity <= 1))
            throw OptionError{Words::tr("--%1 %2: expected %3")
                                  .arg("gravity", *given, Words::tr("a number from 0 to 1"))};
    }
    if (reader.isSet("together"))
        choices.together = true;
}

template <typename Number>
std::optional<Number> readWithin(const OptionReader &reader, const char *option,
                                 const char *expected, bool (*isWithin)(Number)) {
    const std::optional<Number> number = reader.number<Number>(option, expected);
    if (number && !isWithin(*number))
        throw OptionError{Words::tr("--%1 %2: expected %3")
                              .arg(option, *reader.word(option), Words::tr(expected))};
    return number;
}

bool isDrawnHeadSize(core::Index size) {
    return size >= 1 && size <= core::kMostDrawnHeadSize;
}

/// Reads the options of the softmax view.
core::SoftmaxPatch readSoftmax(const OptionReader &reader) {
    core::SoftmaxPatch said;
    if (reader.word("part"))
        said.part =
            reader.oneOf("part") == "spread" ? core::SoftmaxPart::Spread : core::SoftmaxPart::Row;
    if (reader.word("logits") == QStringLiteral("none"))
        said.logits.emplace();
    else if (const auto given = reader.word("logits")) {
        const char *expected =
            QT_TRANSLATE_NOOP("CommandLine", "none, or 1 to 64 numbers with commas between them, "
                                             "each from −1000000 to 1000000");
        said.logits.emplace();
        const QStringList numbers = given->split(',');
        for (const QString &number : numbers) {
            const QString plain = QString(number).replace(QChar(0x2212), QLatin1Char('-'));
            const float logit = OptionReader::parsed<float>("logits", plain.trimmed(), expected);
            if (!core::isOwnLogit(logit) ||
                static_cast<std::size_t>(numbers.size()) > core::kMostOwnLogits)
                throw OptionError{
                    Words::tr("--%1 %2: expected %3").arg("logits", *given, Words::tr(expected))};
            said.logits->push_back(logit);
        }
    }
    said.times = readWithin<float>(
        reader, "times",
        QT_TRANSLATE_NOOP("CommandLine", "a number greater than 0, at most 1000000"),
        core::isOwnTimes);
    said.temperature = readWithin<float>(
        reader, "temperature", QT_TRANSLATE_NOOP("CommandLine", "a number from 0.0001 to 10000"),
        core::isOwnTemperature);
    said.headSize = readWithin<core::Index>(
        reader, "d-k", QT_TRANSLATE_NOOP("CommandLine", "a whole number from 1 to 4096"),
        isDrawnHeadSize);
    said.seed = reader.number<quint64>("draw-seed", "a whole number from 0");
    return said;
}

} // namespace

ViewChoices readChoices(const OptionReader &reader) {
    ViewChoices choices;
    choices.range = ui::findRange(reader.oneOf("range"));
    choices.order = core::findHeadOrder(reader.oneOf("order").toStdString());
    choices.measure = core::findHeadOrder(reader.oneOf("measure").toStdString());
    choices.contextual = core::findStage(reader.oneOf("contextual").toStdString(), 0);
    if (reader.word("granularity"))
        choices.granularity = ui::granularityOf(reader.oneOf("granularity"));
    if (reader.word("learned"))
        choices.learned = reader.oneOf("learned") == "shown";
    if (const auto arithmetic = reader.word("arithmetic"))
        choices.opened = reader.oneOf("arithmetic") == "opened";
    if (reader.word("lines"))
        choices.lines = reader.oneOf("lines") == "shown";
    choices.softmax = readSoftmax(reader);
    if (reader.isSet("way-back"))
        choices.gradients = true;
    readColours(reader, choices);
    readPlane(reader, choices);
    return choices;
}

} // namespace headlight::app
