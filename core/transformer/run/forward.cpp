#include "core/transformer/run/forward.h"

#include "core/cancelled.h"
#include "core/transformer/model/number_sources.h"
#include "core/transformer/plan/trace_bytes.h"
#include "core/transformer/run/forward_runner.h"
#include "core/transformer/run/output_row.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace headlight::core {

namespace {

TraceMasks::List resolve(const MaskLayers &layers, const Input &input, AttentionId attention) {
    auto masks = std::make_shared<std::vector<Mask>>();
    const Batch &queries = input.queries(attention), &keys = input.keys(attention);
    for (Index b = 0; b < queries.count(); ++b)
        masks->emplace_back(layers, b, queries.length(), keys.length(), keys[b].length);
    return masks;
}

/// Resolves the masks of all attention modules. Reuses masks of `previous` that have not changed.
TraceMasks masksOf(const Model &model, const Input &input, const Trace *previous) {
    const bool sameSequences = previous && previous->input().batch == input.batch &&
                               previous->input().source == input.source;
    const auto of = [&](AttentionId attention) -> TraceMasks::List {
        if (!model.hasStack(attention.stack))
            return nullptr;
        const MaskLayers layers = maskLayersOf(model.config, input, attention);
        const bool wasThere =
            previous &&
            attention.layer < std::max<Index>(1, previous->model().layerCount(attention.stack));
        if (sameSequences && wasThere && previous->masks(attention) &&
            previous->maskLayers(attention) == layers)
            return previous->masks(attention);
        return resolve(layers, input, attention);
    };
    TraceMasks masks;
    std::map<Index, TraceMasks::List> ofWindow; // shared by layers with the same window
    for (Index layer = 0; layer < model.layerCount(model.mainStack()); ++layer) {
        TraceMasks::List &made = ofWindow[model.config.windowOf(layer)];
        if (!made)
            made = of({layer, Block::SelfAttention, model.mainStack()});
        masks.windowed[layer] = made;
    }
    masks.self = masks.windowed.empty() ? of({0, Block::SelfAttention, model.mainStack()})
                                        : masks.windowed.begin()->second;
    if (ofWindow.size() == 1)
        masks.windowed.clear();
    masks.encoder = of({0, Block::SelfAttention, Stack::Encoder});
    if (model.hasCrossAttention())
        masks.cross = of({0, Block::CrossAttention, model.mainStack()});
    return masks;
}

/// True for the stages that every trace retains: input, output, keys and values (for appended
/// tokens) of each layer, and all stages before and after the layers.
bool isAlwaysKept(const Step &step) {
    const Part part = infoOf(step.at.stage).part;
    if (step.isNamed() && (step.at.stage == Stage::Key || step.at.stage == Stage::Value))
        return true;
    return step.isNamed() && part != Part::Attention && part != Part::FeedForward &&
           part != Part::OutputLayer;
}

bool isOfLayer(const Step &step, Stack stack, Index layer) {
    const Part part = infoOf(step.at.stage).part;
    return (part == Part::Attention || part == Part::FeedForward) &&
           step.at.attention.stack == stack && step.at.attention.layer == layer;
}

Error overflow(const std::string &stage) {
    return {"the values overflow 32-bit floats", stage, "use smaller weights or embeddings"};
}

Error outOfMemory() {
    return {"there is not enough memory for the attention", "text", "use a shorter text"};
}

/// Returns the detail of the trace. If stages are selected by name, the detail determines how the
/// trace computes all others.
Detail heldOf(const Model &model, const Input &input, const RetainedStages &keep) {
    const Extent extent(input);
    if (!keep.stages && keep.detail != Detail::Automatic)
        return keep.detail;
    if (!keep.stages && traceBytes(model, extent) <= kWholeTraceBytes)
        return Detail::Everything;
    if (endsBytes(model, extent) <= kLayersTraceBytes)
        return Detail::Ends;
    return headsBytes(model, extent) <= kTraceBudgetBytes ? Detail::Heads : Detail::Rows;
}

std::vector<Tensor> numbersOf(const Trace &trace) {
    std::vector<Tensor> numbers;
    for (StepId id = 0; id < trace.plan().size(); ++id)
        numbers.push_back(trace.numbers(id));
    return numbers;
}

/// Implements makeSteps() for traces with a source of stages.
Result<std::vector<Tensor>> readSteps(const Trace &trace, std::vector<Tensor> known,
                                      const std::function<bool(StepId)> &isWanted,
                                      const std::stop_token &stop) {
    for (StepId id = 0; id < known.size(); ++id) {
        if (!known[id].isNull() || !isWanted(id))
            continue;
        Result<Tensor> read = trace.source()->stage(id, stop);
        if (!read)
            return read.error();
        known[id] = *std::move(read);
    }
    return known;
}

/// Computes stages by running parts of the forward pass.
class ForwardComputer : public StageComputer {
  public:
    Result<std::vector<Tensor>> step(const Trace &trace, std::vector<Tensor> known, StepId wanted,
                                     std::stop_token stop) const override {
        return makeSteps(
            trace, std::move(known), [wanted](StepId id) { return id == wanted; }, std::move(stop));
    }
    Result<SharedMatrix> rows(const Trace &trace, std::vector<Tensor> known, StepId step,
                              Index sequence, Index head, Rows rows,
                              std::stop_token stop) const override {
        return makeRows(trace, std::move(known), step, sequence, head, rows, std::move(stop));
    }
    Result<std::vector<SharedMatrix>> rowOfWords(const Trace &trace, std::vector<Tensor> known,
                                                 Index sequence, Index row,
                                                 std::stop_token stop) const override {
        return makeRowOfWords(trace, std::move(known), sequence, row, std::move(stop));
    }
    Result<std::vector<Tensor>> layer(const Trace &trace, Stack stack, Index layer,
                                      std::stop_token stop, const Trace *earlier) const override {
        return layerDetails(trace, stack, layer, std::move(stop), earlier);
    }
    Result<std::vector<Tensor>> outputLayer(const Trace &trace,
                                            std::stop_token stop) const override {
        return outputLayerDetails(trace, std::move(stop));
    }
};

/// Computes no stages, because the trace has no values to start from.
class NoComputer : public StageComputer {
  public:
    Result<std::vector<Tensor>> step(const Trace &, std::vector<Tensor>, StepId,
                                     std::stop_token) const override {
        return notFinished();
    }
    Result<SharedMatrix> rows(const Trace &, std::vector<Tensor>, StepId, Index, Index, Rows,
                              std::stop_token) const override {
        return notFinished();
    }
    Result<std::vector<SharedMatrix>> rowOfWords(const Trace &, std::vector<Tensor>, Index, Index,
                                                 std::stop_token) const override {
        return notFinished();
    }
    Result<std::vector<Tensor>> layer(const Trace &, Stack, Index, std::stop_token,
                                      const Trace *) const override {
        return notFinished();
    }
    Result<std::vector<Tensor>> outputLayer(const Trace &, std::stop_token) const override {
        return notFinished();
    }

