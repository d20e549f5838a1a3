#include "core/training/run/weight_update.h"

#include "core/explain/line_writer.h"

#include <cmath>

namespace headlight::core {

namespace {

std::string bracketed(double value) {
    return value < 0 ? "(" + digitsText(value) + ")" : digitsText(value);
}

class UpdateLines {
  public:
    explicit UpdateLines(const WeightUpdate &update) : m_update(update) {}

    std::vector<Line> take() {
        const WeightUpdate &u = m_update;
        begin("g = ∂loss/∂w");
        end(u.gradient);
        if (u.clipFactor != 1) {
            begin("g ← g · " + fullText(u.settings.clip) + " / |g|");
            m_line.plain(" = " + digitsText(u.gradient) + " · " + fullText(u.settings.clip) +
                         " / " + digitsText(u.gradientLength));
            end(clipped());
        }
        if (u.settings.kind == OptimizerKind::Sgd)
            momentum();
        else
            adam();
        return std::move(m_lines);
    }

  private:
    double clipped() const { return m_update.gradient * m_update.clipFactor; }
    void begin(const std::string &text) { m_line.plain(text); }
    void end(double value) {
        m_line.plain(" = ");
        m_line.number(digitsText(value), Role::Residual);
        m_lines.push_back(m_line.take());
        m_line = {};
    }
    /// "a·x + b·y"
    static std::string mixed(double a, double x, double b, double y) {
        return digitsText(a) + "·" + bracketed(x) + " + " + digitsText(b) + "·" + bracketed(y);
    }
    std::string decayed() const {
        const WeightUpdate &u = m_update;
        return u.decays && u.settings.weightDecay > 0
                   ? " − " + digitsText(u.rate) + "·" + fullText(u.settings.weightDecay) + "·" +
                         bracketed(u.before)
                   : std::string();
    }

    void adam() {
        const WeightUpdate &u = m_update;
        const double b1 = static_cast<double>(u.settings.beta1);
        const double b2 = static_cast<double>(u.settings.beta2);
        const auto steps = static_cast<double>(u.step + 1);
        const double mHat = u.firstAfter / (1 - std::pow(b1, steps));
        const double vHat = u.secondAfter / (1 - std::pow(b2, steps));
        begin("m ← β₁·m + (1 − β₁)·g = " + mixed(b1, u.firstBefore, 1 - b1, clipped()));
        end(u.firstAfter);
        begin("v ← β₂·v + (1 − β₂)·g² = " +
              mixed(b2, u.secondBefore, 1 - b2, clipped() * clipped()));
        end(u.secondAfter);
        const std::string power = std::to_string(u.step + 1);
        begin("m̂ = m / (1 − β₁^" + power + ")");
        end(mHat);
        begin("v̂ = v / (1 − β₂^" + power + ")");
        end(vHat);
        begin(std::string("w ← w − η·m̂ / (√v̂ + ε)") + (decayed().empty() ? "" : " − η·λ·w") +
              " = " + digitsText(u.before) + " − " + digitsText(u.rate) + "·" + bracketed(mHat) +
              " / (√" + digitsText(vHat) + " + " +
              digitsText(static_cast<double>(u.settings.epsilon)) + ")" + decayed());
        end(u.after);
    }

    void momentum() {
        const WeightUpdate &u = m_update;
        const double mu = static_cast<double>(u.settings.momentum);
        begin("v ← μ·v + g = " + digitsText(mu) + "·" + bracketed(u.firstBefore) + " + " +
              bracketed(clipped()));
        end(u.firstAfter);
        begin(std::string("w ← w − η·v") + (decayed().empty() ? "" : " − η·λ·w") + " = " +
              digitsText(u.before) + " − " + digitsText(u.rate) + "·" + bracketed(u.firstAfter) +
              decayed());
        end(u.after);
    }

    const WeightUpdate &m_update;
    LineWriter m_line;
    std::vector<Line> m_lines;
};

} // namespace

std::vector<Line> linesOf(const WeightUpdate &update) {
    return UpdateLines(update).take();
}

} // namespace headlight::core
