// All parameters of a model in one buffer, padded for the training kernels.
#pragma once

#include "core/training/pass/aligned_numbers.h"
#include "core/training/pass/row_layout.h"
#include "core/transformer/model/model.h"
#include "core/transformer/model/parameter_id.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace headlight::core {

/// The layout of one parameter in the buffer.
struct FlatParameter {
    ParameterId id{};
    RowLayout rows{};    ///< order and padding of the rows of [in, out]: the input's layout
    RowLayout columns{}; ///< order and padding of the columns: the output's layout
    Index offset = 0;
    bool decays = false; ///< has weight decay, because the matrix is used in a product
    /// Offset in the buffer of transposes; nullopt if the transpose is not needed.
    std::optional<Index> transposed{};

    Index size() const { return rows.extent() * columns.stride(); }
    Index transposedStride() const { return rows.stride(); }
    /// Returns the offset of an element of the model's matrix.
    Index place(Index row, Index column) const {
        return offset + rows.place(row) * columns.stride() + columns.place(column);
    }
};

class FlatParameters {
  public:
    /// Adds a parameter and sets `at` to its index. Returns false if it already has another layout.
    bool add(const ParameterId &id, const RowLayout &rows, const RowLayout &columns, bool decays,
             std::size_t &at);
    void needTransposed(std::size_t at);

    const FlatParameter &operator[](std::size_t at) const { return m_parameters[at]; }
    const std::vector<FlatParameter> &all() const { return m_parameters; }
    Index size() const { return m_size; }
    Index transposedSize() const { return m_transposedSize; }

    /// Copies the model's parameters to the buffer, except null parameters. Errors: a parameter
    /// cannot be read.
    Outcome read(const ModelParameters &weights, float *numbers) const;
    /// Returns a copy of `shape` with the trained parameters replaced by those in the buffer.
    ModelParameters toWeights(const ModelParameters &shape, const float *numbers) const;
    /// Writes all requested transposes. If stopped, they are incomplete.
    void transpose(const float *numbers, float *transposed, const std::stop_token &stop) const;
    /// Returns the layout of a parameter; null if it is not trained.
    const FlatParameter *find(const ParameterId &id) const;

  private:
    std::vector<FlatParameter> m_parameters;
    Index m_size = 0;
    Index m_transposedSize = 0;
};

} // namespace headlight::core
