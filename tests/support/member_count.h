// How many members a plain struct has: a test of a list of them fails when one is added to the
// struct alone.
#pragma once

#include <cstddef>

namespace headlight::test {

struct Anything {
    template <typename Member>
    operator Member() const; // only named, never called
};

template <typename Struct, typename... Members>
consteval std::size_t memberCount() {
    if constexpr (requires { Struct{Members()..., Anything()}; })
        return memberCount<Struct, Members..., Anything>();
    else
        return sizeof...(Members);
}

} // namespace headlight::test
