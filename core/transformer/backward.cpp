#include "core/transformer/backward.h"

#include "core/cancelled.h"
#include "core/in_quotes.h"
#include "core/transformer/attention_backward.h"
#include "core/transformer/embedding_backward.h"
#include "core/transformer/feed_forward_backward.h"
#include "core/transformer/norm_backward.h"
#include "core/transformer/output_head_backward.h"
#include "core/transformer/parameter_id.h"
#include "core/transformer/stage_recorder.h"

#include <algorithm>
#include <new>

namespace headlight::core {

namespace {

/// The way back through a stack, part by part. What arrives at each tensor of the stream has been
/// noted before it goes on.
class StackBackward {
  public:
    /// `memory`: the names of what cross-attention reads, and where what flows back to it is added
    /// up over all layers.
    StackBackward(const BackwardPass &pass, Stack stack, const StageNames &memoryNames,
                  Adjoint &memory)
        : m_pass(pass),
          m_stack(stack),
          m_stream(residualStream(pass.model(), stack)),
          m_memoryNames(memoryNames),
          m_memory(memory) {}

    const StageNames &leaving() const { return m_stream.tensors[m_stream.leaving]; }

    void run(Adjoint adjoint) {
        arrive(m_stream.leaving, adjoint);
        if (m_stream.leaving != m_stream.last) {
            const StackWeights &sums = m_pass.sumsOf(m_stack);
            norm(m_stream.last, weights().finalNorm, sums.finalNorm, adjoint);
            arrive(m_stream.last, adjoint);
        }
        for (auto part = m_stream.sublayers.rbegin();
             part != m_stream.sublayers.rend() && !m_pass.stopped(); ++part) {
            adjoint = through(*part, std::move(adjoint));
            arrive(part->input, adjoint);
        }
        embeddingBackward(m_pass, m_stack, m_stream, std::move(adjoint));
    }

  private:
    const StackWeights &weights() const { return m_pass.model().stack(m_stack); }
    void arrive(std::size_t tensor, Adjoint &adjoint) {
        m_pass.store.arrive(m_stream.tensors[tensor], adjoint);
    }

    void norm(std::size_t tensor, const NormWeights &weights, const NormWeights &sums,
              Adjoint &adjoint) {
        if (!adjoint.isNull())
            normBackward(m_pass, m_pass.tensorOf(m_stream.tensors[tensor]), weights, sums,
                         m_pass.trace.input().of(m_stack), adjoint);
    }

    const NormWeights &normOf(const Sublayer &part, const LayerWeights &layer) const {
        if (part.part == Part::FeedForward)
            return layer.feedForward.norm;
        return part.site.block == Block::SelfAttention ? layer.selfAttention.norm
                                                       : layer.crossAttention.norm;
    }

    bool hasSeeds(const Sublayer &part) const {
        return m_pass.store.hasSeedsIn(part.part, part.site);
    }

    /// From the adjoint of the part's result to that of its input.
    Adjoint through(const Sublayer &part, Adjoint adjoint) {
        if (adjoint.isNull() && !hasSeeds(part))
            return {};
        if (const Outcome outcome =
                m_pass.forward.prepareLayer(m_stack, part.site.layer, m_pass.stop());
            !outcome) {
            m_pass.store.fail(outcome.error());
            return {};
        }
        const Config &config = m_pass.config();
        const NormWeights &weights = normOf(part, m_pass.model().layer(m_stack, part.site.layer));
        const NormWeights &sums = normOf(part, m_pass.sumsOf(m_stack, part.site.layer));
        if (config.normsAfter()) {
            norm(part.sum, weights, sums, adjoint);
            if (part.sum != part.made)
                arrive(part.sum, adjoint);
        }
        Adjoint input = config.residual ? adjoint : Adjoint();
        if (part.made != part.result)
            arrive(part.made, adjoint);
        const bool before = config.normsBefore();
        const Stage normed = part.part == Part::FeedForward ? Stage::FeedForwardNorm : Stage::Norm;
        const StageNames names =
            before ? StageNames{{normed, part.site}} : m_stream.tensors[part.input];
        adjoint = throughFunction(part, std::move(adjoint), names);
        if (before) {
            m_pass.store.arrive(names, adjoint);
            norm(part.input, weights, sums, adjoint);
        }
        input.add(std::move(adjoint));
        return input;
    }

