// What is known of a task without drawing an example: what it asks of a model, and in which words.
#pragma once

#include "core/message.h"
#include "core/training/recipe/recipe.h"

#include <string>
#include <vector>

namespace headlight::core {

/// Which answers are asked for.
enum class TargetPositions {
    NextToken,   ///< at a token, for the one after it; the mask is causal
    MaskedToken, ///< at a hidden token, for the one that was there; every token sees all others
    Class,       ///< of a whole text; every token sees all others
    Translation, ///< an encoder reads a source, a decoder writes the target token by token
};

/// Of what the accuracy is a share.
enum class AccuracyUnit {
    Examples, ///< those in which every answer is right
    Answers,  ///< single ones: of a text nobody tells a whole window
};

struct TaskInfo {
    std::string id;      ///< on the command line and in files: "repeat"
    Message title;       ///< "Repeat a random sequence"
    Message description; ///< one or two sentences: what is asked, and why it takes attention
    TargetPositions asks = TargetPositions::NextToken;
    /// An answer stands in the place of its token: it is not the one after it, and nothing is
    /// written on.
    bool answersInPlace = false;
    std::vector<std::string> words{};       ///< of the main stack, by id; the first is kPadToken
    std::vector<std::string> sourceWords{}; ///< of the encoder; empty where there is none
    std::vector<std::string> classes{};     ///< names of the answers, of Asks::Class
    bool readsCharacters = false;           ///< texts are split into characters, and not into words
    Index length = 0;                       ///< T, of the longest example
    Index sourceLength = 0;
    AccuracyUnit counts = AccuracyUnit::Examples;
    /// Accuracy of who guesses blindly, and of who knows all that can be known: of Counts::Answers
    /// nobody knows it, and it is 1.
    double chance = 0;
    double best = 1;
    /// What learns it well: model, optimizer, steps. Its `task` is the id.
    Recipe recipe{};
};

} // namespace headlight::core
