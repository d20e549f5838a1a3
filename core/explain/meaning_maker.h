// The meanings of operations, one function for each. The definitions are in meaning.cpp,
// meaning_positions.cpp and meaning_experts.cpp.
#pragma once

#include "core/explain/matrix_part.h"
#include "core/explain/meaning_of_step.h"

#include <span>
#include <string>
#include <vector>

namespace headlight::core {

class MeaningMaker : private MeaningOfStep {
    using Kind = Expression::Kind;
    using When = Expression::When;
    using Q = Quantity;
    using Beside = Remark::Beside;

  public:
    MeaningMaker(const Trace &trace, Index sequence, const Slice &made)
        : MeaningOfStep(trace, sequence, made.step, made.head), m_made(made) {}

    Meaning make() {
        const Operation *change = changeOfStep();
        const auto *set = change ? std::get_if<op::SetCells>(change) : nullptr;
        m_meaning.by = change && !set ? change : &m_step.operation;
        std::visit(*this, *m_meaning.by);
        if (set)
            overwrite(*change, *set);
        return std::move(m_meaning);
    }

    void operator()(const op::Captured &);
    void operator()(const op::Clone &);

    /// The token's one-hot row times the embedding matrix. Only the token's own product is not 0.
    void operator()(const op::EmbeddingLookup &);

    void operator()(const op::AddRows &of);
    /// Vaswani et al. (2017), section 3.5.
    void addSinusoids(SinusoidOrder order);
    /// Ioffe and Szegedy (2015), Ba et al. (2016), Zhang and Sennrich (2019).
    void operator()(const op::Normalise &of);

    void operator()(const op::Linear &of);

    /// Su et al. (2021): dimension i and its partner are rotated by position · frequency.
    void operator()(const op::ApplyRotary &of);

    /// Nakanishi (2025): each query is multiplied by a factor of its position.
    void operator()(const op::TuneQueries &of);

    void operator()(const op::DotProduct &);
    void operator()(const op::WeightedSum &) { is(weightedSum(kRow)); }

    void operator()(const op::Each &of) { std::visit(*this, of.function); }
    void operator()(const op::Scale &of);
    void operator()(const op::Tanh &) { is(function(Kind::Tanh, named(Q::Input, read(0)))); }
    void operator()(const op::Sigmoid &);
    void operator()(Activation which) { is(activation(which)); }
    void operator()(const op::Softcap &of);

    /// Press et al. (2022), Raffel et al. (2020).
    void operator()(const op::DistanceBias &of);
    void addSlope(std::span<const float> slopes);
    void addLearnedBias(const DistanceBias::Relative &of);

    /// He et al. (2021).
    void operator()(const op::DistanceVectors &);
    void operator()(const op::PickDistances &of);

    void operator()(const op::Mask &of);

    /// e^((x − maximum) ÷ T) ÷ Σ. Subtracting the maximum avoids overflow and does not change the
    /// result.
    void operator()(const op::Softmax &of);
    void withoutSoftmax(float temperature);
    /// e^(s ÷ T) ÷ (e^(s ÷ T) + Σ e^(x ÷ T)), written with differences, which do not overflow.
    void operator()(const op::SinkWeight &of);

    void operator()(const op::ConcatHeads &);
    void operator()(const op::SplitHeads &);
    void operator()(const op::JoinColumns &);
    void operator()(const op::JoinNeighbours &of);

    void operator()(const op::Add &);
    void operator()(const op::Gate &of);

    /// Shazeer et al. (2017).
    void operator()(const op::KeepLargest &of);
    void operator()(const op::ScaleForExperts &);
    void operator()(const op::ExpertLinear &of);
    void operator()(const op::MixExperts &of);

    /// Each row is a sequence.
    void operator()(const op::Pool &of);

    void operator()(const op::SetCells &) {} // see overwrite()
    void operator()(const op::Replace &of);
    void byUniformWeights();
    void byZero();
    void byMean();

  private:
    static std::string digits(Index index) { return std::to_string(index); }
    static Expression given() { return leaf(Kind::Given); }
    bool isHidden() const;

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

    void overwrite(const Operation &change, const op::SetCells &set);
    /// Attention weights · values.
    Expression weightedSum(Coordinate row) const;
    Expression activation(Activation which);
    Expression activationOf(Activation which, const Expression &x);
    bool isDisentangled() const;
    void noteDistance();
    void addRow(Expression row, const std::string &symbol, Note note);
    void addLearnedRow(Index row, const std::string &symbol, Note note);
    /// Adds a remark on the sequence, or the shared head, of the keys and values.
    void remarkOfKeys();

    Slice m_made;
};

} // namespace headlight::core
