// Fields that families read from a config.json, in all spellings.
#include "core/formats/json/reader.h"
#include "core/formats/pretrained/family/family_fields.h"
#include "core_test.h"

namespace {

/// The fields of a config.json for the functions under test.
class Read {
  public:
    explicit Read(std::string_view json)
        : m_document(*readJson(json)), fields(Field(&m_document, "", reading)) {}

  private:
    JsonValue m_document;

  public:
    Reading reading;
    FamilyFields fields;

    std::vector<Warning> unknown() const { return reading.asked.unknownIn(m_document, 9); }
    std::string problem() const {
        return reading.problems.empty() ? "" : reading.problems.front().text();
    }
};

RotaryConfig rotaryOf(std::string_view json, Index headSize = 8, Index positions = 4096) {
    Read read(json);
    const RotaryConfig rotary = readRotary(read.fields, headSize, positions);
    CHECK_MESSAGE(read.problem() == "", read.problem());
    return rotary;
}

std::string refusedRotary(std::string_view json) {
    Read read(json);
    (void)readRotary(read.fields, 8, 4096);
    return read.problem();
}

bool has(const std::string &text, const char *part) {
    CAPTURE(text);
    CHECK_MESSAGE(text.find(part) != text.npos, part);
    return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("rotary settings in the old and the new spelling are the same") {
    CHECK(rotaryOf("{}") == RotaryConfig{});
    CHECK(rotaryOf(R"({"rope_theta": 500000.0})").base == 500000);
    CHECK(rotaryOf(R"({"rope_parameters": {"rope_theta": 500000, "rope_type": "default"}})") ==
          rotaryOf(R"({"rope_theta": 500000, "rope_scaling": null})"));
    const RotaryConfig linear = rotaryOf(R"({"rope_scaling": {"type": "linear", "factor": 4.0}})");
    CHECK(linear.scaling == RotaryScaling::Linear);
    CHECK(linear.factor == 4);
    CHECK(linear == rotaryOf(R"({"rope_parameters": {"rope_type": "linear", "factor": 4.0}})"));
    CHECK(linear ==
          rotaryOf(R"({"rope_scaling": {"rope_type": "linear", "type": "linear", "factor": 4}})"));
}

TEST_CASE("each kind of scaling has its numbers") {
    const RotaryConfig dynamic = rotaryOf(R"({"rope_scaling": {"type": "dynamic", "factor": 2}})");
    CHECK(dynamic.scaling == RotaryScaling::Dynamic);
    CHECK(dynamic.originalLength == 4096);
    const RotaryConfig llama = rotaryOf(R"({"rope_scaling": {"rope_type": "llama3", "factor": 8,
        "low_freq_factor": 1.5, "high_freq_factor": 5, "original_max_position_embeddings": 8192}})");
    CHECK(llama.scaling == RotaryScaling::Llama3);
    CHECK(llama.lowFrequencyFactor == 1.5f);
    CHECK(llama.highFrequencyFactor == 5);
    CHECK(llama.originalLength == 8192);
    const RotaryConfig yarn = rotaryOf(R"({"rope_scaling": {"rope_type": "yarn", "factor": 4,
        "beta_fast": 16, "beta_slow": 2, "attention_factor": 1.25,
        "original_max_position_embeddings": 2048}})");
    CHECK(yarn.scaling == RotaryScaling::Yarn);
    CHECK(yarn.betaFast == 16);
    CHECK(yarn.betaSlow == 2);
    CHECK(yarn.attentionFactor == 1.25f);
    CHECK(yarn.truncates);
    CHECK_FALSE(rotaryOf(R"({"rope_scaling": {"rope_type": "yarn", "factor": 4,
        "truncate": false}})")
                    .truncates);
    const RotaryConfig longRope = rotaryOf(R"({"original_max_position_embeddings": 1024,
        "rope_scaling": {"type": "longrope", "short_factor": [1, 1.5, 2, 3],
                         "long_factor": [1, 2, 4, 8]}})");
    CHECK(longRope.scaling == RotaryScaling::LongRope);
    CHECK(longRope.factor == 4);
    CHECK(longRope.originalLength == 1024);
    CHECK(longRope.shortFactors == std::vector<float>{1, 1.5f, 2, 3});
    CHECK(longRope.longFactors == std::vector<float>{1, 2, 4, 8});
    CHECK(longRope == rotaryOf(R"({"rope_parameters": {"rope_type": "longrope", "factor": 4,
        "original_max_position_embeddings": 1024, "short_factor": [1, 1.5, 2, 3],
        "long_factor": [1, 2, 4, 8]}})"));
    CHECK(rotaryOf(R"({"partial_rotary_factor": 0.5})").width == 4);
    CHECK(rotaryOf(R"({"rope_parameters": {"partial_rotary_factor": 0.25}})").width == 2);
}

TEST_CASE("a file with the rotated share in the old and the new place has no unknown field") {
    Read read(
        R"({"partial_rotary_factor": 0.5, "rope_parameters": {"partial_rotary_factor": 0.25}})");
    CHECK(readRotary(read.fields, 8, 4096).width == 2);
    CHECK(read.unknown().empty());
}

