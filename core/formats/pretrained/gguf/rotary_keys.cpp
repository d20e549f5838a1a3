// Reads the rotary positions of GGUF files: rope.* in the metadata, and the frequency factors of
// Llama 3, which are a tensor.
#include "core/formats/pretrained/gguf/gguf_config.h"
#include "core/tensor/number_formats.h"
#include "core/transformer/model/config.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::core {

namespace {

constexpr const char *kFactorsName = "rope_freqs.weight";
constexpr const char *kLongName = "rope_factors_long.weight";
constexpr const char *kShortName = "rope_factors_short.weight";
constexpr double kUsualRotaryBase = 10'000;
// The settings of Llama 3.1 to 3.3. The file does not contain them, only the factors computed from
// them.
constexpr double kLlama3Low = 1, kLlama3High = 4, kLlama3Length = 8192;
constexpr double kFactorTolerance = 1e-4;

JsonValue jsonOf(double number) {
    JsonValue value(JsonValue::Kind::Number);
    value.number = number;
    value.single = static_cast<float>(number);
    return value;
}

/// Builds the object of a field such as rope_scaling.
class ScalingFields {
  public:
    explicit ScalingFields(const char *type) {
        JsonValue text(JsonValue::Kind::String);
        text.content->text = type;
        m_fields.content->members.push_back({"rope_type", std::move(text)});
    }
    void set(const char *name, double number) {
        m_fields.content->members.push_back({name, jsonOf(number)});
    }
    void set(const char *name, const std::vector<float> &numbers) {
        JsonValue list(JsonValue::Kind::Array);
        for (const float number : numbers)
            list.content->elements.push_back(jsonOf(static_cast<double>(number)));
        m_fields.content->members.push_back({name, std::move(list)});
    }
    JsonValue take() { return std::move(m_fields); }

