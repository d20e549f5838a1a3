#include "ui/command_line/view_rows.h"

#include "core/format_number.h"
#include "core/selection/softmax_look.h"
#include "ui/figures/colours/colour_map.h"

#include <algorithm>

namespace headlight::ui {

Codec<std::vector<float>> logitsCodec() {
    const QString none = QStringLiteral("none");
    return {[none](const TypedValue &typed) {
                const char *expected = QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "none, or 1 to 64 numbers separated by commas, each from −1000000 to 1000000");
                std::vector<float> logits;
                if (typed.text() == none)
                    return logits;
                const QStringList numbers = typed.text().split(',');
                for (const QString &number : numbers) {
                    const QString plain = QString(number).replace(QChar(0x2212), QLatin1Char('-'));
                    logits.push_back(
                        parsedNumber<float>({typed.option, plain.trimmed(), {}}, expected));
                    if (!core::isOwnLogit(logits.back()) ||
                        static_cast<std::size_t>(numbers.size()) > core::kMaxOwnLogits)
                        throw typed.wrong(CommandLineText::tr(expected));
                }
                return logits;
            },
            [none](const std::vector<float> &logits) {
                return logits.empty() ? none : eachOf(logits, [](float logit) {
                                                   return core::exact(logit);
                                               }).join(',');
            },
            {none}};
}

Codec<FigureSize> sizeCodec() {
    return {[](const TypedValue &typed) {
                if (const std::optional<FigureSize> size = FigureSize::parse(typed.text()))
                    return *size;
                throw typed.wrong(
                    CommandLineText::tr("a width, or width x height, in pixels, mm or in, such as "
                                        "800x600, 84mm or 3.3inx2.5in"));
            },
            [](const FigureSize &size) { return size.text(); }};
}

OptionRow<ViewRequest> coloursRow(Option option) {
    option.values = eachOf(allColourMaps(), [](ColourMap map) { return nameOf(map); });
    OptionRow<ViewRequest> row(std::move(option));
    row.read = [values = row.values](const TypedValue &typed, ViewRequest &request) {
        const QString all = typed.all.join(',');
        for (const QString &name : all.split(',')) {
            const std::optional<ColourMap> map = findColourMap(name);
            if (!map)
                throw TypedValue{typed.option, name, {}}.wrong(values.join(", "));
            std::optional<ColourMap> &place =
                isDiverging(*map) ? request.choices.signedMap : request.choices.weightsMap;
            if (place)
                throw TypedValue{typed.option, all, {}}.wrong(
                    CommandLineText::tr("at most one map for weights and one for signed values"));
            place = map;
        }
    };
    row.write = [](const ViewRequest &request) -> std::optional<QString> {
        QStringList names;
        for (const auto &map : {request.choices.weightsMap, request.choices.signedMap})
            if (map)
                names << nameOf(*map);
        return names.isEmpty() ? std::nullopt : std::optional(names.join(','));
    };
    return row;
}

std::vector<core::HeadOrder> plottedMeasures() {
    return {core::kHeadOrders.begin() + 1, core::kHeadOrders.end()}; // all orders except ByIndex
}

OptionRow<ViewRequest> measureRow(Option option) {
    const Codec<core::HeadOrder> plotted =
        oneOf(plottedMeasures(), [](core::HeadOrder order) { return core::nameOf(order); });
    QStringList words = plotted.words;
    for (const core::NamedMeasure &measure : core::kNamedMeasures)
        if (!words.contains(asWord(measure.name)))
            words << asWord(measure.name);
    option.values = words;
    OptionRow<ViewRequest> row(std::move(option));
    row.read = [plotted, words](const TypedValue &typed, ViewRequest &request) {
        if (!words.contains(typed.text()))
            throw typed.wrong(words.join(", "));
        request.measure = typed.text();
        if (plotted.words.contains(typed.text()))
            request.choices.measure = plotted.read(typed);
    };
    row.write = [plotted](const ViewRequest &request) -> std::optional<QString> {
        if (!request.measure.isEmpty())
            return request.measure;
        return request.choices.measure ? std::optional(plotted.write(*request.choices.measure))
                                       : std::nullopt;
    };
    return row;
}

OptionRow<ViewRequest> headRow(Option option) {
    static const QStringList summaries{"all", "mean", "max"};
    option.values = summaries;
    OptionRow<ViewRequest> row(std::move(option));
    row.read = [](const TypedValue &typed, ViewRequest &request) {
        if (const qsizetype summary = summaries.indexOf(typed.text()); summary >= 0)
            request.heads = static_cast<HeadChoice>(1 + summary);
        else {
            request.eachHead = indexListCodec().read(typed);
            request.request.head = request.eachHead.indices.front();
        }
    };
    row.write = [](const ViewRequest &request) -> std::optional<QString> {
        if (request.heads != HeadChoice::One)
            return summaries[static_cast<int>(request.heads) - 1];
        if (request.eachHead.isSet())
            return indexListCodec().write(request.eachHead);
        return request.request.head ? std::optional(QString::number(*request.request.head))
                                    : std::nullopt;
    };
    return row;
}

OptionRow<ViewRequest> layerRow(Option option) {
    static const QString all = QStringLiteral("all");
    OptionRow<ViewRequest> row(std::move(option));
    row.read = [](const TypedValue &typed, ViewRequest &request) {
        request.layers = typed.text() == all ? IndexList{true, {}} : indexListCodec().read(typed);
        if (!request.layers.all)
            request.request.layer = request.layers.indices.front();
    };
    row.write = [](const ViewRequest &request) -> std::optional<QString> {
        if (request.layers.isSet())
            return request.layers.all ? all : indexListCodec().write(request.layers);
        return request.request.layer ? std::optional(QString::number(*request.request.layer))
                                     : std::nullopt;
    };
    return row;
}

Codec<LineHeads> lineHeadsCodec() {
    const QString all = QStringLiteral("all");
    return {
        [all](const TypedValue &typed) {
            if (typed.text() == all)
                return LineHeads{true, {}};
            LineHeads heads;
            heads.heads = idsCodec().read(typed);
            std::ranges::sort(heads.heads);
            const auto [end, last] = std::ranges::unique(heads.heads);
            heads.heads.erase(end, last);
            return heads;
        },
        [all](const LineHeads &heads) { return heads.all ? all : idsCodec().write(heads.heads); },
        {all}};
}

Codec<core::LeftOutKeys> leftOutCodec() {
    const QStringList words{"none", "special", "first", "special,first"};
    return {[words](const TypedValue &typed) {
                if (const auto keys = findLeftOutKeys(typed.text()))
                    return *keys;
                throw typed.wrong(words.join(", "));
            },
            [](const core::LeftOutKeys &keys) { return nameOf(keys); }, words};
}

Codec<core::KeptWeights> keptCodec() {
    return {[](const TypedValue &typed) {
                if (const auto kept = findKeptWeights(typed.text()))
                    return *kept;
                throw typed.wrong(
                    CommandLineText::tr("all, a number from 0 to 1, or a share from 0% to 100%"));
            },
            [](const core::KeptWeights &kept) { return nameOf(kept); },
            {"all"}};
}

} // namespace headlight::ui
