#include "core/training/recipe/recipe.h"

#include <cmath>

namespace headlight::core {

namespace {

constexpr std::uint64_t kLargestSeed = std::uint64_t(1) << 53; // exactly representable in JSON

Outcome wholeNumber(const char *field, Index value, Index least, Index most) {
    if (value >= least && value <= most)
        return Done{};
    return Error{
        {"%1 is out of range", value}, field, {"give a whole number from %1 to %2", least, most}};
}

Outcome aboveZero(const char *field, float value) {
    if (std::isfinite(value) && value > 0)
        return Done{};
    return Error{"it must be a finite number greater than 0", field, ""};
}

Outcome zeroOrMore(const char *field, float value) {
    if (std::isfinite(value) && value >= 0)
        return Done{};
    return Error{"it must be a finite number of 0 or more", field, ""};
}

/// Checks the decay rate of a moving average.
Outcome share(const char *field, float value) {
    if (value >= 0 && value < 1)
        return Done{};
    return Error{"it must be 0 or more, and less than 1", field, ""};
}

Outcome validate(const OptimizerSettings &optimizer) {
    for (const Outcome &outcome :
         {aboveZero("recipe.learning_rate", optimizer.learningRate),
          share("recipe.beta1", optimizer.beta1), share("recipe.beta2", optimizer.beta2),
          aboveZero("recipe.epsilon", optimizer.epsilon),
          share("recipe.momentum", optimizer.momentum),
          zeroOrMore("recipe.weight_decay", optimizer.weightDecay),
          zeroOrMore("recipe.clip", optimizer.clip),
          wholeNumber("recipe.warm_up", optimizer.warmUp, 0, kMaximumSteps)})
        if (!outcome)
            return outcome;
    return Done{};
}

} // namespace

Outcome validate(const Recipe &recipe) {
    if (recipe.task.empty())
        return Error{"it says no task", "recipe.task", "headlight tasks lists them"};
    for (const Outcome &outcome : {validate(recipe.architecture), validate(recipe.optimizer),
                                   wholeNumber("recipe.batch", recipe.batch, 1, kMaximumBatch),
                                   wholeNumber("recipe.steps", recipe.steps, 1, kMaximumSteps)})
        if (!outcome)
            return outcome;
    if (recipe.seed > kLargestSeed)
        return Error{{"%1 is out of range", recipe.seed},
                     "recipe.seed",
                     {"give a whole number from 0 to %1", kLargestSeed}};
    return Done{};
}

} // namespace headlight::core