  private:
    JsonValue m_fields{JsonValue::Kind::Object};
};

/// Returns the wavelength of a pair of dimensions, in positions.
double wavelengthOf(std::size_t pair, double width, double base) {
    return 2 * std::numbers::pi * std::pow(base, 2 * static_cast<double>(pair) / width);
}

/// Returns the divisor of a pair's frequency in Llama 3. `length`: the text length in training.
double llama3Factor(double wavelength, double factor, double length) {
    if (wavelength < length / kLlama3High)
        return 1;
    if (wavelength > length / kLlama3Low)
        return factor;
    const double smooth = (length / wavelength - kLlama3Low) / (kLlama3High - kLlama3Low);
    return 1 / ((1 - smooth) / factor + smooth);
}

/// Returns the text length in training. Any factor strictly between 1 and `factor` determines it.
double lengthOf(const std::vector<float> &factors, double width, double base, double factor) {
    for (std::size_t pair = 0; pair < factors.size(); ++pair) {
        const double found = static_cast<double>(factors[pair]);
        if (found <= 1.001 || found >= factor * 0.999)
            continue;
        const double smooth = (1 / found - 1 / factor) / (1 - 1 / factor);
        const double length =
            wavelengthOf(pair, width, base) * (smooth * (kLlama3High - kLlama3Low) + kLlama3Low);
        return length < static_cast<double>(kMaxPositions) ? std::round(length) : kLlama3Length;
    }
    return kLlama3Length;
}

/// Returns the values of the tensor; empty after a problem.
std::vector<float> factorsIn(GgufConfig &config, const GgufTensor &tensor) {
    const auto floats = config.file().floatsOf(tensor);
    if (tensor.shape.rank() != 1 || tensor.shape[0] > kMaxWidth || !floats) {
        config.failAt(tensor, "it should have one row of numbers", "get the file again");
        return {};
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>((*floats)->size()));
    if (const Outcome read = (*floats)->read(0, bytes); !read) {
        config.failAt(tensor, read.error().what, read.error().remedy);
        return {};
    }
    std::vector<float> factors(bytes.size() / sizeof(float));
    decodeNumbers(NumberType::F32, bytes.data(), std::ssize(factors), factors.data());
    return factors;
}

/// Sets the scaling of Llama 3 if the factors match Llama 3's; otherwise reports a problem.
void addFactors(GgufConfig &config, const GgufTensor &tensor, double width, double base) {
    const std::vector<float> factors = factorsIn(config, tensor);
    if (factors.empty())
        return;
    const double factor = std::ranges::max(factors);
    bool isKnown = static_cast<double>(factors.size()) == width / 2 && factor >= 1;
    const double length = isKnown ? lengthOf(factors, width, base, factor) : kLlama3Length;
    for (std::size_t i = 0; isKnown && i < factors.size(); ++i) {
        const double expected = llama3Factor(wavelengthOf(i, width, base), factor, length);
        isKnown =
            std::abs(static_cast<double>(factors[i]) - expected) <= kFactorTolerance * expected;
    }
    if (!isKnown)
        return config.failAt(tensor, "its factors of rotary positions are not those of Llama 3",
                             "Headlight does not compute other factors");
    if (factor == 1)
        return;
    ScalingFields scaling("llama3");
    scaling.set("factor", factor);
    scaling.set("low_freq_factor", kLlama3Low);
    scaling.set("high_freq_factor", kLlama3High);
    scaling.set("original_max_position_embeddings", length);
    config.set("rope_scaling", scaling.take());
}

/// Sets the scaling of Phi-3 for long texts, which has a factor for each pair of dimensions.
void addLongRope(GgufConfig &config, const GgufTensor &longOnes, const GgufTensor &shortOnes) {
    ScalingFields scaling("longrope");
    scaling.set("long_factor", factorsIn(config, longOnes));
    scaling.set("short_factor", factorsIn(config, shortOnes));
    if (const auto length = config.whole("rope.scaling.original_context_length"))
        scaling.set("original_max_position_embeddings", *length);
    if (const auto strength = config.real("rope.scaling.attn_factor"))
        scaling.set("attention_factor", *strength);
    (void)config.text("rope.scaling.type");
    (void)config.real("rope.scaling.factor");
    config.place("rope_scaling.original_max_position_embeddings",
                 "rope.scaling.original_context_length");
    config.place("rope_scaling.attention_factor", "rope.scaling.attn_factor");
    config.set("rope_scaling", scaling.take());
}

void addScaling(GgufConfig &config) {
    const std::string type = config.text("rope.scaling.type").value_or("none");
    const auto factor = config.real("rope.scaling.factor"),
               older = config.real("rope.scale_linear");
    const auto length = config.whole("rope.scaling.original_context_length");
    const auto strength = config.real("rope.scaling.attn_factor");
    const auto fast = config.real("rope.scaling.yarn_beta_fast"),
               slow = config.real("rope.scaling.yarn_beta_slow");
    config.place("rope_scaling.factor", "rope.scaling.factor");
    config.place("rope_scaling.original_max_position_embeddings",
                 "rope.scaling.original_context_length");
    if (type == "linear" || (type == "none" && older && *older != 1)) {
        ScalingFields scaling("linear");
        scaling.set("factor", factor.value_or(older.value_or(1)));
        return config.set("rope_scaling", scaling.take());
    }
    if (type == "none")
        return;
    if (type != "yarn" || (strength && *strength != 1))
        return config.fail(type == "yarn" ? "rope.scaling.attn_factor" : "rope.scaling.type",
                           "Headlight does not compute this scaling of rotary positions",
                           "it computes none, linear, and yarn with an attn_factor of 1");
    ScalingFields scaling("yarn");
    if (factor)
        scaling.set("factor", *factor);
    if (length)
        scaling.set("original_max_position_embeddings", *length);
    if (fast)
        scaling.set("beta_fast", *fast);
    if (slow)
        scaling.set("beta_slow", *slow);
    config.set("rope_scaling", scaling.take());
}

} // namespace

void addRotaryFields(GgufConfig &config, double headSize, double usualShare) {
    const auto base = config.real("rope.freq_base");
    config.place("rope_theta", "rope.freq_base");
    if (base)
        config.set("rope_theta", *base);
    const auto width = config.whole("rope.dimension_count");
    config.place("partial_rotary_factor", "rope.dimension_count");
    const double turned = width.value_or(headSize);
    if (turned != usualShare * headSize && headSize > 0)
        // Slightly larger than the exact share, so that share · head size is not rounded down.
        config.set("partial_rotary_factor", turned == headSize ? 1 : (turned + 1e-3) / headSize);
    const GgufTensor *longOnes = config.file().find(kLongName);
    const GgufTensor *shortOnes = config.file().find(kShortName);
    if (longOnes && shortOnes)
        return addLongRope(config, *longOnes, *shortOnes);
    const GgufTensor *factors = config.file().find(kFactorsName);
    if (!factors)
        return addScaling(config);
    if (config.has("rope.scaling.type") && config.text("rope.scaling.type") != "none")
        return config.fail("rope.scaling.type", {"the file also has the tensor %1", kFactorsName},
                           "Headlight computes one of them, not both");
    addFactors(config, *factors, width.value_or(headSize), base.value_or(kUsualRotaryBase));
}

} // namespace headlight::core
