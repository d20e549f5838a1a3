// The fields of a training run's recipe.
#include "core/training/recipe/recipe_fields.h"

#include <algorithm>
#include <array>

namespace headlight::core {

Codec<Ablation> ablation() {
    static const auto kIds = [] {
        std::array<std::string_view, kAblations.size()> ids;
        std::ranges::transform(kAblations, ids.begin(),
                               [](Ablation ablation) { return idOf(ablation); });
        return ids;
    }();
    return oneOf<Ablation>(kIds);
}

template <>
const FieldTable<OptimizerSettings> &Fields<OptimizerSettings>::table() {
    using S = OptimizerSettings;
    const auto share = number().from(0).below(1);
    static const FieldTable<S> table{
        "optimizer",
        Written::All,
        {field("kind", &S::kind, oneOf<OptimizerKind>(), "the algorithm"),
         field("learning_rate", &S::learningRate, number().above(0), "η, after warm-up"),
         field("beta1", &S::beta1, share, "AdamW: decay rate of the first moment"),
         field("beta2", &S::beta2, share, "AdamW: decay rate of the second moment"),
         field("epsilon", &S::epsilon, number().above(0), "AdamW: ε in the denominator"),
         field("momentum", &S::momentum, share, "SGD: μ"),
         field("weight_decay", &S::weightDecay, number().from(0),
               "decoupled weight decay of matrices; biases and gains have none"),
         field("clip", &S::clip, number().from(0), "maximum norm of the gradient; 0: no clipping"),
         field("warm_up", &S::warmUp, whole(0, kMaxSteps), "steps of linear warm-up"),
         field("cosine", &S::cosine, flag(), "cosine decay to η/10 at the last step")}};
    return table;
}

template <>
const FieldTable<Architecture> &Fields<Architecture>::table() {
    using A = Architecture;
    static const FieldTable<A> table{
        "architecture",
        Written::All,
        {field("layers", &A::layers, whole(1, kMaxLayers),
               "number of layers; an encoder-decoder has as many in each stack"),
         field("heads", &A::heads, whole(1, kMaxHeads), "H, a divisor of `width`"),
         field("width", &A::width, whole(1, kMaxWidth), "C"),
         field("feed_forward", &A::feedForward, whole(0, kMaxFeedForwardWidth),
               "F; 0: attention only"),
         field("activation", &A::activation, oneOf<Activation>(), ""),
         field("positions", &A::positions, oneOf<Positions>(), ""),
         field("norm", &A::norm, oneOf<NormKind>(),
               "a norm before each block and after the last layer"),
         field("residual", &A::residual, flag(), "residual connections"),
         field("scaled", &A::scaled, flag(), "scores are divided by √d"),
         field("masked", &A::masked, flag(),
               "tasks that predict the next token have a causal mask")}};
    return table;
}

template <>
const FieldTable<Recipe> &Fields<Recipe>::table() {
    constexpr std::size_t kMaxTaskId = 64;
    using R = Recipe;
    static const FieldTable<R> table{
        "recipe",
        Written::All,
        {field("task", &R::task, nameUpTo(kMaxTaskId, "the name of a task, of at most %1 bytes"),
               "what is learned, an id from `headlight tasks`. A session with an unknown task is "
               "read, but not trained. `characters` and `words` learn from the user's own text; "
               "with `characters`, texts are split into characters")
             .required(),
         field("architecture", &R::architecture, objectOf<Architecture>(),
               "the model at the start of the run"),
         field("optimizer", &R::optimizer, objectOf<OptimizerSettings>(), ""),
         field("batch", &R::batch, whole(1, kMaxBatch), "examples per step"),
         field("steps", &R::steps, whole(1, kMaxSteps), "number of steps of the run"),
         field("seed", &R::seed, wholeSeed(),
               "seed of the initial parameters and of the examples")}};
    return table;
}

} // namespace headlight::core
