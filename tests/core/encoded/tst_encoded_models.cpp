// Models whose matrices stay encoded give the results of models with the decoded numbers, bit for
// bit unless products use fixed point. Computing from scratch and token by token gives the same
// bits.
#include "../fixture.h"
#include "../scratch.h"
#include "core/formats/files/file_numbers.h"
#include "core/transformer/model/parameter_id.h"
#include "encoded_fixture.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

constexpr Index kWidth = 256;

struct BothModels {
    Model decoded, encoded;
};

/// Returns two layers with random matrices of the type in a file, and the same model with floats.
BothModels bothModels(const GgufType &type, const std::filesystem::path &folder) {
    Random random(type.number + 1);
    BothModels both;
    Config &config = both.decoded.config;
    config.width = kWidth;
    config.heads = 4;
    config.headSize = kWidth / config.heads;
    config.residual = true;
    config.norm = {NormKind::RootMeanSquare, NormPosition::Before, 1e-5f, true, false};
    config.feedForward = {2 * kWidth, Activation::Silu, true};
    both.decoded.embeddings = std::make_shared<const Embeddings>(Embeddings::Given{
        .width = kWidth, .words = {}, .seed = 5, .deviation = 1, .ignoreCase = false});
    both.encoded = both.decoded;
    int count = 0;
    const auto set = [&](Parameter &decoded, Parameter &encoded, Index rows, Index columns) {
        auto bytes = randomBlocks(random, type, rows * columns / static_cast<Index>(type.values));
        for (std::size_t at = 0; at < bytes.size(); at += type.bytes) // makes the numbers small
            for (const std::uint8_t scale : type.scales)
                bytes[at + scale + 1] = std::byte(0x04);
        const auto path = folder / ("matrix" + std::to_string(count++));
        put(path, std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
        const auto file = openNumberFile(path.string());
        REQUIRE(file.ok());
        encoded = *ParameterMatrix::create(
            decodedBlocks(*numbersIn(*file, 0, bytes.size()), type, "a matrix"),
            {NumberType::F32, rows, columns, 0, 1, rows});
        decoded = makeParameter(*encoded->toMatrix());
    };
    for (int layer = 0; layer < 2; ++layer) {
        LayerParameters &a = both.decoded.parameters.main.layers.emplace_back();
        LayerParameters &b = both.encoded.parameters.main.layers.emplace_back();
        set(a.selfAttention.query, b.selfAttention.query, kWidth, kWidth);
        set(a.selfAttention.key, b.selfAttention.key, kWidth, kWidth);
        set(a.selfAttention.value, b.selfAttention.value, kWidth, kWidth);
        set(a.selfAttention.output, b.selfAttention.output, kWidth, kWidth);
        set(a.feedForward.gate, b.feedForward.gate, kWidth, 2 * kWidth);
        set(a.feedForward.hidden, b.feedForward.hidden, kWidth, 2 * kWidth);
        set(a.feedForward.output, b.feedForward.output, 2 * kWidth, kWidth);
    }
    return both;
}

Input wordsOf(Index count) {
    std::vector<std::string> words;
    for (Index i = 0; i < count; ++i)
        words.push_back("w" + std::to_string(i));
    return {*Batch::ofWords({std::move(words)}), {CausalMask{}}};
}

TracePointer passOf(const Model &model, Index tokens, const TracePointer &before = nullptr) {
    auto trace = headlight::test::forward(model, wordsOf(tokens), before);
    REQUIRE_MESSAGE(trace, (trace ? "" : trace.error().text()));
    return *trace;
}

void checkSame(const Trace &is, const Trace &expected) {
    REQUIRE(is.names() == expected.names());
    for (const std::string &name : expected.names()) {
        CAPTURE(name);
        CHECK(is.stage(name).values() == expected.stage(name).values());
    }
}

/// Compares an encoded model's trace with the trace of the decoded model.
void checkAgrees(const Trace &is, const Trace &expected, const GgufType &type) {
    if (!usesFixedPoint(fastestKernels().product, type))
        return checkSame(is, expected);
    REQUIRE(is.names() == expected.names());
    for (const std::string &name : expected.names()) {
        CAPTURE(name);
        const auto a = is.stage(name).values(), b = expected.stage(name).values();
        REQUIRE(a.size() == b.size());
        double size = 0, difference = 0;
        for (std::size_t i = 0; i < b.size(); ++i) {
            if (a[i] == b[i]) // includes hidden scores, which are infinite
                continue;
            size = std::max(size, std::abs(double(b[i])));
            difference = std::max(difference, std::abs(double(a[i]) - b[i]));
        }
        CHECK(difference <= 2e-4 * size);
    }
}

} // namespace

TEST_CASE(
    "a model with encoded matrices gives the decoded numbers' results, from scratch and by token") {
    for (const std::uint32_t number : {8u, 2u, 12u, 14u}) { // Q8_0, Q4_0, Q4_K, Q6_K
        const GgufType &type = *findGgufType(number);
        CAPTURE(type.name);
        const BothModels both = bothModels(type, freshFolder(std::string(type.name)));
        TracePointer grown = passOf(both.encoded, 5);
        checkAgrees(*grown, *passOf(both.decoded, 5), type);
        for (const Index tokens : {6, 8, 20}) {
            grown = passOf(both.encoded, tokens, grown);
            checkSame(*grown, *passOf(both.encoded, tokens));
            checkAgrees(*grown, *passOf(both.decoded, tokens), type);
        }
    }
}

TEST_CASE("a pass with encoded matrices can be cancelled") {
    const BothModels both = bothModels(*findGgufType(8), freshFolder("cancelled"));
    std::stop_source source;
    source.request_stop();
    const auto stopped =
        headlight::test::forward(both.encoded, wordsOf(5), nullptr, source.get_token());
    REQUIRE_FALSE(stopped.ok());
    CHECK(stopped.error().what == "cancelled");
}
