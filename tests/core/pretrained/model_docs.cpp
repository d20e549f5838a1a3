// Writes the tables of docs/pretrained.md. Run after a change of a family: model_docs DOCS
#include "pretrained/model_tables.h"

#include <fstream>
#include <iostream>
#include <iterator>

int main(int count, char **words) {
    if (count != 2)
        return 2;
    const std::string path = std::string(words[1]) + "/pretrained.md";
    std::ifstream file(path, std::ios::binary);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::string made = headlight::core::test::withModelTables(page);
    if (made.empty()) {
        std::cerr << path << ": it has no place for the tables\n";
        return 1;
    }
    std::ofstream(path, std::ios::binary) << made;
}
