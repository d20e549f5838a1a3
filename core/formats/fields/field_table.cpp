#include "core/formats/fields/field_table.h"

namespace headlight::core {

namespace {

/// Returns the valid values with the default marked, such as `"adamw"` (default) or `"sgd"`.
std::string limitsWithDefault(const FieldInfo &row) {
    if (row.usual.empty() || row.usual == "[]" || row.usual == "{}" || row.usual == "\"\"")
        return row.limits;
    const std::string quoted = row.usual.front() == '"' ? "`" + row.usual + "`" : row.usual;
    if (const std::size_t at = row.limits.find(quoted);
        quoted.front() == '`' && at != row.limits.npos)
        return std::string(row.limits).insert(at + quoted.size(), " (default)");
    return row.limits + ", default " + quoted;
}

/// Escapes the characters that separate table cells in Markdown.
std::string cellOf(const std::string &text) {
    std::string cell;
    for (const char c : text)
        (c == '|' ? cell += '\\' : cell) += c;
    return cell;
}

} // namespace

std::string schemaReference(std::string_view definition) {
    return jsonObject({{"$ref", jsonText("#/$defs/" + std::string(definition))}});
}

std::string schemaOf(const TableInfo &table) {
    std::vector<std::string> required;
    std::vector<JsonMemberText> properties;
    for (const FieldInfo &row : table.rows) {
        properties.push_back(
            {row.name, row.words.empty()
                           ? row.schema
                           : spliced(row.schema, {{"description", jsonText(row.words)}})});
        if (row.isRequired)
            required.push_back(jsonText(row.name));
    }
    std::vector<JsonMemberText> members{{"type", "\"object\""}};
    if (!required.empty())
        members.push_back({"required", jsonArray(required)});
    members.push_back({"properties", jsonObject(properties)});
    members.insert(members.end(), table.constraints.begin(), table.constraints.end());
    return jsonObject(members);
}

std::string markdownOf(const TableInfo &table) {
    std::string text = "| field | | |\n|---|---|---|\n";
    for (const FieldInfo &row : table.rows)
        text += "| `" + row.name + "`" + (row.version > 1 ? "²" : "") + " | " +
                (row.isRequired ? "required, " : "") + cellOf(limitsWithDefault(row)) + " | " +
                cellOf(row.words) + " |\n";
    return text;
}

} // namespace headlight::core
