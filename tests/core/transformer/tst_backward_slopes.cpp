// Every gradient compared with finite differences of forward(), on models of every kind.
#include "core/transformer/model/parameter_id.h"
#include "core_test.h"
#include "loss.h"
#include "smooth_transformers.h"
#include "tests/support/long.h"

namespace {

constexpr double kStep = 1.0 / 64;
constexpr double kSlopeTolerance = 1e-3;
constexpr double kRounding = 3e-7; // relative rounding error of the loss in 32-bit floats

/// Measures slopes of a loss in any direction.
class Slopes {
  public:
    Slopes(SmoothCase drawn, std::uint64_t seed) : m_case(std::move(drawn)), m_random(seed) {
        m_trace = traceOf(m_case.model, m_case.input);
        const std::vector<std::string> names = m_trace->names();
        m_loss.seeds.push_back(randomSeed(m_random, *m_trace, names.back()));
        for (int extra = 0; extra < 2; ++extra) {
            const std::string &name = names[m_random.next() % names.size()];
            if (!name.ends_with("masked_scores")) // masked scores have −∞, and −∞ · 0 is NaN
                m_loss.seeds.push_back(randomSeed(m_random, *m_trace, name));
        }
        m_gradients = gradientsOf(*m_trace, m_loss);
    }

    void checkParameters() {
        for (const ParameterId &id : allParameters(m_case.model.parameters)) {
            const Parameter before = parameterOf(m_case.model.parameters, id);
            const Parameter &gradient = parameterOf(m_gradients->parameters, id);
            CAPTURE(nameOf(id));
            REQUIRE((before != nullptr) == (gradient != nullptr));
            if (!before)
                continue;
            REQUIRE(gradient->rows() == before->rows());
            REQUIRE(gradient->columns() == before->columns());
            checkDirections(before, *gradient->toMatrix(), [&](Parameter changed) {
                Model model = m_case.model;
                parameterOf(model.parameters, id) = std::move(changed);
                return m_loss.of(*traceOf(model, m_case.input));
            });
        }
    }

    /// Checks the gradients of the embeddings by giving the sequences their own embeddings instead
    /// of the rows that are looked up.
    void checkEmbeddings() {
        const Model &model = m_case.model;
        std::vector<Stack> stacks{model.mainStack()};
        if (m_case.input.source)
            stacks.push_back(model.sourceStack());
        for (const Stack stack : stacks) {
            const std::string name = stageName(Stage::Embeddings, {0, {}, stack});
            CAPTURE(name);
            const SharedMatrix given = m_trace->stage(name).matrix(0);
            const MatrixView numbers = given;
            const Tensor gradient = m_gradients->stage(name);
            if (gradient.isNull())
                continue; // the loss does not depend on this source
            const Matrix before(numbers.rows, numbers.columns,
                                {numbers.data, numbers.data + numbers.rows * numbers.columns});
            const MatrixView slope = gradient.view(0);
            const Matrix expected(slope.rows, slope.columns,
                                  {slope.data, slope.data + slope.rows * slope.columns});
            checkDirections(makeParameter(before), expected, [&](Parameter changed) {
                Input input = m_case.input;
                BatchPointer &batch = stack == model.mainStack() ? input.batch : input.source;
                batch = batch->withEmbeddings(0, std::move(changed));
                return m_loss.of(*traceOf(model, input));
            });
        }
    }

    int checked() const { return m_checked; }
    int skipped() const { return m_skipped; }

  private:
    /// Checks the slope along one random ±1 direction over all entries, and along two single
    /// entries.
    template <typename LossAt>
    void checkDirections(const Parameter &before, const Matrix &gradient, LossAt lossAt) {
        const std::size_t count = before->toMatrix()->values().size();
        for (int turn = 0; turn < 3; ++turn) {
            std::vector<float> direction(count, 0.0f);
            if (turn == 0)
                for (float &sign : direction)
                    sign = oneIn(m_random, 2) ? 1.0f : -1.0f;
            else
                direction[m_random.next() % count] = 1;
            double expected = 0, size = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const double own = static_cast<double>(gradient.values()[i]);
                expected += own * static_cast<double>(direction[i]);
                size += own * own;
            }
            const auto along = [&](double step) {
                std::vector<float> values = before->toMatrix()->values();
                for (std::size_t i = 0; i < count; ++i)
                    values[i] += static_cast<float>(step) * direction[i];
                return lossAt(
                    makeParameter(Matrix(before->rows(), before->columns(), std::move(values))));
            };
            check(expected, std::sqrt(size), along);
        }
    }

    /// Halves the step until two results agree, since some losses are strongly curved. Checks
    /// nothing if they never agree.
    template <typename Along>
    void check(double expected, double size, Along along) {
        const double loss = m_loss.size(*m_trace);
        double slope = slopeOf(along, kStep);
        int agreed = 0;
        for (double step = kStep / 2; step > kStep / 20; step /= 2) {
            const double finer = slopeOf(along, step);
            const double allowed = kSlopeTolerance * size + kRounding * loss / step;
            agreed = std::abs(finer - slope) <= allowed ? agreed + 1 : 0;
            slope = finer;
            if (agreed < 2)
                continue;
            ++m_checked;
            CAPTURE(size);
            CAPTURE(allowed);
            CAPTURE(expected);
            CAPTURE(slope);
            CHECK(std::abs(slope - expected) <= 2 * allowed);
            return;
        }
        ++m_skipped;
    }

    SmoothCase m_case;
    Random m_random;
    TracePointer m_trace;
    Loss m_loss;
    GradientsPointer m_gradients;
    int m_checked = 0, m_skipped = 0;
};

} // namespace

TEST_CASE("on models of every kind, gradients are slopes") {
    int checked = 0, skipped = 0, models = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        if (!headlight::test::isTried(seed, 3))
            continue;
        ++models;
        CAPTURE(seed);
        Slopes slopes(smoothTransformer(seed), seed + 1000);
        slopes.checkParameters();
        slopes.checkEmbeddings();
        checked += slopes.checked();
        skipped += slopes.skipped();
    }
    CHECK(checked > 75 * models);
    CHECK(skipped * 50 < checked);
}
