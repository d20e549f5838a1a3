#include "app/head_table.h"

#include "app/text_table.h"
#include "app/words.h"
#include "core/format_number.h"

#include <algorithm>
#include <cmath>

namespace headlight::app {

namespace {

std::string stackOf(const core::AttentionId &attention) {
    return std::string(core::wordOf(attention.stack));
}

std::string blockOf(const core::AttentionId &attention) {
    return std::string(core::wordOf(attention.block));
}

/// True if `of` returns different values for some rows.
template <typename Of>
bool differs(const HeadTable &table, Of of) {
    return std::ranges::any_of(table.rows, [&](const HeadRow &row) {
        return of(row.attention) != of(table.rows.front().attention);
    });
}

bool exists(const std::optional<double> &number) {
    return number && std::isfinite(*number);
}

QString shown(const std::string &text) {
    return QString::fromStdString(text);
}

} // namespace

QString textOf(const HeadTable &table) {
    const bool hasStacks = differs(table, stackOf), hasBlocks = differs(table, blockOf);
    QStringList heading;
    if (hasStacks)
        heading << Words::tr("stack");
    if (hasBlocks)
        heading << Words::tr("block");
    const qsizetype names = heading.size();
    heading << Words::tr("layer") << Words::tr("head");
    for (const std::string &column : table.columns)
        heading << shown(column);
    if (!table.wordColumn.empty())
        heading << shown(table.wordColumn);
    QList<QStringList> lines{heading};
    for (const HeadRow &row : table.rows) {
        QStringList line;
        if (hasStacks)
            line << shown(stackOf(row.attention));
        if (hasBlocks)
            line << shown(blockOf(row.attention));
        line << QString::number(row.attention.layer) << QString::number(row.head);
        for (const auto &number : row.numbers)
            line << (exists(number) ? shown(core::fixed(*number, 4)) : QStringLiteral("—"));
        if (!table.wordColumn.empty())
            line << shown(row.word);
        lines << line;
    }
    return inColumns(lines, names);
}

} // namespace headlight::app
