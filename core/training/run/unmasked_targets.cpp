#include "core/training/run/unmasked_targets.h"

namespace headlight::core {

namespace {

/// True if tokens before the last one have targets, and each of these targets is the next token.
bool asksForTheNext(const Example &example) {
    bool asks = false;
    for (std::size_t i = 0; i + 1 < example.tokens.size(); ++i) {
        if (example.answers[i] == kLeftOut)
            continue;
        if (example.answers[i] != example.tokens[i + 1])
            return false;
        asks = true;
    }
    return asks;
}

} // namespace

bool seesTargets(const TaskInfo &task, const Architecture &architecture) {
    return !architecture.masked &&
           (task.asks == TargetPositions::NextToken || task.asks == TargetPositions::Translation);
}

void leaveOutLast(std::vector<Example> &examples) {
    for (Example &example : examples)
        if (asksForTheNext(example)) {
            example.answers.back() = kLeftOut;
            if (!example.rules.empty())
                example.rules.back() = kLeftOut;
        }
}

std::vector<Example> asWritten(const Example &example) {
    std::vector<Example> parts;
    for (std::size_t i = 0; i < example.answers.size(); ++i) {
        if (!countsAt(example, i))
            continue;
        Example &part = parts.emplace_back();
        part.tokens.assign(example.tokens.begin(),
                           example.tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        part.source = example.source;
        part.answers.assign(i, kLeftOut);
        part.answers.push_back(example.answers[i]);
    }
    return parts;
}

} // namespace headlight::core
