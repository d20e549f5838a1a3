#include "core/tokenizers/models/token_model.h"

#include <array>
#include <cstdio>

namespace headlight::core {

std::optional<std::vector<Index>> byteTokensOf(const TokenList &tokens) {
    std::vector<Index> ids;
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::array<char, 8> name{};
        std::snprintf(name.data(), name.size(), "<0x%02X>", byte);
        const auto id = tokens.idOf(name.data());
        if (!id)
            return std::nullopt;
        ids.push_back(*id);
    }
    return ids;
}

} // namespace headlight::core
