#include "ui/command_line/head_names.h"

#include "core/format_number.h"

#include <cmath>

namespace headlight::ui {

namespace {

constexpr const char *kNamedHeads = QT_TRANSLATE_NOOP(
    "CommandLine", "LAYER.HEAD, several separated by commas, such as 9.9,9.6 or encoder.0.3");
constexpr const char *kNamedHead =
    QT_TRANSLATE_NOOP("CommandLine", "a single LAYER.HEAD, such as 9.9 or encoder.0.3");
constexpr const char *kNamedScaledHeads = QT_TRANSLATE_NOOP(
    "CommandLine", "LAYER.HEAD=FACTOR, several separated by commas, such as 9.9=0.5");

/// Returns the comma-separated words of all occurrences of the option.
QStringList eachTyped(const TypedValue &typed) {
    QStringList words;
    for (const QString &one : typed.all)
        words << TypedValue{typed.option, one, {}}.text().split(',');
    return words;
}

HeadName headNamed(const TypedValue &typed, const char *expected) {
    HeadName name;
    QStringList parts = typed.text().split('.');
    for (const core::Stack stack : {core::Stack::Encoder, core::Stack::Decoder})
        if (parts.first() == asWord(core::wordOf(stack)))
            name.stack = stack;
    if (name.stack)
        parts.removeFirst();
    if (!parts.isEmpty())
        for (const core::Block block : {core::Block::SelfAttention, core::Block::CrossAttention})
            if (parts.first() == asWord(core::wordOf(block)))
                name.block = block;
    if (name.block)
        parts.removeFirst();
    if (parts.size() != 2)
        throw typed.wrong(CommandLineText::tr(expected));
    const auto number = [&](const QString &digits) {
        const TypedValue part{typed.option, digits, {}};
        return static_cast<core::Index>(parsedNumber<quint32>(part, expected));
    };
    name.layer = number(parts[0]);
    name.head = number(parts[1]);
    return name;
}

QString writtenHead(const HeadName &name) {
    QString text;
    if (name.stack)
        text += asWord(core::wordOf(*name.stack)) + '.';
    if (name.block)
        text += asWord(core::wordOf(*name.block)) + '.';
    return text + QString("%1.%2").arg(name.layer).arg(name.head);
}

} // namespace

HeadName headNameOf(core::AttentionId attention, core::Index head, const core::Model &model) {
    HeadName name;
    name.layer = attention.layer;
    name.head = head;
    if (attention.stack != model.mainStack())
        name.stack = attention.stack;
    if (attention.block == core::Block::CrossAttention)
        name.block = attention.block;
    return name;
}

QString textOf(const HeadName &name) {
    return writtenHead(name);
}

std::optional<HeadName> findHeadName(const QString &text) {
    try {
        return headNamed({"pin", text, {}}, kNamedHeads);
    } catch (const OptionError &) {
        return std::nullopt;
    }
}

Codec<std::vector<HeadName>> headNamesCodec() {
    return {
        [](const TypedValue &typed) {
            std::vector<HeadName> names;
            for (const QString &word : eachTyped(typed))
                names.push_back(headNamed({typed.option, word, {}}, kNamedHeads));
            return names;
        },
        [](const std::vector<HeadName> &names) { return eachOf(names, writtenHead).join(','); }};
}

Codec<HeadName> headNameCodec() {
    return {[](const TypedValue &typed) { return headNamed(typed, kNamedHead); }, writtenHead};
}

Codec<std::vector<ScaledHead>> scaledHeadsCodec() {
    return {[](const TypedValue &typed) {
                std::vector<ScaledHead> scaled;
                for (const QString &word : eachTyped(typed)) {
                    const TypedValue whole{typed.option, word, {}};
                    if (word.count('=') != 1)
                        throw whole.wrong(CommandLineText::tr(kNamedScaledHeads));
                    const TypedValue name{typed.option, word.section('=', 0, 0), {}};
                    const TypedValue factor{typed.option, word.section('=', 1), {}};
                    scaled.push_back({headNamed(name, kNamedScaledHeads),
                                      parsedNumber<float>(factor, kNamedScaledHeads)});
                    if (!std::isfinite(scaled.back().factor))
                        throw whole.wrong(CommandLineText::tr(kNamedScaledHeads));
                }
                return scaled;
            },
            [](const std::vector<ScaledHead> &scaled) {
                return eachOf(scaled,
                              [](const ScaledHead &each) {
                                  return writtenHead(each.head) + '=' +
                                         QString::fromStdString(core::exact(each.factor));
                              })
                    .join(',');
            }};
}

} // namespace headlight::ui
