#include "core/formats/tokenizer/tokenizer_json.h"

#include "core/formats/json/reader.h"
#include "core/formats/tokenizer/json_parts.h"

namespace headlight::core {

Result<TokenizerPointer> readTokenizerJson(std::string_view json, std::stop_token stop) try {
    const Result<JsonValue> document = readJson(json, stop);
    if (!document)
        return document.error();
    Reading reading;
    reading.stop = StopCheck(std::move(stop));
    const Field root(&*document, "", reading);
    PipelineParts parts;
    if (root.isObject()) {
        parts.added = readAddedTokens(root.member("added_tokens"));
        parts.normalizer = readNormalizer(root.member("normalizer"));
        parts.preTokenizer = readPreTokenizer(root.member("pre_tokenizer"));
        parts.post = readPostProcessing(root.member("post_processor"));
        parts.model = readTokenModel(root.member("model"));
        parts.decoder = readDecoder(root.member("decoder"));
    }
    if (!reading.problems.empty())
        return reading.problems.front();
    return makeTokenizer(std::move(parts));
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to read it", "", "close other programs"};
}

} // namespace headlight::core