  private:
    static Error notFinished() {
        return {"the forward pass is still running", "", "wait until it has finished"};
    }
};

TracePointer unfinishedTrace(const Model &model, const Input &input, const TraceMasks &masks,
                             const PlanPointer &plan) {
    static const NoComputer computer;
    return std::make_shared<const Trace>(model, input, masks, plan,
                                         std::vector<Tensor>(plan->size()), Work(), computer,
                                         Detail::Ends);
}

} // namespace

Result<TracePointer> forward(const Computable &computable, const TracePointer &previous,
                             std::stop_token stop, const RetainedStages &keep, Progress *progress,
                             WeightsObserver *observer) try {
    const Model &model = computable.model();
    const Input &input = computable.input();
    if (Outcome outcome = checkSources(model, input); !outcome)
        return outcome.error();
    const auto start = std::chrono::steady_clock::now();
    const Detail held = heldOf(model, input, keep);
    const auto plan = std::make_shared<const Plan>(planOf(model, input));
    std::vector<StepId> kept;
    for (const StageId &at : keep.stages.value_or(std::vector<StageId>()))
        if (const auto step = plan->find(at))
            kept.push_back(*step);
    const TraceMasks masks = masksOf(model, input, previous.get());
    if (observer)
        observer->begin(unfinishedTrace(model, input, masks, plan), previous.get());
    ForwardRunner runner(
        {*plan, model, input, masks, previous.get(), {}, std::move(stop), progress, observer});
    runner.run([&](StepId id) {
        const Step &step = (*plan)[id];
        if (keep.stages)
            return std::ranges::find(kept, id) != kept.end();
        return held == Detail::Everything ? step.isNamed() && !step.isAside : isAlwaysKept(step);
    });
    if (!runner.overflowed().empty())
        return overflow(runner.overflowed());
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    Work work = runner.takeWork();
    work.milliseconds = time.count();
    return std::make_shared<const Trace>(model, input, masks, plan, runner.takeNumbers(),
                                         std::move(work), stageComputer(), held);
} catch (const ParameterReadError &unreadable) {
    return unreadable.error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return outOfMemory();
}

