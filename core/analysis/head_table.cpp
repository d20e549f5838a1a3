#include "core/analysis/head_table.h"

#include "core/formats/csv.h"

#include <cmath>

namespace headlight::core {

HeadTable measuresAsTable(const std::vector<HeadOfTrace> &heads,
                          std::span<const NamedMeasure> measures) {
    HeadTable table;
    for (const NamedMeasure &each : measures)
        table.columns.emplace_back(each.name);
    for (const HeadOfTrace &head : heads) {
        HeadRow row{head.attention, head.head, {}};
        for (const NamedMeasure &each : measures)
            row.numbers.push_back(head.measures.*each.measure);
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string csvOf(const HeadTable &table) {
    constexpr const char *kEndOfLine = "\r\n";
    std::string text = "stack,block,layer,head";
    for (const std::string &column : table.columns)
        text += ',' + column;
    if (!table.wordColumn.empty())
        text += ',' + table.wordColumn;
    text += kEndOfLine;
    for (const HeadRow &row : table.rows) {
        text += std::string(wordOf(row.attention.stack)) + ',' +
                std::string(wordOf(row.attention.block)) + ',' +
                std::to_string(row.attention.layer) + ',' + std::to_string(row.head);
        for (const auto &number : row.numbers)
            text += ',' + (number && std::isfinite(*number) ? jsonNumberOf(number) : std::string());
        if (!table.wordColumn.empty())
            text += ',' + csvField(row.word);
        text += kEndOfLine;
    }
    return text;
}

std::string measuresAsJson(const HeadTable &table) {
    std::vector<std::string> heads;
    for (const HeadRow &row : table.rows) {
        std::vector<JsonMemberText> measures;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            measures.push_back({table.columns[i], jsonNumberOf(row.numbers[i])});
        std::vector<JsonMemberText> members = headMembers(row);
        members.push_back({"measures", jsonObject(measures)});
        heads.push_back(jsonObject(members));
    }
    return jsonArray(heads, "\n ") + '\n';
}

std::vector<JsonMemberText> headMembers(const HeadRow &row) {
    return {{"stack", jsonText(wordOf(row.attention.stack))},
            {"block", jsonText(wordOf(row.attention.block))},
            {"layer", std::to_string(row.attention.layer)},
            {"head", std::to_string(row.head)}};
}

std::string jsonNumberOf(const std::optional<double> &number) {
    return number && std::isfinite(*number) ? jsonNumber(static_cast<float>(*number)) : "null";
}

} // namespace headlight::core
