#include "ui/figures/base/head_combination.h"

#include "core/format_number.h"

#include <QStringList>

#include <array>
#include <charconv>
#include <string>

namespace headlight::ui {

namespace {

struct NamedKeys {
    const char *name;
    core::LeftOutKeys keys;
};
constexpr std::array<NamedKeys, 4> kNamedKeys{{{"none", {false, false}},
                                               {"special", {true, false}},
                                               {"first", {false, true}},
                                               {"special,first", {true, true}}}};

std::optional<double> numberIn(const QString &text, double most) {
    const std::string bytes = text.toStdString();
    double number = 0;
    const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), number);
    if (error != std::errc() || end != bytes.data() + bytes.size() || !(number >= 0) ||
        number > most)
        return std::nullopt;
    return number;
}

/// Returns the shortest text of `number` times `whole` that is parsed back to the same `number`.
QString shortestText(double number, double whole) {
    for (int digits = 6; digits <= 17; ++digits)
        if (const QString text = QString::fromStdString(core::significant(number * whole, digits));
            text.toDouble() / whole == number)
            return text;
    return QString::fromStdString(core::exactDouble(number * whole)); // exact, with an exponent
}

} // namespace

QString nameOf(const core::LeftOutKeys &keys) {
    for (const NamedKeys &named : kNamedKeys)
        if (named.keys == keys)
            return QLatin1String(named.name);
    return {};
}

std::optional<core::LeftOutKeys> findLeftOutKeys(const QString &name) {
    for (const NamedKeys &named : kNamedKeys)
        if (name == QLatin1String(named.name))
            return named.keys;
    return std::nullopt;
}

QString nameOf(const core::KeptWeights &kept) {
    if (kept.share < 1)
        return shortestText(kept.share, 100) + QLatin1Char('%');
    return kept.least > 0 ? shortestText(kept.least, 1) : QStringLiteral("all");
}

std::optional<core::KeptWeights> findKeptWeights(const QString &name) {
    if (name == QLatin1String("all"))
        return core::KeptWeights();
    if (name.endsWith(QLatin1Char('%'))) {
        const std::optional<double> share = numberIn(name.chopped(1), 100);
        return share ? std::optional(core::KeptWeights{0, *share / 100}) : std::nullopt;
    }
    const std::optional<double> least = numberIn(name, 1);
    return least ? std::optional(core::KeptWeights{*least, 1}) : std::nullopt;
}

QString settingOf(const std::vector<core::Index> &heads) {
    QStringList numbers;
    for (const core::Index head : heads)
        numbers << QString::number(head);
    return numbers.join(QLatin1Char(','));
}

std::vector<core::Index> headsOfSetting(const QString &word) {
    std::vector<core::Index> heads;
    for (const QString &number : word.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const qlonglong head = number.toLongLong(&isNumber);
        if (!isNumber || head < 0 || (!heads.empty() && head <= heads.back()))
            return {};
        heads.push_back(head);
    }
    return heads;
}

core::CombinationRequest HeadCombination::request(const LineHeads &heads, core::Index count) const {
    core::CombinationRequest request;
    request.combination = combination;
    if (!core::isThroughLayers(combination))
        request.heads = heads.of(count, count);
    if (request.heads.empty() && !core::isThroughLayers(combination))
        request.heads = LineHeads{true, {}}.of(count, count);
    if (canMerge()) {
        request.words = words;
        request.leftOut = leftOut;
    }
    request.kept = kept;
    return request;
}

} // namespace headlight::ui
