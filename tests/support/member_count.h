// Counts the members of a plain struct. A test that compares this number with a hand-written list
// then fails if only the struct gets a new member.
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
