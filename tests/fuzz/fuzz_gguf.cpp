// Reads arbitrary bytes as a GGUF file. Expects an error with a message, or a model that can be
// computed or gives an error, and a tokenizer whose tokens are in the vocabulary.
#include "core/formats/gguf/gguf_file.h"
#include "core/formats/gguf/gguf_tokenizer.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "core/tokenizers/text/unicode.h"
#include "tests/fuzz/bytes_as_file.h"
#include "tests/fuzz/hold.h"
#include "tests/support/forward.h"

#include <string_view>

using namespace headlight::core;
using headlight::test::forward;

namespace {

constexpr std::string_view kWords = "The cAt é 漢字 <s> abc 12 [MASK]";
constexpr std::size_t kReadBytes = 4096; // read at each end of a tensor

void tryTokenizer(const GgufFile &file) {
    const auto read = readGgufTokenizer(file);
    if (!read)
        return hold(!read.error().what.empty() && !read.error().where.empty());
    const auto tokens = (*read)->encode(kWords, SpecialTokens::Added);
    if (!tokens)
        return hold(!tokens.error().what.empty());
    std::vector<Index> ids;
    for (const Token &token : *tokens) {
        hold(token.id && *token.id >= 0 && *token.id < (*read)->size());
        ids.push_back(*token.id);
    }
    const auto text = (*read)->decode(ids, SpecialTokens::Added);
    hold(text ? !firstInvalidByte(*text) : !text.error().what.empty());
}

/// Reads the start and the end of every tensor.
void tryTensors(const GgufFile &file) {
    std::vector<std::byte> bytes(kReadBytes);
    for (const GgufTensor &tensor : file.tensors()) {
        const auto floats = file.floatsOf(tensor);
        hold(floats.ok());
        const std::uint64_t size = std::min<std::uint64_t>((*floats)->size(), kReadBytes);
        for (const std::uint64_t offset : {std::uint64_t(0), (*floats)->size() - size})
            if (const Outcome read = (*floats)->read(offset, std::span(bytes).first(size)); !read)
                hold(!read.error().what.empty());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string path = bytesAsFile(data, size, ".gguf");
    const auto file = GgufFile::open(path);
    const auto read = readPretrained(path);
    for (const Error &problem : inspectPretrained(path).problems)
        hold(!problem.what.empty() && !problem.where.empty() && !read);
    if (!file) {
        hold(!file.error().what.empty() && !read);
        return 0;
    }
    tryTensors(*file);
    tryTokenizer(*file);
    if (!read)
        return 0;
    const auto first = firstComputable(**read);
    if (!first) {
        hold(!first.error().what.empty());
        return 0;
    }
    const auto trace = forward(*first);
    hold(trace || !trace.error().what.empty());
    return 0;
}
