// Counts the members of a plain struct. A test of a hand-written member list then fails if a
// member is added to the struct only.
#pragma once

#include <cstddef>

namespace headlight::test {

struct Anything {
    template <typename Member>
    operator Member() const; // declared only, never called
};

template <typename Struct, typename... Members>
consteval std::size_t memberCount() {
    if constexpr (requires { Struct{Members()..., Anything()}; })
        return memberCount<Struct, Members..., Anything>();
    else
        return sizeof...(Members);
}

} // namespace headlight::test
