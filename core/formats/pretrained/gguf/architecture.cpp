#include "core/formats/pretrained/gguf/architecture.h"

#include <algorithm>

namespace headlight::core {

namespace {

constexpr const GgufArchitecture *kGgufArchitectures[] = {
    &kGgufLlama,  &kGgufQwen2, &kGgufQwen3, &kGgufGemma,   &kGgufGemma2,
    &kGgufGemma3, &kGgufPhi3,  &kGgufGpt2,  &kGgufGptNeox, &kGgufBert};

} // namespace

std::span<const GgufArchitecture *const> ggufArchitectures() {
    return kGgufArchitectures;
}

const GgufArchitecture *findGgufArchitecture(std::string_view name) {
    const auto found = std::ranges::find(kGgufArchitectures, name, &GgufArchitecture::name);
    return found == std::end(kGgufArchitectures) ? nullptr : *found;
}

std::string knownGgufArchitectures() {
    std::string list;
    for (const GgufArchitecture *known : kGgufArchitectures)
        list += (list.empty() ? "" : ", ") + std::string(known->name);
    return list;
}

} // namespace headlight::core
