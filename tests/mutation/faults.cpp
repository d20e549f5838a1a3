#include "faults.h"

#include <algorithm>
#include <cstdlib>

namespace headlight::core::test {

bool faultWasApplied = false;

namespace {

/// Creates a fault that leaves one field of an operation out of the comparison.
template <typename Of, typename Field>
Fault forgetting(const std::string &name, Field Of::*field) {
    return {.name = "not compared: " + name, .forget = [field](Operation &operation) {
                if (auto *of = std::get_if<Of>(&operation))
                    of->*field = {};
            }};
}

/// Creates such a fault for a member of one of an operation's alternatives.
template <typename Kind, typename Alternatives, typename Alternative, typename Member>
Fault forgettingIn(const std::string &name, Alternatives Kind::*of, Member Alternative::*member) {
    return {.name = "not compared: " + name, .forget = [of, member](Operation &operation) {
                auto *kind = std::get_if<Kind>(&operation);
                auto *one = kind ? std::get_if<Alternative>(&(kind->*of)) : nullptr;
                if (one)
                    one->*member = Member{};
            }};
}

Fault overlooking(const std::string &name, std::function<void(Dependence &)> overlook) {
    return {.name = "not asked: " + name, .overlook = std::move(overlook)};
}

/// Creates a fault that makes a stage read an earlier stage of the same shape instead of the right
/// one.
Fault misreading(const StageInfo &info, std::size_t which) {
    const Stage stage = info.stage;
    return {.name = "read from another stage: " + std::string(info.name) + ", input " +
                    std::to_string(which),
            .misplace = [stage, which](std::vector<Step> &steps) {
                bool applied = false;
                for (Step &step : steps) {
                    if (step.at.stage != stage || step.reads.size() <= which)
                        continue;
                    StepId &read = step.reads[which];
                    const StepId origin = steps[read].renames.value_or(read);
                    for (StepId other = origin; other-- > 0;)
                        if (steps[other].isOwn() && steps[other].shape == steps[origin].shape) {
                            read = other;
                            applied = true;
                            break;
                        }
                }
                return applied;
            }};
}

/// Creates a fault that swaps the inputs of a product or a gate. Swapping a sum would change
/// nothing.
Fault swapping(const StageInfo &info) {
    const Stage stage = info.stage;
    return {.name = "inputs swapped: " + std::string(info.name),
            .misplace = [stage](std::vector<Step> &steps) {
                bool applied = false;
                for (Step &step : steps) {
                    if (step.at.stage != stage || step.reads.size() != 2 ||
                        std::holds_alternative<op::Add>(step.operation) ||
                        steps[step.reads[0]].shape != steps[step.reads[1]].shape)
                        continue;
                    std::swap(step.reads[0], step.reads[1]);
                    applied = true;
                }
                return applied;
            }};
}

Fault onEachStep(const std::string &name, std::function<bool(Step &)> change) {
    return {.name = name, .misplace = [change](std::vector<Step> &steps) {
                bool applied = false;
                for (Step &step : steps)
                    applied = change(step) || applied;
                return applied;
            }};
}

std::vector<Fault> makeAll() {
    std::vector<Fault> all{
        forgetting("which rows are added", &op::AddRows::kind),
        forgetting("the order of sines", &op::AddRows::order),
        forgetting("the position offset", &op::AddRows::offset),
        forgetting("the kind of norm", &op::Normalise::kind),
        forgetting("epsilon", &op::Normalise::epsilon),
        forgetting("the rotation", &op::ApplyRotary::turns),
        forgetting("the factor of queries", &op::TuneQueries::tuning),
        forgettingIn("the scale", &op::Each::function, &op::Scale::factor),
        forgettingIn("the cap", &op::Each::function, &op::Softcap::limit),
        forgettingIn("ALiBi's slopes", &op::DistanceBias::by, &op::DistanceBias::Alibi::slopes),
        forgettingIn("the buckets of distances", &op::DistanceBias::by,
                     &op::DistanceBias::Relative::config),
        forgetting("the table of distances", &op::PickDistances::table),
        forgetting("how many experts", &op::KeepLargest::count),
        forgetting("whether the experts' weights are normalised", &op::KeepLargest::normalises),
        forgetting("the factor of the experts' weights", &op::KeepLargest::factor),
        forgetting("what hides", &op::Mask::value),
        forgetting("softmax's temperature", &op::Softmax::temperature),
        forgetting("the temperature of the sinks", &op::SinkWeight::temperature),
        forgetting("whether softmax normalises", &op::Softmax::normalises),
        {.name = "not compared: the activation",
         .forget =
             [](Operation &operation) {
                 auto *of = std::get_if<op::Each>(&operation);
                 if (of && std::holds_alternative<Activation>(of->function))
                     of->function = Activation::Relu;
             }},
        forgetting("the gate's activation", &op::Gate::activation),
        forgetting("the pooling", &op::Pool::pooling),
        forgetting("the pooled tokens", &op::Pool::rows),
        forgetting("overridden scores", &op::SetCells::cells),
        {.name = "not compared: the edits of a parameter", .forgetsEdits = true},
        overlooking("the words", [](Dependence &on) { on.tokens = false; }),
        overlooking("the types of tokens", [](Dependence &on) { on.tokenTypes = false; }),
        overlooking("how many tokens are real", [](Dependence &on) { on.lengths = false; }),
        overlooking("the mask", [](Dependence &on) { on.mask = false; }),
        onEachStep("parameters of the first layer in each",
                   [](Step &step) {
                       bool applied = false;
                       for (ParameterSlice &slice : step.parameters)
                           if (slice.id.layer > 0) {
                               slice.id.layer = 0;
                               applied = true;
                           }
                       return applied;
                   }),
        onEachStep("no bias",
                   [](Step &step) {
                       if (!std::holds_alternative<op::Linear>(step.operation) ||
                           step.parameters.size() < 2)
                           return false;
                       step.parameters[1] = {
                           {0, ParameterKind::Classifier}}; // none of these models has a classifier
                       return true;
                   }),
        onEachStep("no overridden scores",
                   [](Step &step) {
                       return step.at.stage == Stage::Scores && !step.changes.empty() &&
                              (step.changes.clear(), true);
                   }),
        onEachStep("no head silenced",
                   [](Step &step) {
                       return step.at.stage == Stage::Context && !step.changes.empty() &&
                              (step.changes.clear(), true);
                   }),
        onEachStep("no head uniform",
                   [](Step &step) {
                       return step.at.stage == Stage::AttentionWeights && !step.changes.empty() &&
                              (step.changes.clear(), true);
                   }),
        onEachStep("changes of the first sequence in all",
                   [](Step &step) {
                       bool applied = false;
                       for (Change &change : step.changes)
                           if (change.sequence) {
                               change.sequence.reset();
                               applied = true;
                           }
                       return applied;
                   }),
        onEachStep("distances both ways in a decoder",
                   [](Step &step) {
                       auto *bias = std::get_if<op::DistanceBias>(&step.operation);
                       auto *of =
                           bias ? std::get_if<op::DistanceBias::Relative>(&bias->by) : nullptr;
                       return of && !of->bothWays && (of->bothWays = true);
                   }),
        onEachStep("distances from keys, not from queries",
                   [](Step &step) {
                       auto *pick = std::get_if<op::PickDistances>(&step.operation);
                       return pick && ((pick->byKeys = !pick->byKeys), true);
                   }),
        onEachStep("neighbours one token later",
                   [](Step &step) {
                       auto *join = std::get_if<op::JoinNeighbours>(&step.operation);
                       if (!join)
                           return false;
                       for (op::JoinNeighbours::Part &part : join->parts)
                           ++part.shift;
                       return true;
                   }),
        onEachStep("experts without groups",
                   [](Step &step) {
                       auto *keep = std::get_if<op::KeepLargest>(&step.operation);
                       return keep && keep->groups > 1 && (keep->groups = keep->keptGroups = 1);
                   }),
        onEachStep("experts by their own weights",
                   [](Step &step) {
                       return std::holds_alternative<op::KeepLargest>(step.operation) &&
                              step.reads.size() > 1 && (step.reads.pop_back(), true);
                   }),
    };
    for (const StageInfo &info : allStages())
        for (const std::size_t which : {0u, 1u})
            all.push_back(misreading(info, which));
    for (const Stage stage : {Stage::Scores, Stage::Activated})
        all.push_back(swapping(infoOf(stage)));
    return all;
}

} // namespace

const std::vector<Fault> &allFaults() {
    static const std::vector<Fault> all = makeAll();
    return all;
}

const Fault *chosenFault() {
    static const Fault *chosen = []() -> const Fault * {
        const char *number = std::getenv("HEADLIGHT_FAULT");
        return number ? &allFaults().at(static_cast<std::size_t>(std::atoi(number))) : nullptr;
    }();
    return chosen;
}

} // namespace headlight::core::test
