#include "core/transformer/forward.h"

#include "core/cancelled.h"
#include "core/transformer/embedding.h"
#include "core/transformer/layer.h"
#include "core/transformer/normalisation.h"
#include "core/transformer/output_head.h"
#include "core/transformer/residual_stream.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace headlight::core {

namespace {

using Keep = StageRecorder::Keep;

TraceMasks::List resolve(const Input &input, Site site) {
    auto masks = std::make_shared<std::vector<Mask>>();
    const Batch &queries = input.queries(site), &keys = input.keys(site);
    for (Index b = 0; b < queries.count(); ++b)
        masks->emplace_back(input.masksOf(site), b, queries.length(), keys.length(),
                            keys[b].length);
    return masks;
}

/// The masks of every attention; those of `previous` where nothing about them has changed.
TraceMasks masksOf(const Model &model, const Input &input, const Trace *previous) {
    const bool sameSequences = previous && previous->input().batch == input.batch &&
                               previous->input().source == input.source;
    const auto of = [&](Site site) -> TraceMasks::List {
        if (!model.hasStack(site.stack))
            return nullptr;
        if (sameSequences && previous->masks(site) &&
            previous->input().masksOf(site) == input.masksOf(site))
            return previous->masks(site);
        return resolve(input, site);
    };
    TraceMasks masks;
    masks.self = of({0, Block::SelfAttention, model.mainStack()});
    masks.encoder = of({0, Block::SelfAttention, Stack::Encoder});
    if (model.hasCrossAttention())
        masks.cross = of({0, Block::CrossAttention, model.mainStack()});
    return masks;
}

/// One run through the model.
class Run {
  public:
    Run(const Model &model, const Input &input, const Trace *previous, std::stop_token stop,
        Keep keep)
        : m_masks(masksOf(model, input, previous)),
          m_recorder(previous, std::move(stop), keep),
          m_pass{m_recorder, model, input, m_masks} {}

    TracePointer run() {
        const auto start = std::chrono::steady_clock::now();
        const Model &model = m_pass.model;
        Computed memory;
        if (model.hasEncoder())
            memory = runStack(Stack::Encoder, nullptr);
        else if (model.hasCrossAttention())
            memory = embed(m_pass, Stack::Source);
        const Computed last =
            runStack(model.mainStack(), model.hasCrossAttention() ? &memory : nullptr);
        if (m_recorder.keepsEverything())
            runHead(m_pass, last);
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - start;
        Work work = m_recorder.takeWork();
        work.milliseconds = time.count();
        return std::make_shared<const Trace>(model, m_pass.input, m_masks, m_recorder.takeEntries(),
                                             std::move(work), m_recorder.keepsEverything());
    }

    const StageRecorder &recorder() const { return m_recorder; }

  private:
    Computed runStack(Stack stack, const Computed *memory) {
        Computed x = embed(m_pass, stack);
        const Index layers = m_pass.model.layerCount(stack);
        for (Index layer = 0; layer < layers; ++layer)
            x = runLayerOnce(stack, layer, x, memory);
        if (m_recorder.previous() && m_pass.before().layerCount(stack) != layers)
            x = x.asNew(); // another layer was the last one
        if (!m_pass.config().hasNorm() || !m_pass.config().norm.final)
            return x;
        const Trace *previous = m_recorder.previous();
        const NormWeights before =
            previous ? previous->model().stack(stack).finalNorm : NormWeights();
        return normalise(m_pass, Stage::FinalNorm, {0, Block::SelfAttention, stack}, x,
                         m_pass.model.stack(stack).finalNorm, before, m_pass.input.of(stack));
    }

    /// Where only the ends of layers are kept, a layer is all that can be taken over.
    Computed runLayerOnce(Stack stack, Index layer, const Computed &x, const Computed *memory) {
        const Site site(layer, Block::SelfAttention, stack);
        if (m_recorder.keepsEverything() || !isSameLayer(site, x, memory))
            return runLayer(m_pass, stack, layer, x, memory);
        m_recorder.takeOver(Stage::LayerInput, site);
        return m_recorder.takeOver(Stage::LayerOutput, site);
    }

