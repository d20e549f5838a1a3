// Results for the heads of all layers, computed once for several figures.
#pragma once

#include "core/analysis/head_ablation.h"
#include "core/analysis/pass_glances.h"
#include "core/analysis/text_comparison.h"

namespace headlight::core {

/// Equal requests return the same objects. Traces are equal if they come from the same pass,
/// whatever details they hold. Not thread-safe.
class ComputedHeads {
  public:
    ComputedHeads() = default;
    /// `pass`: observer of a pass, whose overviews are reused. May be null.
    explicit ComputedHeads(std::shared_ptr<const PassGlances> pass) : m_pass(std::move(pass)) {}

    /// Returns the overviews of all heads. Errors: as glanceAt().
    Result<std::shared_ptr<const TraceGlances>> glances(const Trace &trace, Index sequence,
                                                        const std::stop_token &stop = {});
    /// Returns the effects of silencing each head. Errors: as ablateHeads().
    Result<std::shared_ptr<const AblatedHeads>>
    effects(const Computable &computable, const TracePointer &trace, const AblationTarget &target,
            const std::stop_token &stop = {}, const std::function<void(Index, Index)> &made = {});
    /// Returns the comparison of all heads. Calls with the same sides must pass the same `texts`.
    /// Errors: as comparedHeads().
    Result<std::shared_ptr<const std::vector<ComparedHead>>>
    compared(const ComparedSide &now, const ComparedSide &a, const std::vector<AlignedText> &texts,
             const std::stop_token &stop = {});

  private:
    struct Effects {
        PlanPointer pass;
        AblationTarget target;
        std::shared_ptr<const AblatedHeads> heads;
    };
    struct Comparison {
        PlanPointer now, a;
        Index sequence = 0, sequenceOfA = 0;
        std::shared_ptr<const std::vector<ComparedHead>> heads;
    };

    std::shared_ptr<const PassGlances> m_pass;
    std::vector<std::shared_ptr<const TraceGlances>> m_glances;
    std::vector<Effects> m_effects;
    std::vector<Comparison> m_compared;
};

} // namespace headlight::core
