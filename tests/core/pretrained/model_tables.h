// The tables of docs/pretrained.md: families, and architectures of GGUF. The program model_docs
// writes them, and tst_model_tables compares them.
#pragma once

#include "core/formats/pretrained/family/family.h"
#include "core/formats/pretrained/gguf/architecture.h"

#include <string>
#include <string_view>

namespace headlight::core::test {

inline std::string familyTable() {
    std::string table = "| `model_type` | | paper |\n|---|---|---|\n";
    for (const Family *family : families()) {
        std::string types;
        for (const std::string_view type : family->modelTypes)
            types += (types.empty() ? "`" : ", `") + std::string(type) + "`";
        table += "| " + types + " | " + std::string(family->notes) + " | " +
                 std::string(family->paper) + " |\n";
    }
    return table;
}

inline std::string architectureTable() {
    std::string table = "| `general.architecture` | opened as |\n|---|---|\n";
    for (const GgufArchitecture *each : ggufArchitectures())
        table += "| `" + std::string(each->name) + "` | " + std::string(each->notes) + " |\n";
    return table;
}

/// Returns `page` with the text between `begin` and the next `<!-- end -->` replaced by `table`, or
/// an empty text if it has no such markers.
inline std::string withTable(const std::string &page, const std::string &begin,
                             const std::string &table) {
    const std::size_t at = page.find(begin);
    const std::size_t end = page.find("<!-- end -->", at == page.npos ? page.size() : at);
    if (end == page.npos)
        return "";
    return page.substr(0, at + begin.size()) + table + page.substr(end);
}

inline std::string withModelTables(const std::string &page) {
    return withTable(withTable(page, "<!-- families -->\n", familyTable()),
                     "<!-- architectures -->\n", architectureTable());
}

} // namespace headlight::core::test