    bool isSameLayer(Site site, const Computed &x, const Computed *memory) const {
        const Trace *previous = m_recorder.previous();
        if (!previous || !previous->find(stageName(Stage::LayerOutput, site)) ||
            !previous->model().hasStack(site.stack))
            return false;
        const Tensor before = previous->find(stageName(Stage::LayerInput, site))->tensor;
        const Model &old = previous->model(), &now = m_pass.model;
        return before.shape() == x.shape() && before.values() == x.tensor.values() &&
               (!memory || memory->isSameInAllSequences()) && old.config == now.config &&
               old.layer(site.stack, site.layer) == now.layer(site.stack, site.layer) &&
               old.stack(site.stack).positionBias == now.stack(site.stack).positionBias &&
               previous->input().interventions == m_pass.input.interventions &&
               sameMasks(*previous, site) &&
               sameLengths(previous->input().of(site.stack), m_pass.input.of(site.stack));
    }
    bool sameMasks(const Trace &previous, Site site) const {
        const Site cross(site.layer, Block::CrossAttention, site.stack);
        return *previous.masks(site) == *m_masks.of(site) &&
               (!m_pass.model.hasAttention(cross) ||
                (previous.masks(cross) && *previous.masks(cross) == *m_masks.of(cross)));
    }

    TraceMasks m_masks;
    StageRecorder m_recorder;
    Pass m_pass;
};

Error overflow(const std::string &stage) {
    return {"the numbers grow beyond what 32 bits hold", stage,
            "use smaller weights or embeddings"};
}

Error outOfMemory() {
    return {"there is not enough memory for the attention", "text", "use a shorter text"};
}

/// A trace that may lend its stages.
const Trace *lender(const TracePointer &previous, const Model &model) {
    return previous && sameStructure(previous->model().config, model.config) &&
                   previous->model().hasEncoder() == model.hasEncoder() &&
                   previous->model().hasCrossAttention() == model.hasCrossAttention()
               ? previous.get()
               : nullptr;
}

/// A tensor that another computation made, as it is.
Computed given(const Tensor &tensor) {
    return {tensor, std::vector<bool>(static_cast<std::size_t>(tensor.shape()[0]), false)};
}

/// What leaves the stack: its last tensor, under whichever name the trace keeps it.
Tensor lastOf(const Trace &trace, Stack stack) {
    const ResidualStream stream = residualStream(trace.model(), stack);
    for (const StageAt &at : stream.tensors[stream.leaving])
        if (const TraceEntry *entry = trace.find(stageName(at.stage, at.site)))
            return entry->tensor;
    return {};
}

template <typename Work>
Result<std::vector<TraceEntry>> detailsOf(const Trace &trace, std::stop_token stop, Work work) try {
    const TraceMasks masks{trace.masks({0, Block::SelfAttention, trace.model().mainStack()}),
                           trace.masks({0, Block::SelfAttention, Stack::Encoder}),
                           trace.masks({0, Block::CrossAttention, trace.model().mainStack()})};
    StageRecorder recorder(nullptr, std::move(stop));
    work(Pass{recorder, trace.model(), trace.input(), masks});
    if (!recorder.overflowed().empty())
        return overflow(recorder.overflowed());
    return recorder.takeEntries();
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return outOfMemory();
}

} // namespace

Result<TracePointer> forward(const Model &model, const Input &input, const TracePointer &previous,
                             std::stop_token stop, Detail detail) try {
    if (Outcome outcome = fits(model, input); !outcome)
        return outcome.error();
    if (detail == Detail::Automatic)
        detail = traceBytes(model, Extent(input)) <= kWholeTraceBytes ? Detail::Everything
                                                                      : Detail::Ends;
    Run run(model, input, lender(previous, model), std::move(stop),
            detail == Detail::Everything ? Keep::Everything : Keep::Ends);
    TracePointer trace = run.run();
    if (const std::string &stage = run.recorder().overflowed(); !stage.empty())
        return overflow(stage);
    return trace;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return outOfMemory();
}

Result<std::vector<TraceEntry>> layerDetails(const Trace &trace, Stack stack, Index layer,
                                             std::stop_token stop) {
    const Model &model = trace.model();
    return detailsOf(trace, std::move(stop), [&](const Pass &pass) {
        const Computed x =
            given(trace.stage(Stage::LayerInput, {layer, Block::SelfAttention, stack}));
        Computed memory;
        if (model.hasAttention({layer, Block::CrossAttention, stack}))
            memory = given(lastOf(trace, model.sourceStack()));
        runLayer(pass, stack, layer, x, &memory);
    });
}

Result<std::vector<TraceEntry>> headDetails(const Trace &trace, std::stop_token stop) {
    return detailsOf(trace, std::move(stop), [&](const Pass &pass) {
        runHead(pass, given(lastOf(trace, trace.model().mainStack())));
    });
}

} // namespace headlight::core
