// Gradients of every parameter and stage of complete transformers, compared with PyTorch's autograd
// in float64 (tests/reference/make_transformer.py).
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/run/backward.h"
#include "core_test.h"
#include "transformer/reference_model.h"

using Json = nlohmann::json;

namespace {

constexpr double kGradientTolerance = 1e-4;
/// Deviations are relative to the largest gradient of a tensor, or to this value if it is larger.
/// The gradient of a key's bias is 0, because softmax ignores a common shift of all keys. It is
/// computed as a sum of numbers near 1 that cancel, so only their rounding errors remain.
constexpr double kFloor = 0.1;

struct Worst {
    double deviation = 0;
    std::string name;
    void see(double other, const std::string &of) {
        CHECK(other <= kGradientTolerance);
        if (other >= deviation)
            *this = {other, of};
    }
};

std::vector<Seed> seedsFrom(const Json &loss) {
    std::vector<Seed> seeds;
    for (const Json &part : loss)
        seeds.push_back({part.at("stage"), tensorFrom(part.at("gradient"))});
    return seeds;
}

/// Returns the gradient in PyTorch's shape. A bias or gain is one row here and a vector in PyTorch.
Tensor gradientOf(const Parameter &parameter, const Json &theirs) {
    REQUIRE(parameter != nullptr);
    return Tensor(Shape(theirs.at("shape").get<std::vector<Index>>()),
                  parameter->toMatrix()->values());
}

/// True if all numbers are 0 or the parameter is null.
bool isNothing(const Parameter &parameter) {
    if (!parameter)
        return true;
    const Matrix numbers = *parameter->toMatrix();
    return std::ranges::all_of(numbers.values(), [](float number) { return number == 0; });
}

void compareParameters(const ModelParameters &ours, const Json &theirs, Worst &worst) {
    for (const ParameterId &id : allParameters(ours)) {
        const std::string name = nameOf(id);
        CAPTURE(name);
        if (theirs.contains(name))
            worst.see(deviationOf(gradientOf(parameterOf(ours, id), theirs.at(name)),
                                  theirs.at(name), kFloor),
                      name);
        else
            CHECK(isNothing(parameterOf(ours, id)));
    }
}

/// True if the stage is computed one head at a time. Such stages are differentiated in tiles and
/// have no gradient as a whole.
bool isInTiles(const Trace &trace, const std::string &name) {
    return trace.isByHead(*trace.plan().find(*findStageAnywhere(name)));
}

void compareStages(const Trace &trace, const Gradients &ours, const Json &theirs, Worst &worst) {
    for (const auto &[name, gradient] : theirs.items()) {
        CAPTURE(name);
        if (isInTiles(trace, name))
            continue;
        worst.see(deviationOf(ours.stage(name), gradient, kFloor), name);
    }
    // PyTorch has every gradient that backward() returns.
    for (const std::string &name : ours.stageNames()) {
        CAPTURE(name);
        CHECK(theirs.contains(name));
    }
}

} // namespace

TEST_CASE("every gradient of every transformer") {
    std::size_t files = 0;
    for (const auto &path : referenceFiles("transformer")) {
        const std::string file = path.stem().string();
        CAPTURE(file);
        const Json document = readReference(path);
        const Model model = transformerFrom(document.at("model"));
        const Input input = transformerInputFrom(document, model);
        for (const Detail detail :
             {Detail::Everything, Detail::Ends, Detail::Heads, Detail::Rows}) {
            const auto trace = valueOf(forward(model, input, nullptr, {}, detail));
            const auto gradients = backward(*trace, seedsFrom(document.at("loss")), true);
            INFO((gradients.ok() ? std::string() : gradients.error().text()));
            REQUIRE(gradients.ok());
            Worst worst;
            const Json &theirs = document.at("gradients");
            compareParameters((*gradients)->parameters, theirs.at("parameters"), worst);
            compareStages(*trace, **gradients, theirs.at("stages"), worst);
            if (detail == Detail::Everything)
                std::printf("%-32s largest deviation %.2e in %s\n", file.c_str(), worst.deviation,
                            worst.name.c_str());
        }
        ++files;
    }
    CHECK(files >= 46);
}
