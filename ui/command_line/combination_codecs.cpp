#include "ui/command_line/combination_codecs.h"

#include <algorithm>

namespace headlight::ui {

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
