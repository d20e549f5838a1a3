#include "core/formats/tokenizer/tokenizer_json.h"

#include "core/formats/json/reader.h"
#include "core/formats/tokenizer/json_parts.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Limits on the number of values and bytes of text in the processing steps, because each step
/// takes time and may lengthen the text. Published files have a few dozen values and a few hundred
/// bytes. SentencePiece's table is excluded.
constexpr std::size_t kMaxValues = 4096, kMaxSampleBytes = std::size_t(128) << 10;
constexpr std::string_view kTable = "precompiled_charsmap";

struct Extents {
    std::size_t values = 0, bytes = 0;
    bool isTooMuch() const { return values > kMaxValues || bytes > kMaxSampleBytes; }

    void add(const JsonValue &value) {
        ++values;
        if (isTooMuch())
            return;
        switch (value.kind) {
        case JsonValue::Kind::String:
            bytes += value.text().size();
            break;
        case JsonValue::Kind::Array:
            for (const JsonValue &each : value.elements()) {
                if (isTooMuch())
                    return;
                add(each);
            }
            break;
        case JsonValue::Kind::Object:
            for (const JsonMember &member : value.members()) {
                if (isTooMuch())
                    return;
                bytes += member.name.size();
                if (member.name != kTable)
                    add(member.value);
            }
            break;
        default:
            break;
        }
    }
};

/// Checks the limits before building the steps.
void checkExtents(const Field &root) {
    for (const char *name : {"normalizer", "pre_tokenizer", "post_processor", "decoder"}) {
        const Field part = root.member(name);
        if (!part.present())
            continue;
        Extents extents;
        extents.add(part.value());
        if (extents.values > kMaxValues)
            part.fail({"it has more than %1 values", kMaxValues}, "use a tokenizer that you trust");
        else if (extents.isTooMuch())
            part.fail({"its texts are longer than %1 bytes", kMaxSampleBytes},
                      "use a tokenizer that you trust");
    }
}

} // namespace

Result<TokenizerPointer> readTokenizerJson(std::string_view json, std::stop_token stop) try {
    const Result<JsonValue> document = readJson(json, stop);
    if (!document)
        return document.error();
    Reading reading;
    reading.stop = StopCheck(stop);
    const Field root(&*document, "", reading);
    PipelineParts parts;
    if (root.isObject())
        checkExtents(root);
    if (root.isObject() && reading.problems.empty()) {
        parts.added = readAddedTokens(root.member("added_tokens"));
        parts.normalizer = readNormalizer(root.member("normalizer"));
        parts.preTokenizer = readPreTokenizer(root.member("pre_tokenizer"));
        parts.post = readPostProcessing(root.member("post_processor"));
        parts.model = readTokenModel(root.member("model"));
        parts.decoder = readDecoder(root.member("decoder"));
    }
    if (!reading.problems.empty())
        return reading.problems.front();
    return makeTokenizer(std::move(parts), stop);
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to read it", "", "close other programs"};
}

} // namespace headlight::core
