// Runs the fuzz targets without a fuzzer, on their seeds and on a few dozen damaged copies from a
// fixed random seed. Much shorter than a libFuzzer run (short_run.sh), and uses the same library
// as the tests.
#include "tests/fuzz/folder_seeds.h"
#include "tests/support/long.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace fs = std::filesystem;

#define HEADLIGHT_READERS(each)                                                                    \
    each(session) each(steps) each(figure) each(safetensors) each(npz) each(wav) each(course)      \
        each(vectors) each(text_list) each(tokenizer) each(sentence_piece) each(pretrained)        \
            each(gguf)
#define HEADLIGHT_DECLARED(reader)                                                                 \
    extern "C" int fuzz_##reader(const std::uint8_t *data, std::size_t size);
HEADLIGHT_READERS(HEADLIGHT_DECLARED)

namespace {

struct Reader {
    std::string name;
    int (*read)(const std::uint8_t *, std::size_t);
};

/// Maximum size in bytes. Larger seeds are slow to read and find nothing that smaller ones do not.
constexpr std::uintmax_t kLargestSeed = 200'000;

std::vector<std::string> seedsOf(const std::string &reader) {
    const fs::path tests = fs::path(HEADLIGHT_TEST_DATA).parent_path();
    if (reader == "pretrained")
        return headlight::test::seedsOfFolders(tests / "data/folders");
    std::vector<fs::path> folders{tests / "fuzz/seeds" / reader};
    if (reader == "session" || reader == "steps")
        folders = {tests / "fuzz/seeds/session", tests / "data/sessions"};
    if (reader == "sentence_piece")
        folders = {tests / "data/tokenizers"};
    if (reader == "gguf")
        folders = {tests / "data/gguf"};
    std::vector<fs::path> paths;
    for (const fs::path &folder : folders)
        for (const auto &entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file() && entry.file_size() <= kLargestSeed)
                paths.push_back(entry.path());
    std::ranges::sort(paths);
    std::vector<std::string> seeds;
    for (const fs::path &path : paths)
        seeds.push_back(headlight::test::contentOf(path));
    return seeds;
}

/// Applies one to four changes: flips a bit, sets a byte, removes, repeats or cuts off bytes, or
/// writes a length that is too large.
std::string damaged(std::string bytes, std::mt19937_64 &random) {
    const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
    for (std::size_t change = 1 + below(4); change > 0 && !bytes.empty(); --change) {
        const std::size_t at = below(bytes.size());
        const std::size_t length = 1 + below(std::min<std::size_t>(bytes.size() - at, 64));
        switch (below(6)) {
        case 0:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        case 1:
            bytes[at] = static_cast<char>(below(256));
            break;
        case 2:
            bytes.erase(at, length);
            break;
        case 3:
            bytes.insert(at, bytes.substr(at, length));
            break;
        case 4:
            bytes.resize(at);
            break;
        case 5:
            std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                        std::min<std::size_t>(length, 8), '\xFF');
            break;
        }
    }
    return bytes;
}

} // namespace

int main() {
#define HEADLIGHT_LISTED(reader) Reader{#reader, fuzz_##reader},
    const Reader readers[]{HEADLIGHT_READERS(HEADLIGHT_LISTED)};
    const int times = headlight::test::isLong() ? 1000 : 30;
    for (const Reader &reader : readers) {
        const std::vector<std::string> seeds = seedsOf(reader.name);
        if (seeds.empty()) {
            std::printf("%s has no seeds\n", reader.name.c_str());
            return 1;
        }
        std::mt19937_64 random(1);
        for (const std::string &whole : seeds) {
            for (int time = 0; time <= times; ++time) {
                const std::string bytes = time == 0 ? whole : damaged(whole, random);
                reader.read(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
            }
        }
        std::printf("%s: %zu seeds, each as it is and damaged %d times\n", reader.name.c_str(),
                    seeds.size(), times);
        std::fflush(stdout);
    }
}
