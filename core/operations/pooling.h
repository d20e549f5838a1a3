// From the vectors of a sequence's tokens to one.
#pragma once

namespace headlight::core {

enum class Pooling {
    First, ///< the first token's, as BERT takes [CLS]
    Last,  ///< the last real token's
    Mean,  ///< of the real tokens
};

} // namespace headlight::core
