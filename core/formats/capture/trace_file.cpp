#include "core/formats/capture/trace_file.h"

#include "core/formats/capture/capture.h"
#include "core/formats/files/io_error.h"
#include "core/formats/safetensors/safetensors.h"
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
        lists.push_back(textsOf(sequence.tokens));
    return lists.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

constexpr std::string_view kHeadOutputs = "head_outputs";

/// What the trace holds, and what each head adds where it is asked for by its name: it is as large
/// as all else of its layer, so that no pattern like * means it.
std::vector<std::string> namesFor(const Trace &trace, std::string_view pattern) {
    std::vector<std::string> names;
    for (const std::string &name : trace.names()) {
        const auto at = findStageAnywhere(name);
        if (pattern.ends_with(kHeadOutputs) && at && at->stage == Stage::Output &&
            trace.has(Stage::HeadOutputs, at->site))
            names.push_back(stageName(Stage::HeadOutputs, at->site));
        names.push_back(name);
    }
    return names;
}

Error noneFits(std::string_view pattern, const Trace &trace) {
    std::string names;
    for (const std::string &name : namesFor(trace, kHeadOutputs))
        names += (names.empty() ? "" : ", ") + name;
    return {"no stage fits " + inQuotes(pattern), "stage", "there are " + names};
}

} // namespace

Result<std::string> serializeTrace(const Trace &trace, std::string_view pattern) {
    std::vector<NamedTensor> tensors;
    for (const std::string &name : namesFor(trace, pattern))
        if (fits(pattern, name))
            tensors.push_back({name, trace.stage(name)});
    if (tensors.empty())
        return noneFits(pattern, trace);
    Metadata metadata{{"format", "headlight-trace"}, {"headlight", std::string(version())}};
    const BatchPointer &source = trace.input().source;
    metadata[source ? "target_tokens" : "tokens"] = tokensJson(trace.batch());
    if (source)
        metadata["source_tokens"] = tokensJson(*source);
    const Config &config = trace.model().config;
    if (!config.softmax || config.masking.afterSoftmax)
        metadata[std::string(kRowSums)] = "any";
    return safetensorsBytes(tensors, metadata);
}

} // namespace headlight::core
