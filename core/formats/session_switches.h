// The switches of a model that a lesson's step, or a person, may turn. One list for all who read
// them, lay them over a model, compare and write them.
#pragma once

#include "core/formats/session.h"

namespace headlight::core {

/// visit(name in files, member of the config, member of the patch), for each. The masking is not
/// among them: its two numbers are members of their own in a file.
template <typename Visit>
void forEachSwitch(Visit visit) {
    visit("positions", &Config::positions, &StatePatch::positions);
    visit("scale", &Config::scale, &StatePatch::scale);
    visit("temperature", &Config::temperature, &StatePatch::temperature);
    visit("softmax", &Config::softmax, &StatePatch::softmax);
    visit("norm", &Config::norm, &StatePatch::norm);
    visit("residual", &Config::residual, &StatePatch::residual);
    visit("feed_forward", &Config::feedForward, &StatePatch::feedForward);
    visit("scale_embeddings", &Config::scaleEmbeddings, &StatePatch::scaleEmbeddings);
    visit("sinusoid_order", &Config::sinusoidOrder, &StatePatch::sinusoidOrder);
    visit("rotary", &Config::rotary, &StatePatch::rotary);
    visit("relative", &Config::relative, &StatePatch::relative);
    visit("head", &Config::head, &StatePatch::head);
}

} // namespace headlight::core