TEST_CASE("a family's own names and defaults of rotary settings") {
    const RotaryDefaults neox{
        .base = 500, .share = 0.25, .olderBase = "rotary_emb_base", .olderShare = "rotary_pct"};
    const auto of = [&](std::string_view json) {
        Read read(json);
        const RotaryConfig rotary = readRotary(read.fields, 16, 4096, neox);
        CHECK_MESSAGE(read.problem() == "", read.problem());
        CHECK(read.unknown().empty());
        return std::pair(rotary.base, rotary.width);
    };
    CHECK(of("{}") == std::pair(500.0f, Index(4)));
    CHECK(of(R"({"rotary_emb_base": 70, "rotary_pct": 0.5})") == std::pair(70.0f, Index(8)));
    CHECK(of(R"({"rotary_emb_base": 70, "rope_theta": 80, "rotary_pct": 0.5,
                 "partial_rotary_factor": 0.125})") == std::pair(80.0f, Index(2)));
    CHECK(of(R"({"rotary_pct": 0.5, "rope_parameters": {"rope_theta": 90,
                 "partial_rotary_factor": 1}})") == std::pair(90.0f, Index(16)));
    // 0.7 × 20 is 14 in the decimal notation of the file, but less in floats.
    Read seven(R"({"partial_rotary_factor": 0.7})");
    CHECK(readRotary(seven.fields, 20, 4096).width == 14);
}

TEST_CASE("DeepSeek's factors of YaRN count only together") {
    const auto factorOf = [](const std::string &fields) {
        Read read(R"({"rope_scaling": {"rope_type": "yarn", "factor": 40)" + fields + "}}");
        const float factor = readRotary(read.fields, 20, 4096).attentionFactor;
        CHECK(read.problem() == "");
        return factor;
    };
    CHECK(factorOf("") == 0); // 0: YaRN's default factor
    CHECK(factorOf(R"(, "mscale": 0.7)") == 0);
    CHECK(factorOf(R"(, "mscale": 1.0, "mscale_all_dim": 1.0)") == 1); // as in DeepSeek-V3
    CHECK(factorOf(R"(, "mscale": 0.707, "mscale_all_dim": 1.0)") ==
          doctest::Approx((0.0707 * std::log(40.0) + 1) / (0.1 * std::log(40.0) + 1)));
    CHECK(factorOf(R"(, "attention_factor": 3, "mscale": 1.0, "mscale_all_dim": 0.5)") == 3);
}

TEST_CASE("a softcap is a number, off if it is null, and has a default if it is missing") {
    Read read(R"({"a": 50.0, "b": null, "c": -1})");
    CHECK(read.fields.softcap("a", {30}) == Softcap{50});
    CHECK(read.fields.softcap("b", {30}) == Softcap{});
    CHECK(read.fields.softcap("none", {30}) == Softcap{30});
    CHECK(read.problem() == "");
    (void)read.fields.softcap("c", {30});
    CHECK(has(read.problem(), "c"));
}

TEST_CASE("a scaling that Headlight does not have is refused, and the supported ones are listed") {
    const std::string magic = refusedRotary(R"({"rope_scaling": {"type": "magic"}})");
    CHECK(has(magic, "rope_scaling.type"));
    CHECK(has(magic, "\"magic\""));
    CHECK(has(magic, "\"longrope\""));
    CHECK(has(refusedRotary(R"({"rope_scaling": {"type": "longrope", "short_factor": [1]}})"),
              "long_factor"));
    CHECK(has(refusedRotary(R"({"rope_scaling": {"rope_type": "linear"}})"), "factor"));
    CHECK(has(refusedRotary(R"({"rope_scaling": {"rope_type": "yarn", "factor": 2,
        "mscale": "much"}})"),
              "mscale"));
    CHECK(has(refusedRotary(R"({"rope_scaling": 3})"), "rope_scaling"));
    CHECK(has(refusedRotary(R"({"partial_rotary_factor": 0.4})"), "partial_rotary_factor"));
    CHECK(has(refusedRotary(R"({"rope_theta": -1})"), "rope_theta"));
}

TEST_CASE("activations have several names, and others are refused") {
    Read read(R"({"a": "gelu_new", "b": "swish", "c": "tanh"})");
    CHECK(read.fields.activation("a", "relu") == Activation::GeluTanh);
    CHECK(read.fields.activation("b", "relu") == Activation::Silu);
    CHECK(read.fields.activation("none", "gelu") == Activation::Gelu);
    CHECK(read.problem() == "");
    (void)read.fields.activation("c", "relu");
    CHECK(has(read.problem(), "\"tanh\""));
    CHECK(has(read.problem(), "\"quick_gelu\""));
}

TEST_CASE("windows are set per layer, or by a rule") {
    const auto odd = [](Index layer) { return layer % 2 == 1; };
    Read read(R"({"types": ["sliding_attention", "full_attention", "full_attention"],
                  "short": ["full_attention"], "odd": ["full_attention", "chunked", "x"]})");
    CHECK(read.fields.windows("types", 3, 7, odd) == std::vector<Index>{7, 0, 0});
    CHECK(read.fields.windows("none", 3, 7, odd) == std::vector<Index>{0, 7, 0});
    CHECK(read.fields.windows("none", 3, 0, odd).empty());
    CHECK(read.problem() == "");
    (void)read.fields.windows("short", 3, 7, odd);
    CHECK(has(read.problem(), "3"));
    Read without(R"({"types": ["sliding_attention"]})");
    (void)without.fields.windows("types", 1, 0, odd);
    CHECK(has(without.problem(), "types[0]"));
}

TEST_CASE("a null field counts as missing, and a field that is read or ignored is known") {
    Read read(R"({"n": null, "m": 4, "unknown": 1, "known": 2})");
    CHECK(read.fields.size("n", 10, 3) == 3);
    CHECK(read.fields.size("m", 10) == 4);
    CHECK(!read.fields.optionalFlag("n"));
    constexpr std::string_view known[] = {"known"};
    read.fields.ignore(known);
    CHECK(read.problem() == "");
    CHECK(read.fields.size("missing", 10) == 1);
    CHECK(has(read.problem(), "missing"));
}
