// How a head's weights are made in a trace, and so what may be said about their rows: a what-if or
// an intervention can change all of it.
#pragma once

#include "core/transformer/trace/trace.h"

namespace headlight::core {

struct AttentionRowProperties {
    bool isUniform = false;     ///< the head attends equally to every key that a query may see
    bool hidesWholly = true;    ///< a hidden key weighs exactly nothing
    bool sumsToOne = true;      ///< every row of a query that sees something does
    bool mayBeNegative = false; ///< without softmax a weight is any number
};

AttentionRowProperties weightingOf(const Trace &trace, AttentionId attention, Index head);

/// Whether a query's context is the sum of the values by its weights; not where the head is
/// silenced or gives its mean: its weights are there to look at, but they take nothing anywhere.
bool weightsMakeContext(const Trace &trace, AttentionId attention, Index head);

/// A query whose weights are all exactly zero, since every key is hidden. Not where a finite number
/// stands for hidden scores: softmax makes such a row uniform.
bool seesNothing(const Trace &trace, Index sequence, AttentionId attention, Index head,
                 Index query);

} // namespace headlight::core
