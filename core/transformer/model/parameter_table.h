// What there is to know of each parameter of a model, one row each: who names, checks, reads,
// writes or makes parameters reads it here.
#pragma once

#include "core/transformer/model/parameter_id.h"

#include <span>

namespace headlight::core {

/// A bias, and what a norm multiplies by and adds, is one row that a model may do without.
enum class ParameterForm { Matrix, Bias, NormGain, NormBias };

/// Which d rows or columns of a parameter are one head's own.
enum class HeadBlocks {
    None,
    Columns,      ///< of head h: h·d … h·d + d − 1
    GroupColumns, ///< the same of its group
    Rows,         ///< as its columns
};

/// As many rows as the parameter itself has.
inline constexpr Index kAnyRows = -1;

struct ParameterInfo {
    /// Of a model that knows so many words.
    using Size = Index (*)(const Config &, Index words);
    struct Member {
        ParameterPart part;
        Parameter &(*in)(ModelParameters &, const ParameterId &);
    };

    ParameterKind kind;
    std::string_view name; ///< within its part, as files write it: "query_bias"
    Member member;
    ParameterForm form;
    bool isRequired;                  ///< wherever there is a place for it
    bool (*hasPlace)(const Config &); ///< else no model of this config has it
    Size rows;                        ///< or kAnyRows
    Size columns;
    HeadBlocks blocks = HeadBlocks::None;
    std::optional<ParameterKind> beside{}; ///< without this one it means nothing
    bool isAfterLayers = false;            ///< of a stack; else before them

    constexpr ParameterPart part() const { return member.part; }
    constexpr bool isRow() const { return form != ParameterForm::Matrix; }
    constexpr bool isOfNorm() const {
        return form == ParameterForm::NormGain || form == ParameterForm::NormBias;
    }
};

/// Each kind once; those of a part together, in the order in which files are written.
std::span<const ParameterInfo> parameterTable();
std::span<const ParameterInfo> parametersOf(ParameterPart part);
const ParameterInfo &infoOf(ParameterKind kind);
/// Null where the part has none of this name.
const ParameterInfo *findInfo(ParameterPart part, std::string_view name);

} // namespace headlight::core
