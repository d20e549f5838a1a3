#include "core/formats/capture/trace_file.h"

#include "core/cancelled.h"
#include "core/formats/capture/capture.h"
#include "core/formats/files/io_error.h"
#include "core/glob.h"
#include "core/version.h"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

namespace headlight::core {

namespace {

bool fits(std::string_view pattern, std::string_view name) {
    return matchesGlob(pattern, name) ||
           matchesGlob(pattern, name.substr(name.rfind('.') + 1)); // npos + 1 is 0: the whole name
}

std::string tokensJson(const Batch &batch) {
    nlohmann::json lists = nlohmann::json::array();
    for (const Sequence &sequence : batch.sequences())
        lists.push_back(textsOf(sequence.tokens));
    return lists.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

constexpr std::string_view kHeadOutputs = "head_outputs";

/// Returns the names of all stages in the trace. Includes the outputs of single heads only if the
/// pattern names them, because they are as large as the rest of the layer.
std::vector<std::string> namesFor(const Trace &trace, std::string_view pattern) {
    std::vector<std::string> names;
    for (const std::string &name : trace.names()) {
        const auto at = findStageAnywhere(name);
        if (pattern.ends_with(kHeadOutputs) && at && at->stage == Stage::Output &&
            trace.has(Stage::HeadOutputs, at->attention))
            names.push_back(stageName(Stage::HeadOutputs, at->attention));
        names.push_back(name);
    }
    return names;
}

Error noneFits(std::string_view pattern, const Trace &trace) {
    std::string names;
    for (const std::string &name : namesFor(trace, kHeadOutputs))
        names += (names.empty() ? "" : ", ") + name;
    return {{"no stage matches %1", inQuotes(pattern)}, "stage", {"there are %1", names}};
}

/// Writes the values in file order, one matrix or block of rows at a time.
Outcome giveNumbers(const Trace &trace, StepId id, const TensorToWrite::Numbers &take,
                    const std::stop_token &stop) {
    constexpr Index kAtOnce = Index(1) << 18; // numbers per write
    const Step &step = trace.plan()[id];
    for (Index b = 0; b < step.sequences(); ++b)
        for (Index h = 0; h < step.heads(); ++h) {
            const Outcome written = trace.inBlocks(
                id, b, h,
                [&](Index, MatrixView made) -> Outcome {
                    const Index atOnce =
                        std::max<Index>(1, kAtOnce / std::max<Index>(1, made.columns));
                    for (Index first = 0; first < made.rows; first += atOnce) {
                        if (stop.stop_requested())
                            return cancelled();
                        const MatrixView rows =
                            made.rowBlock(first, std::min(atOnce, made.rows - first));
                        if (Outcome taken = take(
                                {rows.data, static_cast<std::size_t>(rows.rows * rows.columns)});
                            !taken)
                            return taken;
                    }
                    return Done{};
                },
                stop);
            if (!written)
                return written;
        }
    return Done{};
}

} // namespace

Outcome writeTrace(const Trace &trace, std::string_view pattern, const ByteSink &sink,
                   std::stop_token stop) {
    std::vector<TensorToWrite> tensors;
    for (const std::string &name : namesFor(trace, pattern)) {
        if (!fits(pattern, name))
            continue;
        const StepId id = *trace.plan().find(*findStageAnywhere(name));
        tensors.push_back(
            {name, trace.plan()[id].shape, [&trace, id, &stop](const TensorToWrite::Numbers &take) {
                 return giveNumbers(trace, id, take, stop);
             }});
    }
    if (tensors.empty())
        return noneFits(pattern, trace);
    Metadata metadata{{"format", "headlight-trace"}, {"headlight", std::string(version())}};
    const BatchPointer &source = trace.input().source;
    metadata[source ? "target_tokens" : "tokens"] = tokensJson(trace.batch());
    if (source)
        metadata["source_tokens"] = tokensJson(*source);
    const Config &config = trace.model().config;
    const bool hasSinks =
        std::ranges::any_of(trace.model().attentions(), [&trace](const AttentionId &attention) {
            return trace.model().hasSinks(attention);
        });
    if (!config.softmax || config.masking.afterSoftmax || hasSinks)
        metadata[std::string(kRowSums)] = "any";
    return writeSafetensors(tensors, metadata, sink);
}

Result<std::string> serializeTrace(const Trace &trace, std::string_view pattern) try {
    std::string bytes;
    const Outcome written = writeTrace(trace, pattern, [&bytes](std::string_view piece) -> Outcome {
        bytes += piece;
        return Done{};
    });
    if (!written)
        return written.error();
    return bytes;
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the file", "", "choose fewer stages"};
}

} // namespace headlight::core
