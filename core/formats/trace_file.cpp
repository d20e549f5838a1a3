#include "core/formats/trace_file.h"

#include "core/formats/io_error.h"
#include "core/formats/safetensors.h"
#include "core/glob.h"
#include "core/version.h"

#include <nlohmann/json.hpp>

namespace headlight::core {

namespace {

bool fits(std::string_view pattern, std::string_view name) {
    return matchesGlob(pattern, name) ||
           matchesGlob(pattern, name.substr(name.rfind('.') + 1)); // npos + 1 is 0: all of it
}

std::string tokensJson(const Batch &batch) {
    nlohmann::json lists = nlohmann::json::array();
    for (const Sequence &sequence : batch.sequences())
        lists.push_back(sequence.tokens);
    return lists.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Error noneFits(std::string_view pattern, const Trace &trace) {
    std::string names;
    for (const std::string &name : trace.names())
        names += (names.empty() ? "" : ", ") + name;
    return {"no stage fits " + inQuotes(pattern), "stage", "there are " + names};
}

} // namespace

Result<std::string> serializeTrace(const Trace &trace, std::string_view pattern) {
    std::vector<NamedTensor> tensors;
    for (const std::string &name : trace.names())
        if (fits(pattern, name))
            tensors.push_back({name, trace.stage(name)});
    if (tensors.empty())
        return noneFits(pattern, trace);
    Metadata metadata{{"format", "headlight-trace"}, {"headlight", std::string(version())}};
    const BatchPointer &source = trace.input().source;
    metadata[source ? "target_tokens" : "tokens"] = tokensJson(trace.batch());
    if (source)
        metadata["source_tokens"] = tokensJson(*source);
    return safetensorsBytes(tensors, metadata);
}

} // namespace headlight::core