Result<std::vector<Tensor>> makeSteps(const Trace &trace, std::vector<Tensor> known,
                                      const std::function<bool(StepId)> &isWanted,
                                      std::stop_token stop, const Trace *earlier) try {
    if (trace.source())
        return readSteps(trace, std::move(known), isWanted, stop);
    const TraceMasks &masks = trace.allMasks();
    ForwardRunner runner({trace.plan(), trace.model(), trace.input(), masks, earlier,
                          std::move(known), std::move(stop)});
    runner.run(isWanted);
    if (!runner.overflowed().empty())
        return overflow(runner.overflowed());
    return runner.takeNumbers();
} catch (const ParameterReadError &unreadable) {
    return unreadable.error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return outOfMemory();
}

Result<SharedMatrix> makeRows(const Trace &trace, std::vector<Tensor> known, StepId step,
                              Index sequence, Index head, Rows rows, std::stop_token stop) try {
    if (trace.source())
        return trace.source()->rows(step, sequence, head, rows, stop);
    const TraceMasks &masks = trace.allMasks();
    ForwardRunner runner({trace.plan(), trace.model(), trace.input(), masks, nullptr,
                          std::move(known), std::move(stop)});
    runner.prepare(step);
    const Index columns = trace.plan()[step].shape.last(0);
    const auto made = std::make_shared<Numbers>(runner.rowsOf(step, sequence, head, rows, columns));
    if (!runner.overflowed().empty())
        return overflow(runner.overflowed());
    return SharedMatrix({made->data(), rows.count, columns, columns}, made);
} catch (const ParameterReadError &unreadable) {
    return unreadable.error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return outOfMemory();
}

Result<std::vector<Tensor>> layerDetails(const Trace &trace, Stack stack, Index layer,
                                         std::stop_token stop, const Trace *earlier) {
    const Plan &plan = trace.plan();
    return makeSteps(
        trace, numbersOf(trace),
        [&](StepId id) {
            return plan[id].isNamed() && !plan[id].isAside && !trace.isByHead(id) &&
                   isOfLayer(plan[id], stack, layer);
        },
        std::move(stop), earlier);
}

Result<std::vector<Tensor>> outputLayerDetails(const Trace &trace, std::stop_token stop) {
    const Plan &plan = trace.plan();
    return makeSteps(
        trace, numbersOf(trace),
        [&](StepId id) {
            return plan[id].isNamed() && !trace.isByRow(id) &&
                   infoOf(plan[id].at.stage).part == Part::OutputLayer;
        },
        std::move(stop));
}

const StageComputer &stageComputer() {
    static const ForwardComputer computer;
    return computer;
}

} // namespace headlight::core
