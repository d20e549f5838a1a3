// `softmax` of a view or step: the settings of the softmax view.
#include "core/formats/session/data/words.h"
#include "core/formats/session/reading/parts.h"

namespace headlight::core {

namespace {

std::vector<float> readOwnLogits(const Field &field) {
    std::vector<float> logits;
    if (!field.isArray())
        return logits;
    if (field.size() == 0 || field.size() > kMostOwnLogits) {
        field.expected({"1 to %1 numbers", kMostOwnLogits});
        return logits;
    }
    for (std::size_t index = 0; index < field.size(); ++index) {
        const Field element = field.element(index);
        const std::optional<float> logit = element.number();
        if (!logit)
            return {};
        if (!isOwnLogit(*logit)) {
            element.expected("a number from −1000000 to 1000000");
            return {};
        }
        logits.push_back(*logit);
    }
    return logits;
}

} // namespace

std::optional<SoftmaxLook> readSoftmaxLook(const Field &field) {
    if (!field.isObject())
        return std::nullopt;
    SoftmaxLook look;
    if (const Field part = field.member("part"); part.present())
        if (const auto word = part.word(Words<SoftmaxPart>::all))
            look.part = static_cast<SoftmaxPart>(*word);
    if (const Field logits = field.member("logits"); logits.present())
        look.logits = readOwnLogits(logits);
    const auto readOwn = [&](const char *name, bool (*isOwn)(float), const char *expected,
                             float &value) {
        const Field own = field.member(name);
        const std::optional<float> number = own.present() ? own.number() : std::nullopt;
        if (!number)
            return;
        if (isOwn(*number))
            value = *number;
        else
            own.expected(expected);
    };
    readOwn("times", isOwnTimes, "a number greater than 0, at most 1000000", look.times);
    readOwn("temperature", isOwnTemperature, "a number from 0.0001 to 10000", look.temperature);
    if (const Field size = field.member("d_k"); size.present())
        look.headSize = size.whole(1, kMostDrawnHeadSize).value_or(look.headSize);
    if (const Field seed = field.member("seed"); seed.present())
        look.seed = readSeed(seed).value_or(look.seed);
    return look;
}

} // namespace headlight::core
