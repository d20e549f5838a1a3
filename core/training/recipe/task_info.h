// A task as data: its targets, its words, and the recipe of a model that learns it.
#pragma once

#include "core/message.h"
#include "core/training/recipe/recipe.h"

#include <string>
#include <vector>

namespace headlight::core {

/// The tokens that have targets.
enum class TargetPositions {
    NextToken,   ///< the next token; causal mask
    MaskedToken, ///< the original of a masked token; every token sees all others
    Class,       ///< one class per text; every token sees all others
    Translation, ///< an encoder reads the source, a decoder writes the target
};

/// The unit that accuracy counts: answers or whole examples.
enum class AccuracyUnit {
    Examples, ///< examples with all answers right
    Answers,  ///< single answers, for tasks with many of them per example
};

struct TaskInfo {
    std::string id;      ///< used on the command line and in files: "repeat"
    Message title;       ///< "Repeat a random sequence"
    Message description; ///< one or two sentences: the target, and why it needs attention
    TargetPositions asks = TargetPositions::NextToken;
    /// True if the answer belongs to its own token, so it is not the next one and generation makes
    /// no sense.
    bool answersInPlace = false;
    /// Vocabulary of the main stack, by id; the first word is kPadToken.
    std::vector<std::string> words{};
    std::vector<std::string> sourceWords{}; ///< vocabulary of the encoder; empty if there is none
    std::vector<std::string> classes{};     ///< class names, for TargetPositions::Class
    /// The rules that determine answers, if only some answers are determined.
    std::vector<Message> rules{};
    bool readsCharacters = false; ///< splits texts into characters instead of words
    Index length = 0;             ///< T, length of the longest example
    Index sourceLength = 0;
    AccuracyUnit counts = AccuracyUnit::Examples;
    /// Accuracy of random guesses, and the best possible accuracy, which is unknown for texts of
    /// the user, so 1.
    double chance = 0;
    double best = 1;
    /// The default recipe, which learns the task well. Its `task` is the id.
    Recipe recipe{};
};

} // namespace headlight::core
