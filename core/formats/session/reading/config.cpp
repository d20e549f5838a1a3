// Sizes and switches of `model` in a session file.
#include "core/formats/session/data/state_fields.h"
#include "core/formats/session/data/words.h"
#include "core/formats/session/reading/parts.h"
#include "core/in_quotes.h"

#include <cmath>

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;

template <typename Choice>
void readChoice(const Field &field, Choice &choice) {
    if (const auto word = field.present() ? field.word(Words<Choice>::all) : std::nullopt)
        choice = static_cast<Choice>(*word);
}

void readFlag(const Field &field, bool &flag) {
    if (field.present())
        flag = field.boolean().value_or(flag);
}

void readPositive(const Field &field, float &number) {
    if (field.present())
        number = field.positive().value_or(number);
}

void readSize(const Field &field, Index minimum, Index maximum, Index &size) {
    if (field.present())
        size = field.whole(minimum, maximum).value_or(size);
}

/// Reads a number that is not negative.
void readNotNegative(const Field &field, float &number) {
    if (!field.present())
        return;
    if (field.is(Kind::Number) && std::isfinite(field.value().single) && field.value().single >= 0)
        number = field.value().single;
    else
        field.expected("a number of 0 or more");
}

/// Reports a missing member on which other members depend.
void require(const Field &parent, const char *name) {
    if (parent.is(Kind::Object) && !parent.member(name).present())
        parent.member(name).fail("it is missing",
                                 {"say it, or leave all of %1 out", inQuotes(parent.path())});
}

} // namespace

void readOver(const Field &field, Positions &positions) {
    readChoice(field, positions);
}

void readOver(const Field &field, SinusoidOrder &order) {
    readChoice(field, order);
}

void readOver(const Field &field, QueryKeyNorm &norm) {
    readChoice(field, norm);
}

void readOver(const Field &field, bool &flag) {
    readFlag(field, flag);
}

void readOver(const Field &field, float &number) {
    readPositive(field, number);
}

void readOver(const Field &field, Scale &scale) {
    if (field.is(Kind::Number)) {
        if (const auto number = field.positive())
            scale = {Scale::Kind::Number, *number};
    } else if (field.is(Kind::String) && field.value().text() == "square_root") {
        scale = {};
    } else if (field.is(Kind::String) && field.value().text() == "off") {
        scale = {Scale::Kind::Off, 1};
    } else {
        field.expected("\"square_root\", \"off\" or the number to divide by");
    }
}

void readOver(const Field &field, Softcap &cap) {
    if (field.is(Kind::String) && field.value().text() == "off") {
        cap = {};
    } else if (field.is(Kind::Number)) {
        if (const auto limit = field.positive())
            cap = {*limit};
    } else {
        field.expected("\"off\", or the number that caps them");
    }
}

void readOver(const Field &field, std::vector<float> &slopes) {
    const auto count = static_cast<Index>(field.size());
    if (!field.isArray())
        return;
    if (count > kMaximumHeads)
        return field.expected({"a list of at most %1 numbers", kMaximumHeads});
    if (auto numbers = readVector(field, count))
        slopes = std::move(*numbers);
}

void readOver(const Field &field, std::vector<Index> &windows) {
    if (!field.isArray())
        return;
    if (static_cast<Index>(field.size()) > kMaximumLayers)
        return field.expected({"a list of at most %1 numbers", kMaximumLayers});
    std::vector<Index> read;
    for (std::size_t i = 0; i < field.size(); ++i)
        if (const auto window = field.element(i).whole(0, kMaximumPositions))
            read.push_back(*window);
    if (read.size() == field.size())
        windows = std::move(read);
}

void readOver(const Field &field, Norm &norm) {
    if (!field.isObject())
        return;
    readChoice(field.member("kind"), norm.kind);
    readChoice(field.member("place"), norm.place);
    readNotNegative(field.member("epsilon"), norm.epsilon);
    readFlag(field.member("final"), norm.final);
    readFlag(field.member("embedding"), norm.embedding);
}

void readOver(const Field &field, FeedForward &feedForward) {
    if (!field.isObject())
        return;
    readSize(field.member("width"), 0, kMaximumFeedForwardWidth, feedForward.width);
    readChoice(field.member("activation"), feedForward.activation);
    readFlag(field.member("gated"), feedForward.gated);
}