    /// From the adjoint of f(x) to that of x.
    Adjoint throughFunction(const Sublayer &part, Adjoint made, const StageNames &x) {
        if (part.part == Part::FeedForward)
            return feedForwardBackward(m_pass, part.site, std::move(made), x);
        const bool cross = part.site.block == Block::CrossAttention;
        AttentionSources back =
            attentionBackward(m_pass, part.site, std::move(made), x, cross ? m_memoryNames : x);
        (cross ? m_memory : back.queries).add(std::move(back.keys));
        return std::move(back.queries);
    }

    const BackwardPass &m_pass;
    Stack m_stack;
    ResidualStream m_stream;
    const StageNames &m_memoryNames;
    Adjoint &m_memory;
};

/// A layer without any attention is one that was captured.
bool hasWeights(const StackWeights &stack) {
    return std::ranges::all_of(stack.layers, [](const LayerWeights &layer) {
        return layer.selfAttention.query || layer.crossAttention.query;
    });
}

Outcome check(const Trace &trace, const std::vector<Seed> &seeds) {
    if (!hasWeights(trace.model().weights.main) || !hasWeights(trace.model().weights.encoder))
        return Error{"it was captured without the weights that the numbers were made with", "trace",
                     "open the model itself"};
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        const std::string where = "seeds[" + std::to_string(i) + "].";
        const auto at = findStageAnywhere(seeds[i].stage);
        if (!at || !trace.has(seeds[i].stage))
            return Error{"the model has no stage " + inQuotes(seeds[i].stage), where + "stage",
                         "use a name that its trace has"};
        const Tensor &gradient = seeds[i].gradient;
        const Shape shape = stageShape(trace.model(), Extent(trace.input()), at->stage, at->site);
        if (gradient.isNull() || gradient.shape() != shape)
            return Error{"the gradient is " + gradient.shape().text() + ", the stage " +
                             shape.text(),
                         where + "gradient", "give one number for each of the stage"};
    }
    return Done{};
}

void run(const BackwardPass &pass) {
    const Model &model = pass.model();
    const bool crosses = model.hasCrossAttention();
    Adjoint memory, none;
    const StageNames noNames;
    std::optional<StackBackward> source;
    if (crosses)
        source.emplace(pass, model.sourceStack(), noNames, none);
    StackBackward main(pass, model.mainStack(), crosses ? source->leaving() : noNames, memory);
    main.run(outputHeadBackward(pass, main.leaving()));
    if (source)
        source->run(std::move(memory));
}

} // namespace

Tensor Gradients::stage(std::string_view name) const {
    const auto found = m_stages.find(name);
    const Tensor kept = found == m_stages.end() ? Tensor() : found->second;
    const auto at = findStageAnywhere(name);
    if (!at || at->stage != Stage::HeadOutputs)
        return kept;
    // The output is their sum: what flows to it flows to each head, beside seeds of its own.
    const auto output = m_stages.find(stageName(Stage::Output, at->site));
    if (output == m_stages.end())
        return kept;
    const Shape &of = output->second.shape();
    Adjoint heads = Adjoint::zeros({of[0], m_heads, of[1], of[2]});
    for (Index b = 0; b < of[0]; ++b)
        for (Index h = 0; h < m_heads; ++h)
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
    Weights sums = zerosLike(trace.model().weights, stop);
    GradientStore store(trace, seeds, keepStages, stop);
    ForwardNumbers numbers(trace);
    run({trace, numbers, store, sums});
    for (const ParameterId &id : allParameters(sums))
        if (const Parameter &sum = parameterOf(sums, id); sum && !store.stopped())
            store.check(nameOf(id), sum->values());
    if (stop.stop_requested())
        return cancelled();
    if (store.error())
        return *store.error();
    return std::make_shared<const Gradients>(std::move(sums), store.takeStages(),
                                             trace.model().config.heads);
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the gradients", "text", "use a shorter text"};
}

} // namespace headlight::core
