// Writes the generated parts of docs/session-file.schema.json and docs/session-file.md. Run after a
// change of a field table: session_docs DOCS
#include "core/formats/session/fields/schema.h"

#include <fstream>
#include <iterator>

int main(int count, char **words) {
    if (count != 2)
        return 2;
    const std::string folder = words[1];
    std::ofstream(folder + "/session-file.schema.json", std::ios::binary)
        << headlight::core::sessionSchema();
    std::ifstream file(folder + "/session-file.md", std::ios::binary);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    std::ofstream(folder + "/session-file.md", std::ios::binary)
        << headlight::core::withFieldTables(page);
}
