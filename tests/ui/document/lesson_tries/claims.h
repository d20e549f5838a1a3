// Numeric checks of claims in lesson sentences that go beyond the numbers next to them.
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
