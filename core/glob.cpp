#include "core/glob.h"

namespace headlight::core {

bool matchesGlob(std::string_view pattern, std::string_view text) {
    // Backtracking only to the last star suffices and avoids exponential time for hostile patterns.
    std::size_t p = 0, t = 0;
    std::size_t star = std::string_view::npos, starText = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            starText = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++starText;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

} // namespace headlight::core
