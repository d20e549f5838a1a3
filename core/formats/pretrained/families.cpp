#include "core/formats/pretrained/family/family.h"

#include "core/formats/pretrained/families/families.h"

#include <algorithm>

namespace headlight::core {

namespace {

constexpr const Family *kFamilies[] = {
    &kGpt2,    &kGptNeo,  &kGptNeox,   &kGptj,       &kLlama,    &kMistral,    &kQwen2,
    &kQwen3,   &kPhi,     &kPhi3,      &kGemma,      &kGemma2,   &kGemma3,     &kSmolLm3,
    &kGranite, &kOlmo2,   &kMixtral,   &kOlmoe,      &kGptOss,   &kQwen3Moe,   &kDeepseekV3,
    &kLlama4,  &kOpt,     &kBloom,     &kFalcon,     &kBert,     &kRoberta,    &kDistilbert,
    &kAlbert,  &kElectra, &kDebertaV2, &kModernBert, &kBart,     &kMarian,     &kM2m100,
    &kPegasus, &kT5,      &kVit,       &kDeit,       &kClipText, &kClipVision, &kWhisper,
};

} // namespace

std::span<const Family *const> families() {
    return kFamilies;
}

const Family *findFamily(std::string_view modelType) {
    const auto found = std::ranges::find_if(kFamilies, [modelType](const Family *family) {
        return std::ranges::find(family->modelTypes, modelType) != family->modelTypes.end();
    });
    return found == std::end(kFamilies) ? nullptr : *found;
}

} // namespace headlight::core
