#include "core/analysis/random_repeats.h"

#include "core/analysis/special_tokens.h"
#include "core/random.h"

#include <algorithm>
#include <utility>

namespace headlight::core {

namespace {

/// Returns the special token that the tokenizer adds before a text.
std::optional<Index> firstTokenOf(const Model &model, const Vocabulary &words,
                                  const std::string &text) {
    if (!model.reader)
        return std::nullopt;
    const Result<TokenizedText> read = model.reader->read(model.mainStack(), text, {});
    if (!read || read->tokens.empty() || !isWrittenAsSpecial(read->tokens.front().text))
        return std::nullopt;
    return words.idOf(read->tokens.front());
}

} // namespace

Result<std::vector<Index>> randomRepeats(const Model &model, std::uint64_t seed) {
    if (!model.saysNext() || model.hasEncoder())
        return Error{"repeated random tokens need a model that predicts the next word of its text",
                     "", "open a decoder, such as GPT-2"};
    const Vocabulary *words = model.vocabularyOf(model.mainStack());
    if (!words)
        return Error{"this model has no numbered vocabulary to draw tokens from", "", ""};
    std::vector<Index> usable;
    for (Index id = 0; id < words->size(); ++id)
        if (!isWrittenAsSpecial(words->word(id)))
            usable.push_back(id);
    if (usable.empty())
        return Error{"the vocabulary has only special tokens", "", ""};
    std::vector<Index> made;
    if (const auto first = firstTokenOf(model, *words, words->word(usable.front())))
        made.push_back(*first);
    Index count = std::min<Index>(kRepeatedTokens, std::ssize(usable));
    if (model.config.positions == Positions::Learned) {
        const Parameter &positions = model.stack(model.mainStack()).positions;
        const Index longest = positions->rows() - model.config.positionOffset;
        count = std::clamp<Index>((longest - std::ssize(made)) / 2, 1, count);
    }
    Random random(seed);
    for (Index i = 0; i < count; ++i) { // the first `count` steps of a shuffle
        const auto rest = static_cast<double>(std::ssize(usable) - i);
        const auto other = i + static_cast<Index>(random.uniform() * rest);
        std::swap(usable[static_cast<std::size_t>(i)], usable[static_cast<std::size_t>(other)]);
    }
    for (int half = 0; half < 2; ++half)
        made.insert(made.end(), usable.begin(), usable.begin() + count);
    return made;
}

} // namespace headlight::core
