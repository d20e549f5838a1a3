// Reads the rotary positions in the formats of transformers' modeling_rope_utils.py.
#include "core/format_number.h"
#include "core/formats/pretrained/family/family_fields.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

bool isGiven(const Field &field) {
    return field.present() && !field.is(JsonValue::Kind::Null);
}

float numberIn(const Field &scaling, const char *name, float otherwise) {
    const Field field = scaling.member(name);
    return isGiven(field) ? field.positive().value_or(otherwise) : otherwise;
}

/// Reads the type, such as "linear". Older files call the field "type"; both may exist.
std::string typeIn(const Field &scaling) {
    const Field type = scaling.member("rope_type"), older = scaling.member("type");
    const Field &kindField = isGiven(type) || !isGiven(older) ? type : older;
    if (!isGiven(kindField))
        return "default";
    const auto known = {std::string_view("default"), std::string_view("linear"),
                        std::string_view("dynamic"), std::string_view("yarn"),
                        std::string_view("llama3"),  std::string_view("longrope"),
                        std::string_view("su")};                         // older name of "longrope"
    return kindField.word(known) ? kindField.value().text() : "default"; // reported by word()
}

Index originalLength(const FamilyFields &fields, const Field &scaling, Index positions) {
    for (const Field &field : {scaling.member("original_max_position_embeddings"),
                               fields.field("original_max_position_embeddings")})
        if (isGiven(field))
            return field.whole(1, kMaxPositions).value_or(1);
    if (positions > kMaxPositions)
        scaling.fail(
            {"%1 positions are too many", positions},
            {"Headlight supports up to %1; set original_max_position_embeddings", kMaxPositions});
    return std::min(positions, kMaxPositions);
}

std::vector<float> factorsIn(const Field &scaling, const char *name) {
    const Field list = scaling.member(name);
    std::vector<float> factors;
    if (!list.present())
        list.expected("a list of numbers");
    else if (list.isArray())
        for (std::size_t i = 0; i < list.size() && i < kMaxWidth / 2; ++i)
            factors.push_back(list.element(i).positive().value_or(1));
    return factors;
}

/// Reads "longrope". The default of its factor is the maximum text length divided by the length in
/// training. Files may have both lengths outside the object `scaling`.
void readLongRope(const FamilyFields &fields, const Field &scaling, Index positions,
                  RotaryConfig &rotary) {
    rotary.scaling = RotaryScaling::LongRope;
    rotary.originalLength = originalLength(fields, scaling, positions);
    const double ratio =
        static_cast<double>(positions) / static_cast<double>(rotary.originalLength);
    rotary.factor = numberIn(scaling, "factor", static_cast<float>(ratio));
    rotary.attentionFactor = numberIn(scaling, "attention_factor", 0);
    rotary.shortFactors = factorsIn(scaling, "short_factor");
    rotary.longFactors = factorsIn(scaling, "long_factor");
    // Phi-3.5's mixture of experts has these factors instead of attention_factor.
    for (const char *other : {"short_mscale", "long_mscale"})
        if (const Field field = scaling.member(other); isGiven(field))
            field.expected("nothing",
                           "Headlight does not support this scaling of longrope's attention");
}

/// Reads a factor of YaRN's logarithm; 0 if it is missing.
double strengthIn(const Field &scaling, const char *name) {
    const Field field = scaling.member(name);
    return isGiven(field) ? field.number().value_or(0) : 0;
}

void readScaling(const FamilyFields &fields, const Field &scaling, Index positions,
                 RotaryConfig &rotary) {
    const std::string type = typeIn(scaling);
    if (type == "default")
        return;
    if (type == "longrope" || type == "su")
        return readLongRope(fields, scaling, positions, rotary);
    const Field factor = scaling.member("factor");
    rotary.factor = factor.positive().value_or(1);
    if (type == "linear") {
        rotary.scaling = RotaryScaling::Linear;
        return;
    }
    rotary.originalLength = originalLength(fields, scaling, positions);
    if (type == "dynamic") {
        rotary.scaling = RotaryScaling::Dynamic;
    } else if (type == "llama3") {
        rotary.scaling = RotaryScaling::Llama3;
        rotary.lowFrequencyFactor = numberIn(scaling, "low_freq_factor", 1);
        rotary.highFrequencyFactor = numberIn(scaling, "high_freq_factor", 4);
    } else {
        rotary.scaling = RotaryScaling::Yarn;
        rotary.betaFast = numberIn(scaling, "beta_fast", 32);
        rotary.betaSlow = numberIn(scaling, "beta_slow", 1);
        rotary.attentionFactor = numberIn(scaling, "attention_factor", 0);
        // DeepSeek's factor is the quotient of two factors. If one is missing, the other has no
        // effect.
        const double own = strengthIn(scaling, "mscale"),
                     all = strengthIn(scaling, "mscale_all_dim");
        if (rotary.attentionFactor == 0 && own != 0 && all != 0)
            rotary.attentionFactor =
                static_cast<float>(yarnFactor(rotary.factor, own) / yarnFactor(rotary.factor, all));
        if (const Field truncate = scaling.member("truncate"); isGiven(truncate))
            rotary.truncates = truncate.boolean().value_or(true);
    }
}

} // namespace

double yarnFactor(float factor, double strength) {
    return factor <= 1 ? 1 : 0.1 * strength * std::log(static_cast<double>(factor)) + 1;
}

RotaryConfig readRotary(const FamilyFields &fields, Index headSize, Index positions,
                        const RotaryDefaults &defaults) {
    return readRotary(fields, fields.field("rope_parameters"), headSize, positions, defaults);
}

RotaryConfig readRotary(const FamilyFields &fields, const Field &parameters, Index headSize,
                        Index positions, const RotaryDefaults &defaults) {
    RotaryConfig rotary;
    rotary.base = defaults.base;
    for (const char *name : {defaults.olderBase, "rope_theta"})
        if (name)
            rotary.base = fields.positive(name, rotary.base);
    const Field older = fields.field("rope_scaling");
    const Field &scaling = isGiven(parameters) ? parameters : older;
    if (isGiven(scaling) && scaling.isObject()) {
        rotary.base = numberIn(scaling, "rope_theta", rotary.base);
        readScaling(fields, scaling, positions, rotary);
    }
    // Requests all of these fields, so that none is reported as unknown if a file has several.
    double share = defaults.share;
    Field field = fields.field("partial_rotary_factor");
    const auto take = [&](const Field &given) {
        if (!isGiven(given))
            return;
        share = given.number() ? given.value().number : 1;
        field = given;
    };
    if (defaults.olderShare)
        take(fields.field(defaults.olderShare));
    take(fields.field("partial_rotary_factor"));
    take(scaling.member("partial_rotary_factor"));
    if (share == 1 && !isGiven(field))
        return rotary;
    const double turned = share * static_cast<double>(headSize);
    const bool isPossible = turned >= 2 && turned <= static_cast<double>(headSize);
    rotary.width = isPossible ? static_cast<Index>(turned) : 0;
    if (!isPossible || rotary.width % 2 != 0)
        field.fail({"it rotates %2 of the %1 dimensions of a head", headSize,
                    exact(static_cast<float>(turned))},
                   "use an even number that is at most the head size");
    return rotary;
}

} // namespace headlight::core
