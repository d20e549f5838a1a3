#include "core/training/run/weight_update.h"

#include "core/explain/line_writer.h"

#include <cmath>

namespace headlight::core {

namespace {

std::string bracketed(double value) {
    return value < 0 ? "(" + digitsText(value) + ")" : digitsText(value);
}

/// Returns the formula "a·x + b·y".
std::string mixed(double a, double x, double b, double y) {
    return digitsText(a) + "·" + bracketed(x) + " + " + digitsText(b) + "·" + bracketed(y);
}

class UpdateTable {
  public:
    explicit UpdateTable(const WeightUpdate &update) : m_update(update) {}

    std::vector<UpdateRow> take() {
        const WeightUpdate &u = m_update;
        add("gradient", "g = ∂loss/∂w", {}, u.gradient);
        const std::string clip = fullText(u.settings.clip);
        if (u.clipFactor != 1)
            add("clipped", "g ← g · " + clip + " / |g|",
                bracketed(u.gradient) + " · " + clip + " / " + digitsText(u.gradientLength),
                clipped());
        else
            add("clipped", "g ← g", "|g| = " + digitsText(u.gradientLength), clipped());
        if (u.settings.kind == OptimizerKind::Sgd)
            momentum();
        else
            adam();
        const double change = u.after - u.before;
        m_rows.back().value = change;
        add("new value", "w ← w + Δw", digitsText(u.before) + " + " + bracketed(change), u.after);
        return std::move(m_rows);
    }

  private:
    double clipped() const { return m_update.gradient * m_update.clipFactor; }
    void add(const Message &name, std::string formula, std::string numbers, double value) {
        m_rows.push_back({name, std::move(formula), std::move(numbers), value});
    }
    bool decays() const { return m_update.decays && m_update.settings.weightDecay > 0; }
    std::string decayFormula() const { return decays() ? " − η·λ·w" : ""; }
    std::string decayNumbers() const {
        const WeightUpdate &u = m_update;
        return decays() ? " − " + digitsText(u.rate) + "·" + fullText(u.settings.weightDecay) +
                              "·" + bracketed(u.before)
                        : std::string();
    }

    void adam() {
        const WeightUpdate &u = m_update;
        const double b1 = static_cast<double>(u.settings.beta1);
        const double b2 = static_cast<double>(u.settings.beta2);
        const auto steps = static_cast<double>(u.step + 1);
        const double mHat = u.firstAfter / (1 - std::pow(b1, steps));
        const double vHat = u.secondAfter / (1 - std::pow(b2, steps));
        add("mean of the gradients", "m ← β₁·m + (1 − β₁)·g",
            mixed(b1, u.firstBefore, 1 - b1, clipped()), u.firstAfter);
        add("mean of their squares", "v ← β₂·v + (1 − β₂)·g²",
            mixed(b2, u.secondBefore, 1 - b2, clipped() * clipped()), u.secondAfter);
        const std::string power = std::to_string(u.step + 1);
        add("change",
            "Δw = −η·m̂ / (√v̂ + ε)" + decayFormula() + ", m̂ = m / (1 − β₁^" + power +
                "), v̂ = v / (1 − β₂^" + power + ")",
            "−" + digitsText(u.rate) + "·" + bracketed(mHat) + " / (√" + digitsText(vHat) + " + " +
                digitsText(static_cast<double>(u.settings.epsilon)) + ")" + decayNumbers(),
            0);
    }

    void momentum() {
        const WeightUpdate &u = m_update;
        const double mu = static_cast<double>(u.settings.momentum);
        add("velocity", "v ← μ·v + g",
            digitsText(mu) + "·" + bracketed(u.firstBefore) + " + " + bracketed(clipped()),
            u.firstAfter);
        add("change", "Δw = −η·v" + decayFormula(),
            "−" + digitsText(u.rate) + "·" + bracketed(u.firstAfter) + decayNumbers(), 0);
    }

    const WeightUpdate &m_update;
    std::vector<UpdateRow> m_rows;
};

} // namespace

std::vector<UpdateRow> rowsOf(const WeightUpdate &update) {
    return UpdateTable(update).take();
}

} // namespace headlight::core
