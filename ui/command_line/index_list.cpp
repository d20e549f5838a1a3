#include "ui/command_line/index_list.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr const char *kIndexList =
    QT_TRANSLATE_NOOP("CommandLine", "a whole number of at least 0, or several such as 0-3,5");

/// The error has the whole list, because a part of it may be empty.
core::Index listedIndex(const TypedValue &typed, const QString &digits) try {
    const auto index = parsedNumber<core::Index>({typed.option, digits, {}}, kIndexList);
    if (index < 0)
        throw typed.wrong(CommandLineText::tr(kIndexList));
    return index;
} catch (const OptionError &) {
    throw typed.wrong(CommandLineText::tr(kIndexList));
}

} // namespace

Codec<IndexList> indexListCodec() {
    return {
        [](const TypedValue &typed) {
            IndexList list;
            for (const QString &part : typed.text().split(',')) {
                const qsizetype dash = part.indexOf('-', 1); // not a sign
                const core::Index first = listedIndex(typed, dash < 0 ? part : part.left(dash));
                const core::Index last = dash < 0 ? first : listedIndex(typed, part.mid(dash + 1));
                if (last < first ||
                    last - first >= static_cast<core::Index>(kMaxListed - list.indices.size()))
                    throw typed.wrong(CommandLineText::tr(kIndexList));
                for (core::Index offset = 0; offset <= last - first; ++offset)
                    if (std::ranges::count(list.indices, first + offset) == 0)
                        list.indices.push_back(first + offset);
            }
            return list;
        },
        [](const IndexList &list) {
            return eachOf(list.indices, [](core::Index index) { return QString::number(index); })
                .join(',');
        }};
}

} // namespace headlight::ui
