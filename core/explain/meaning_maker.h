// Base of MeaningMaker (meaning.cpp). Implements the operations on positions and distances
// (meaning_positions.cpp) and on experts (meaning_experts.cpp).
#pragma once

#include "core/explain/matrix_part.h"
#include "core/explain/meaning_of_step.h"

#include <span>
#include <string>
#include <vector>

namespace headlight::core {

class MeaningMakerBase : protected MeaningOfStep {
  public:
    MeaningMakerBase(const Trace &trace, Index sequence, const Slice &made)
        : MeaningOfStep(trace, sequence, made.step, made.head), m_made(made) {}

    void operator()(const op::AddRows &of);
    /// Su et al. (2021): dimension i and its partner are rotated by position · frequency.
    void operator()(const op::ApplyRotary &of);
    /// Nakanishi (2025): each query is multiplied by a factor of its position.
    void operator()(const op::TuneQueries &of);
    /// Press et al. (2022), Raffel et al. (2020).
    void operator()(const op::DistanceBias &of);
    /// He et al. (2021).
    void operator()(const op::DistanceVectors &);
    void operator()(const op::PickDistances &of);

    /// Shazeer et al. (2017).
    void operator()(const op::KeepLargest &of);
    void operator()(const op::ScaleForExperts &);
    void operator()(const op::ExpertLinear &of);
    void operator()(const op::MixExperts &of);

  protected:
    using Kind = Expression::Kind;
    using When = Expression::When;
    using Q = Quantity;
    using Beside = Remark::Beside;

    static std::string digits(Index index) { return std::to_string(index); }
    static Expression given() { return leaf(Kind::Given); }

    Slice m_made;

  private:
    /// Vaswani et al. (2017), section 3.5.
    void addSinusoids(SinusoidOrder order);
    void addSlope(std::span<const float> slopes);
    void addLearnedBias(const DistanceBias::Relative &of);
    void noteDistance();
    void addRow(Expression row, const std::string &symbol, Note note);
    void addLearnedRow(Index row, const std::string &symbol, Note note);

    /// Returns the experts whose weight is not 0 in the row. `weights` is the step that computes
    /// the weights. Empty if no row is selected.
    std::vector<Index> chosenBy(StepId weights) const;
    /// Returns the sum of `each(index)` over the indices.
    template <typename Each>
    static Expression total(const std::vector<Index> &indices, Each each) {
        std::optional<Expression> sum;
        for (const Index index : indices)
            sum = sum ? *std::move(sum) + each(index) : each(index);
        return sum ? *std::move(sum) : number(0);
    }
    /// Returns `count` columns of the first matrix read, as the row of one expert.
    Expression ofExpert(Index first, Index count) const;
};

} // namespace headlight::core
