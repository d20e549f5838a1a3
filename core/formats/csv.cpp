#include "core/formats/csv.h"

#include "core/format_number.h"

namespace headlight::core {

std::string csvField(std::string_view text, char separator) {
    const bool bare =
        text.find_first_of("\"\r\n") == text.npos && text.find(separator) == text.npos;
    const bool padded = !text.empty() && (text.front() == ' ' || text.back() == ' ');
    if (bare && !padded)
        return std::string(text);
    std::string field = "\"";
    for (const char c : text)
        field.append(c == '"' ? 2 : 1, c);
    return field + '"';
}

std::string toCsv(const LabelledMatrix &table, char separator) {
    assert(static_cast<Index>(table.rowLabels.size()) == table.matrix.rows);
    assert(static_cast<Index>(table.columnLabels.size()) == table.matrix.columns);
    std::string text = csvField(table.corner, separator);
    for (const std::string &label : table.columnLabels)
        text += separator + csvField(label, separator);
    text += "\r\n";
    for (Index r = 0; r < table.matrix.rows; ++r) {
        text += csvField(table.rowLabels[static_cast<std::size_t>(r)], separator);
        for (const float value : table.matrix.row(r))
            text += separator + exact(value);
        text += "\r\n";
    }
    return text;
}

Result<std::vector<std::vector<std::string>>> readCsv(std::string_view text, char separator) {
    std::vector<std::vector<std::string>> lines;
    std::vector<std::string> line;
    std::size_t at = 0;
    const auto wrong = [&](const char *what) {
        return Error{what, "line " + std::to_string(lines.size() + 1), ""};
    };
    while (at < text.size()) {
        std::string field;
        if (text[at] == '"') {
            for (++at;; ++at) {
                if (at == text.size())
                    return wrong("a quote is never closed");
                if (text[at] == '"' && (++at == text.size() || text[at] != '"'))
                    break;
                field += text[at];
            }
        } else {
            while (at < text.size() && text[at] != separator && text[at] != '\n')
                field += text[at++];
            if (at < text.size() && text[at] == '\n' && !field.empty() && field.back() == '\r')
                field.pop_back();
        }
        if (text.substr(at, 2) == "\r\n")
            ++at;
        line.push_back(std::move(field));
        if (at < text.size() && text[at] == separator) {
            if (++at < text.size())
                continue;
            line.emplace_back(); // the field after a trailing separator is empty
        } else if (at < text.size() && text[at] != '\n') {
            return wrong("there is text after a closing quote");
        } else {
            ++at;
        }
        lines.push_back(std::exchange(line, {}));
    }
    return lines;
}

} // namespace headlight::core
