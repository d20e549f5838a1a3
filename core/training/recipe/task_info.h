// The description of a task: its targets, its words, and the recipe of a model that learns it.
#pragma once

#include "core/message.h"
#include "core/training/recipe/recipe.h"

#include <string>
#include <vector>

namespace headlight::core {

/// The tokens for which there are targets.
enum class TargetPositions {
    NextToken,   ///< each token's target is the next token; causal mask
    MaskedToken, ///< a masked token's target is the original; no causal mask
    Class,       ///< each text has a class; no causal mask
    Translation, ///< the next token of the decoder, which also sees an encoder's text
};

/// The unit of the accuracy: answers or whole examples.
enum class AccuracyUnit {
    Examples, ///< share of examples with all answers right
    Answers,  ///< share of single answers, for tasks with many answers per example
};

struct TaskInfo {
    std::string id;      ///< id on the command line and in files: "repeat"
    Message title;       ///< such as "Repeat a random sequence"
    Message description; ///< one or two sentences: the target, and why it needs attention
    TargetPositions asks = TargetPositions::NextToken;
    /// True if an answer belongs to the token itself instead of being the next token. Generation
    /// then makes no sense.
    bool answersInPlace = false;
    /// Vocabulary of the main stack, by id; the first word is kPadToken.
    std::vector<std::string> words{};
    std::vector<std::string> sourceWords{}; ///< vocabulary of the encoder; empty if there is none
    std::vector<std::string> classes{};     ///< class names, for TargetPositions::Class
    /// The rules that determine some of the answers. Empty: all answers count towards the accuracy.
    std::vector<Message> rules{};
    bool readsCharacters = false; ///< splits texts into characters instead of words
    Index length = 0;             ///< T, length of the longest example
    Index sourceLength = 0;
    AccuracyUnit counts = AccuracyUnit::Examples;
    /// Accuracy of random guesses, and the best possible accuracy. For the user's own texts the
    /// best accuracy is unknown, so it is 1.
    double chance = 0;
    double best = 1;
    /// The default recipe, with which a model learns the task well. Recipe::task equals `id`.
    Recipe recipe{};
};

} // namespace headlight::core