void readOver(const Field &field, RotaryConfig &rotary) {
    if (!field.isObject())
        return;
    readPositive(field.member("base"), rotary.base);
    readSize(field.member("width"), 0, kMaximumWidth, rotary.width);
    readChoice(field.member("scaling"), rotary.scaling);
    readPositive(field.member("factor"), rotary.factor);
    readSize(field.member("original_length"), 0, kMaximumPositions, rotary.originalLength);
    readPositive(field.member("low_frequency_factor"), rotary.lowFrequencyFactor);
    readPositive(field.member("high_frequency_factor"), rotary.highFrequencyFactor);
    readPositive(field.member("beta_fast"), rotary.betaFast);
    readPositive(field.member("beta_slow"), rotary.betaSlow);
    readNotNegative(field.member("attention_factor"), rotary.attentionFactor);
}

void readOver(const Field &field, RelativeConfig &relative) {
    if (!field.isObject())
        return;
    readSize(field.member("buckets"), 1, kMaximumWidth, relative.buckets);
    readSize(field.member("maximum_distance"), 1, kMaximumPositions, relative.maximumDistance);
}

void readOver(const Field &field, OutputLayer &head) {
    if (!field.isObject())
        return;
    readChoice(field.member("kind"), head.kind);
    readFlag(field.member("scaled"), head.scaled);
    readChoice(field.member("activation"), head.activation);
    readFlag(field.member("norm"), head.norm);
    readSize(field.member("classes"), 0, kMaximumWidth, head.classes);
    readChoice(field.member("pooling"), head.pooling);
}

std::optional<MaskOptions> readMasking(const Field &parent, MaskOptions masking) {
    const Field value = parent.member("mask_value");
    const Field afterSoftmax = parent.member("mask_after_softmax");
    if (value.is(Kind::String) && value.value().text() == "negative_infinity") {
        masking.value = MaskOptions().value;
    } else if (value.is(Kind::Number) && std::isfinite(value.value().single) &&
               value.value().single < 0) {
        masking.value = value.value().single;
    } else if (value.present()) {
        value.expected("\"negative_infinity\" or a number less than 0");
        return std::nullopt;
    }
    if (afterSoftmax.present())
        masking.afterSoftmax = afterSoftmax.boolean().value_or(false);
    return masking;
}

bool readConfig(const Field &field, Config &config) {
    const auto width = field.member("width").whole(1, kMaximumWidth);
    const auto heads = field.member("heads").whole(1, kMaximumHeads);
    const auto headSize = field.member("head_size").whole(1, kMaximumWidth);
    const std::size_t before = field.reading().problems.size();
    forEachField(kSwitches, [&](const auto &each) {
        if (const Field said = field.member(each.name); said.present())
            readOver(said, config.*each.place);
    });
    require(field.member("norm"), "kind");
    require(field.member("feed_forward"), "width");
    require(field.member("head"), "kind");
    config.masking = readMasking(field, config.masking).value_or(config.masking);
    readSize(field.member("key_value_heads"), 1, kMaximumHeads, config.keyValueHeads);
    readSize(field.member("value_size"), 1, kMaximumWidth, config.valueSize);
    readSize(field.member("layer_count"), 1, kMaximumLayers, config.layerCount);
    readSize(field.member("encoder").member("layer_count"), 1, kMaximumLayers,
             config.encoderLayerCount);
    const Field encoder = field.member("encoder");
    readSize(encoder.member("heads"), 1, kMaximumHeads, config.encoder.heads);
    readSize(encoder.member("head_size"), 1, kMaximumWidth, config.encoder.headSize);
    readSize(encoder.member("value_size"), 1, kMaximumWidth, config.encoder.valueSize);
    readSize(encoder.member("key_value_heads"), 1, kMaximumHeads, config.encoder.keyValueHeads);
    readSize(encoder.member("feed_forward_width"), 1, kMaximumFeedForwardWidth,
             config.encoder.feedForwardWidth);
    readSize(field.member("embedding_width"), 1, kMaximumWidth, config.embeddingWidth);
    readSize(field.member("position_offset"), 0, kMaximumPositions, config.positionOffset);
    if (!width || !heads || !headSize)
        return false;
    Config sized = config;
    sized.width = *width;
    sized.heads = *heads;
    sized.headSize = *headSize;
    if (const Outcome outcome = validate(sized); !outcome) {
        // The problem of an unreadable field has already been reported.
        if (field.reading().problems.size() == before)
            field.reading().add(outcome.error());
        return false;
    }
    config = sized;
    return true;
}

} // namespace headlight::core
