#include "core/transformer/run/backward.h"

#include "core/cancelled.h"
#include "core/in_quotes.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/run/attention_tiles.h"
#include "core/transformer/run/forward.h"
#include "core/transformer/run/gradient_context.h"
#include "core/transformer/run/gradient_store.h"

#include <algorithm>
#include <new>

namespace headlight::core {

namespace {

/// Returns false for captures: their layers have no attention parameters.
bool hasWeights(const StackParameters &stack) {
    return std::ranges::all_of(stack.layers, [](const LayerParameters &layer) {
        return layer.selfAttention.query || layer.crossAttention.query;
    });
}

Outcome check(const Trace &trace, const std::vector<Seed> &seeds) {
    if (!hasWeights(trace.model().parameters.main) || !hasWeights(trace.model().parameters.encoder))
        return Error{"it is a capture without the model's parameters", "trace",
                     "open the model itself"};
    if (trace.model().config.feedForward.hasExperts())
        return Error{"a model with experts has no gradients here", "model.feed_forward.experts",
                     "use a model with one network for all tokens"};
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        const std::string where = "seeds[" + std::to_string(i) + "].";
        const auto at = findStageAnywhere(seeds[i].stage);
        if (!at || !trace.has(seeds[i].stage))
            return Error{{"the model has no stage %1", inQuotes(seeds[i].stage)},
                         where + "stage",
                         "use a name that its trace has"};
        const Tensor &gradient = seeds[i].gradient;
        const Shape &shape = trace.plan()[*trace.plan().find(*at)].shape;
        if (gradient.isNull() || gradient.shape() != shape)
            return Error{
                {"the gradient is %1, the stage %2", gradient.shape().text(), shape.text()},
                where + "gradient",
                "give one value for each value of the stage"};
    }
    return Done{};
}

/// Thrown if values of the forward pass cannot be recomputed.
struct Failed {
    Error error;
};

/// True if a partial trace computes both stages together: stages of the same layer, or of the same
/// part outside the layers.
bool areMadeTogether(StageId a, StageId b) {
    const auto inLayer = [](StageId at) {
        const Part part = infoOf(at.stage).part;
        return part == Part::Attention || part == Part::FeedForward;
    };
    if (inLayer(a) || inLayer(b))
        return inLayer(a) && inLayer(b) && a.attention.stack == b.attention.stack &&
               a.attention.layer == b.attention.layer;
    return infoOf(a.stage).part == infoOf(b.stage).part && a.attention.stack == b.attention.stack;
}

/// Differentiates the steps of the plan from the last to the first. When a step is reached, its
/// gradient is complete.
class Backward {
  public:
    Backward(const Trace &trace, GradientStore &store, ParameterGradients &gradients)
        : m_trace(trace),
          m_plan(trace.plan()),
          m_store(store),
          m_gradients(gradients),
          m_adjoints(m_plan.size()),
          m_names(m_plan.size()),
          m_isGoneThrough(m_plan.size()),
          m_isGivenOn(m_plan.size()) {
        for (StepId id = 0; id < m_plan.size(); ++id)
            if (m_plan[id].isNamed())
                m_names[m_plan.origin(id)].push_back(m_plan[id].at);
    }

    void run() {
        const std::function<Tensor(StepId)> numbers = [this](StepId id) { return numbersOf(id); };
        for (StepId id = m_plan.size(); id-- > 0 && !m_store.stopped();) {
            const Step &step = m_plan[id];
            Adjoint &adjoint = m_adjoints[id];
            if (m_isGoneThrough[id])
                continue;
            if (step.isOwn())
                m_store.arrive(m_names[id], adjoint);
            const bool inTiles = std::holds_alternative<op::WeightedSum>(step.operation) &&
                                 m_trace.isByHead(m_plan.origin(step.reads[0]));
            if (inTiles && adjoint.isNull() && hasSeedsOfAttention(id))
                adjoint = Adjoint::zeros(step.shape, m_store.stop());
            if (m_isGivenOn[id])
                adjoint = {};
            if (adjoint.isNull())
                continue;
            const GradientContext chain{m_trace, step,        id,       adjoint,       m_adjoints,
                                        numbers, m_gradients, m_tables, m_store.stop()};
            for (const Change &change : step.changes)
                differentiateChange(change, chain);
            if (inTiles)
                goThroughTiles(chain);
            else
                differentiate(step.operation, chain);
            adjoint = {};
        }
    }

