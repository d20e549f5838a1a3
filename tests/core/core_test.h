// Includes and names for every test of the core: doctest, the standard library and forward().
#pragma once

#include "tests/support/forward.h"

#include <algorithm>
#include <bit>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <variant>
#include <vector>

namespace headlight::core::test {
using headlight::test::forward;
using headlight::test::makeGenerator;

/// Returns the value. Without one, the test case ends with the error.
template <typename Value>
Value valueOf(Result<Value> result) {
    REQUIRE_MESSAGE(result, (result ? "" : result.error().text()));
    return *std::move(result);
}
template <typename Value>
Value valueOf(std::optional<Value> value) {
    REQUIRE(value);
    return *std::move(value);
}

} // namespace headlight::core::test

using namespace headlight::core;
using namespace headlight::core::test;
