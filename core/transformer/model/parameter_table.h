// The properties of all parameters of a model, one row each. Code that names, checks, reads, writes
// or creates parameters uses this table.
#pragma once

#include "core/transformer/model/parameter_id.h"

#include <span>

namespace headlight::core {

/// Biases and norm parameters have a single row and are optional.
enum class ParameterForm { Matrix, Bias, NormGain, NormBias };

/// The rows or columns of a parameter that belong to one head.
enum class HeadBlocks {
    None,
    Columns,      ///< columns h·d … h·d + d − 1 for head h
    GroupColumns, ///< like Columns, but for the head's group
    Rows,         ///< rows h·d_v … h·d_v + d_v − 1 for head h
};

/// The parameter can have any number of rows.
inline constexpr Index kAnyRows = -1;

struct ParameterInfo {
    /// Computes a size; `words` is the vocabulary size.
    using Size = Index (*)(const Config &, Index words);
    struct Member {
        ParameterPart part;
        Parameter &(*in)(ModelParameters &, const ParameterId &);
    };

    ParameterKind kind;
    std::string_view name; ///< name within its part, as used in files: "query_bias"
    Member member;
    ParameterForm form;
    bool isRequired;                  ///< must exist if hasPlace()
    bool (*hasPlace)(const Config &); ///< true if models with this config can have it
    Size rows;                        ///< number of rows, or kAnyRows
    Size columns;
    HeadBlocks blocks = HeadBlocks::None;
    std::optional<ParameterKind> beside{}; ///< the parameter that this one depends on
    bool isAfterLayers = false; ///< for stack parameters: used after the layers, not before

    constexpr ParameterPart part() const { return member.part; }
    constexpr bool isRow() const { return form != ParameterForm::Matrix; }
    constexpr bool isOfNorm() const {
        return form == ParameterForm::NormGain || form == ParameterForm::NormBias;
    }
};

/// Returns all kinds, grouped by part, in the order used in files.
std::span<const ParameterInfo> parameterTable();
std::span<const ParameterInfo> parametersOf(ParameterPart part);
const ParameterInfo &infoOf(ParameterKind kind);
/// Returns null if the part has no parameter of this name.
const ParameterInfo *findInfo(ParameterPart part, std::string_view name);

} // namespace headlight::core
