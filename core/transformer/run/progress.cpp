#include "core/transformer/run/progress.h"

namespace headlight::core {

Progress::Layers layersBefore(const Model &model, StageId at) {
    const Index encoder = model.hasEncoder() ? model.layerCount(Stack::Encoder) : 0;
    const Index all = encoder + model.layerCount();
    const auto computed = [&]() -> Index {
        switch (infoOf(at.stage).part) {
        case Part::Embedding:
            return at.attention.stack == model.mainStack() ? encoder : 0;
        case Part::Layer:
        case Part::Attention:
        case Part::FeedForward:
            return (at.attention.stack == model.mainStack() ? encoder : 0) + at.attention.layer;
        case Part::Final:
            return at.attention.stack == model.mainStack() ? all : encoder;
        case Part::OutputLayer:
            return all;
        }
        return 0;
    };
    return {static_cast<std::uint32_t>(computed()), static_cast<std::uint32_t>(all)};
}

} // namespace headlight::core
