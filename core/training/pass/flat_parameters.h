// All learned numbers of a model one after the other, filled up as the loops of training like them.
#pragma once

#include "core/training/pass/aligned_numbers.h"
#include "core/training/pass/row_layout.h"
#include "core/transformer/model/model.h"
#include "core/transformer/model/parameter_id.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace headlight::core {

/// A parameter's place in the list.
struct FlatParameter {
    ParameterId id{};
    RowLayout rows{};    ///< of [in, out] the rows, in the layout of what is multiplied with it
    RowLayout columns{}; ///< as what is made with it
    Index offset = 0;
    bool decays = false; ///< a matrix that is multiplied with: weight decay concerns it
    /// Where its transpose stands in a list of its own; none: nobody needs it.
    std::optional<Index> transposed{};

    Index size() const { return rows.extent() * columns.stride(); }
    Index transposedStride() const { return rows.stride(); }
    /// Where a number of the model's matrix stands among all.
    Index place(Index row, Index column) const {
        return offset + rows.place(row) * columns.stride() + columns.place(column);
    }
};

class FlatParameters {
  public:
    /// The place of a parameter, which may be asked for again: then layouts must be the same, which
    /// false says.
    bool add(const ParameterId &id, const RowLayout &rows, const RowLayout &columns, bool decays,
             std::size_t &at);
    void needTransposed(std::size_t at);

    const FlatParameter &operator[](std::size_t at) const { return m_parameters[at]; }
    const std::vector<FlatParameter> &all() const { return m_parameters; }
    Index size() const { return m_size; }
    Index transposedSize() const { return m_transposedSize; }

    /// Error: a number that cannot be read. A parameter that is null leaves its place as it is.
    Outcome read(const ModelParameters &weights, float *numbers) const;
    /// A copy of `shape`, all of whose parameters that are learned are new, with these numbers.
    ModelParameters toWeights(const ModelParameters &shape, const float *numbers) const;
    /// Not all, once it is stopped.
    void transpose(const float *numbers, float *transposed, const std::stop_token &stop) const;
    /// Of a row and column of the model's matrix; null: nothing learns it.
    const FlatParameter *find(const ParameterId &id) const;

  private:
    std::vector<FlatParameter> m_parameters;
    Index m_size = 0;
    Index m_transposedSize = 0;
};

} // namespace headlight::core
