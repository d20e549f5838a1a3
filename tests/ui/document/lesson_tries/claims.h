// What a sentence of a lesson claims, as numbers: all that lessons say of more than the numbers
// beside it.
#pragma once

#include "core/transformer/trace/trace.h"

#include <span>

namespace headlight::test {

struct Claim {
    const char *words;
    bool (*holds)(const core::Trace &trace);
};

std::span<const Claim> allClaims();

} // namespace headlight::test