  private:
    void goThroughTiles(const GradientContext &chain) {
        const std::vector<StepId> steps = stepsOfAttention(m_plan, chain.id);
        for (const StepId step : steps)
            m_isGoneThrough[step] = true;
        for (const StepId step : stepsOfDistances(m_plan, steps))
            m_isGoneThrough[step] = true;
        if (const auto sinks = stepOfSinks(m_plan, chain.id))
            m_isGivenOn[*sinks] = true;
        numbersOf(m_plan[steps.back()].reads[0]); // recomputes the whole layer
        const std::vector<Tensor> known = this->known();
        AttentionTiles(chain, m_store, m_names, known).run();
    }
    bool hasSeedsOfAttention(StepId mix) const {
        const auto hasSeeds = [this](StepId step) { return m_store.hasSeeds(m_names[step]); };
        const std::vector<StepId> steps = stepsOfAttention(m_plan, mix);
        const auto sinks = stepOfSinks(m_plan, mix);
        return std::ranges::any_of(steps, hasSeeds) || (sinks && hasSeeds(*sinks)) ||
               std::ranges::any_of(stepsOfDistances(m_plan, steps), hasSeeds);
    }

    std::vector<Tensor> known() const {
        std::vector<Tensor> known = m_details;
        known.resize(m_plan.size());
        for (StepId step = 0; step < m_plan.size(); ++step)
            if (!m_trace.numbers(step).isNull())
                known[step] = m_trace.numbers(step);
        return known;
    }

    /// Returns the forward values of a step. If the trace does not contain the layer, recomputes
    /// the layer outside of the trace, so that other threads can use the trace's layers. Holds only
    /// one recomputed layer at a time.
    Tensor numbersOf(StepId asked) {
        const StepId id = m_plan.origin(asked);
        if (!m_trace.numbers(id).isNull())
            return m_trace.numbers(id);
        if (m_details.empty() || m_details[id].isNull()) {
            m_details.clear(); // free memory before allocating more
            auto made = makeSteps(
                m_trace, known(),
                [&](StepId step) {
                    return !m_plan[step].isAside && m_plan[step].isOwn() &&
                           !m_trace.isByHead(step) &&
                           areMadeTogether(m_plan[step].at, m_plan[id].at);
                },
                m_store.stop());
            if (!made)
                throw Failed{made.error()};
            m_details = std::move(*made);
        }
        return m_details[id];
    }

    const Trace &m_trace;
    const Plan &m_plan;
    GradientStore &m_store;
    ParameterGradients &m_gradients;
    std::vector<Adjoint> m_adjoints;
    std::vector<StageNames> m_names;   ///< for each step; empty for renames
    std::vector<char> m_isGoneThrough; ///< true: differentiated with another step, in tiles
    std::vector<char> m_isGivenOn; ///< true: its gradient is stored here, but passed on in tiles
    std::vector<Tensor> m_details; ///< recomputed values, one tensor per step; or empty
    PositionTables m_tables;
};

} // namespace

Tensor Gradients::stage(std::string_view name) const {
    const auto found = m_stages.find(name);
    const Tensor kept = found == m_stages.end() ? Tensor() : found->second;
    const auto at = findStageAnywhere(name);
    if (!at || at->stage != Stage::HeadOutputs)
        return kept;
    // The output is the sum of the head outputs, so each head gets the gradient of the output, plus
    // the gradient of the head's own seeds.
    const auto output = m_stages.find(stageName(Stage::Output, at->attention));
    if (output == m_stages.end())
        return kept;
    const Shape &of = output->second.shape();
    const Index count = at->attention.stack == Stack::Encoder ? m_encoderHeads : m_heads;
    Adjoint heads = Adjoint::zeros({of[0], count, of[1], of[2]});
    for (Index b = 0; b < of[0]; ++b)
        for (Index h = 0; h < count; ++h)
            std::copy_n(output->second.view(b).data, of[1] * of[2], heads.matrix(b, h).data);
    if (!kept.isNull())
        heads.add(kept);
    return Tensor(heads.shape, std::move(heads.values));
}

std::vector<std::string> Gradients::stageNames() const {
    std::vector<std::string> names;
    for (const auto &[name, tensor] : m_stages)
        if (const auto at = findStageAnywhere(name); !at || at->stage != Stage::HeadOutputs)
            names.push_back(name);
    return names;
}

Result<GradientsPointer> backward(const Trace &trace, const std::vector<Seed> &seeds,
                                  bool keepStages, std::stop_token stop) try {
    if (Outcome outcome = check(trace, seeds); !outcome)
        return outcome.error();
    ParameterGradients gradients(trace.model().parameters, stop);
    GradientStore store(trace, seeds, keepStages, stop);
    Backward(trace, store, gradients).run();
    for (const ParameterId &id : allParameters(trace.model().parameters))
        if (const MutableMatrixView gradient = gradients.of({id});
            gradient.data && !store.stopped())
            store.check(nameOf(id), {gradient.data,
                                     static_cast<std::size_t>(gradient.rows * gradient.columns)});
    if (stop.stop_requested())
        return cancelled();
    if (store.error())
        return *store.error();
    return std::make_shared<const Gradients>(gradients.take(), store.takeStages(),
                                             trace.model().headsOf(Stack::Main),
                                             trace.model().headsOf(Stack::Encoder));
} catch (const Failed &failed) {
    return failed.error;
} catch (const ParameterReadError &unreadable) {
    return unreadable.error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the gradients", "text", "use a shorter text"};
}

} // namespace headlight::core
