// Functions that return a different value, for each field type of the state. A field of a new type
// needs an overload here.
#pragma once

#include "core/formats/session/data/state_fields.h"

#include <algorithm>

namespace headlight::test {

inline bool other(bool flag) {
    return !flag;
}

template <typename Number>
requires std::is_arithmetic_v<Number> Number other(Number number) {
    return number + 1;
}

template <typename Choice>
requires std::is_enum_v<Choice> Choice other(Choice choice) {
    return choice == Choice(0) ? Choice(1) : Choice(0);
}

inline core::Scale other(const core::Scale &scale) {
    return {core::Scale::Kind::Number, scale.number + 2};
}

inline core::Softcap other(core::Softcap cap) {
    return {cap.limit + 2};
}

inline std::vector<core::Index> other(std::vector<core::Index> windows) {
    windows.push_back(2);
    return windows;
}

/// Returns different slopes, for at least two heads.
inline std::vector<float> other(std::vector<float> slopes) {
    slopes.resize(std::max<std::size_t>(slopes.size(), 2));
    slopes.front() += 0.25f;
    return slopes;
}

inline core::SoftmaxLook other(core::SoftmaxLook look) {
    look.logits.push_back(1);
    return look;
}

inline core::MaskOptions other(const core::MaskOptions &) {
    return {-1e9f, false};
}

inline core::Norm other(core::Norm norm) {
    norm.epsilon *= 2;
    return norm;
}

inline core::FeedForward other(core::FeedForward feedForward) {
    feedForward.activation = other(feedForward.activation);
    return feedForward;
}

inline core::RotaryConfig other(core::RotaryConfig rotary) {
    rotary.base *= 2;
    return rotary;
}

inline core::RelativeConfig other(core::RelativeConfig relative) {
    ++relative.buckets;
    return relative;
}

inline core::OutputLayer other(core::OutputLayer head) {
    head.pooling = other(head.pooling);
    return head;
}

inline core::MaskLayers other(core::MaskLayers masks) {
    masks.push_back(core::WindowMask{3, false});
    return masks;
}

inline core::Interventions other(core::Interventions interventions) {
    interventions.setHead(0, 0, core::HeadState::Mean);
    return interventions;
}

/// Appends a copy of each sequence's first token to its end.
inline core::BatchPointer other(const core::BatchPointer &batch) {
    if (!batch)
        return *core::Batch::ofWords({{"other", "words"}});
    std::vector<std::vector<std::string>> sequences;
    for (const core::Sequence &sequence : batch->sequences()) {
        std::vector<std::string> &tokens =
            sequences.emplace_back(core::textsOf(sequence.tokenized().tokens));
        tokens.push_back(tokens.front());
    }
    return *core::Batch::ofWords(std::move(sequences));
}

inline core::EmbeddingsPointer other(const core::EmbeddingsPointer &embeddings) {
    const auto width = static_cast<std::size_t>(embeddings->width());
    return std::make_shared<const core::Embeddings>(
        embeddings,
        std::map<std::string, std::vector<float>>{{"word", std::vector<float>(width, 0.5f)}});
}

inline core::TrainingRunPointer other(const core::TrainingRunPointer &run) {
    auto further = std::make_shared<core::TrainingRun>();
    further->step = run ? run->step + 1 : 1;
    return further;
}

inline constexpr core::ParameterId kOtherParameter{0, core::ParameterKind::Query};

inline core::ModelParameters other(core::ModelParameters weights) {
    core::Matrix query = *parameterOf(weights, kOtherParameter)->toMatrix();
    query(0, 0) += 1;
    parameterOf(weights, kOtherParameter) = core::makeParameter(std::move(query));
    return weights;
}

} // namespace headlight::test
