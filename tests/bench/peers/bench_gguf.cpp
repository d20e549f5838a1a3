// Our side of `llama`: complete passes with the model of a GGUF file or a folder.
//
//     bench_gguf MODEL TURNS
//
// Prints a line of JSON with the best milliseconds for 16 tokens at once ("text") and for one token
// after them ("word"). These passes keep the ends of the layers, as for long texts. "text_kept" and
// "word_kept" are for passes that keep every stage, as in the window.
#include "core/formats/pretrained/pretrained_folder.h"
#include "core/transformer/run/forward.h"
#include "tests/bench/peers/must.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <limits>

using namespace headlight;
using core::Index;

namespace {

constexpr Index kTokens = 16, kIds = 8; // as in llama_pass.mjs

/// Returns the first `count` tokens of the text.
core::Computable inputOf(const core::PretrainedFolder &folder, Index count) {
    core::TokenizedText text;
    for (Index i = 0; i < count; ++i)
        text.tokens.push_back(folder.model.vocabulary->token(i < kTokens ? i % kIds : 3));
    return must(core::Computable::of(folder.model, must(core::inputOf(folder, std::move(text)))));
}

struct Times {
    double text = std::numeric_limits<double>::infinity();
    double word = std::numeric_limits<double>::infinity();
};

Times timesOf(const core::PretrainedFolder &folder, core::Detail detail, int turns) {
    const core::Computable text = inputOf(folder, kTokens), longer = inputOf(folder, kTokens + 1);
    core::TracePointer trace;
    const auto pass = [&](const core::Computable &input, const core::TracePointer &previous) {
        const auto start = std::chrono::steady_clock::now();
        trace = must(core::forward(input, previous, {}, detail));
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - start;
        return time.count();
    };
    Times best;
    for (int turn = 0; turn < turns; ++turn) {
        best.text = std::min(best.text, pass(text, nullptr));
        const core::TracePointer previous = trace;
        best.word = std::min(best.word, pass(longer, previous));
    }
    return best;
}

} // namespace

int main(int count, char **words) {
    const int turns = count == 3 ? std::atoi(words[2]) : 0;
    if (turns < 1) {
        std::cerr << "bench_gguf MODEL TURNS\n";
        return 2;
    }
    const core::PretrainedPointer folder = must(core::readPretrained(words[1]));
    if (!folder->model.vocabulary || folder->model.vocabulary->size() < kIds) {
        std::cerr << words[1] << ": it has no words\n";
        return 1;
    }
    const Times ends = timesOf(*folder, core::Detail::Ends, turns);
    const Times kept = timesOf(*folder, core::Detail::Everything, turns);
    std::cout << "{\"word\": " << ends.word << ", \"text\": " << ends.text
              << ", \"word_kept\": " << kept.word << ", \"text_kept\": " << kept.text << "}\n";
    return 0;
}
