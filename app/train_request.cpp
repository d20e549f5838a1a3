#include "app/train_request.h"

#include "app/option_reader.h"
#include "app/option_values.h"

namespace headlight::app {

namespace {

/// Converts options, one by one, to recipe changes.
class ChangeReader {
  public:
    explicit ChangeReader(const OptionReader &reader) : m_reader(reader) {}

    template <typename Owner>
    void index(const char *option, Owner core::Recipe::*part, core::Index Owner::*member,
               bool isOfModel) {
        if (const auto value = m_reader.index(option))
            add(option, isOfModel, [=](core::Recipe &recipe) { recipe.*part.*member = *value; });
    }
    void index(const char *option, core::Index core::Recipe::*member) {
        if (const auto value = m_reader.index(option))
            add(option, false, [=](core::Recipe &recipe) { recipe.*member = *value; });
    }
    void number(const char *option, float core::OptimizerSettings::*member) {
        if (const auto value = m_reader.number<float>(option, "a number"))
            add(option, false, [=](core::Recipe &recipe) { recipe.optimizer.*member = *value; });
    }
    /// Reads one of two words.
    template <typename Owner>
    void choice(const char *option, const char *yes, Owner core::Recipe::*part, bool Owner::*member,
                bool isOfModel) {
        if (!m_reader.word(option))
            return;
        const bool value = m_reader.oneOf(option) == yes;
        add(option, isOfModel, [=](core::Recipe &recipe) { recipe.*part.*member = value; });
    }
    /// Reads one of the words of session files.
    template <typename Owner, typename Choice>
    void word(const char *option, Owner core::Recipe::*part, Choice Owner::*member,
              bool isOfModel) {
        if (!m_reader.word(option))
            return;
        const auto value =
            static_cast<Choice>(wordsOfFiles<Choice>().indexOf(m_reader.oneOf(option)));
        add(option, isOfModel, [=](core::Recipe &recipe) { recipe.*part.*member = value; });
    }
    void seed() {
        if (const auto value = m_reader.number<quint64>("seed", "a whole number from 0"))
            add("seed", true, [=](core::Recipe &recipe) { recipe.seed = *value; });
    }

    std::vector<RecipeChange> changes() && { return std::move(m_changes); }

  private:
    void add(const char *option, bool isOfModel, std::function<void(core::Recipe &)> apply) {
        m_changes.push_back({option, isOfModel, std::move(apply)});
    }

    const OptionReader &m_reader;
    std::vector<RecipeChange> m_changes;
};

} // namespace

std::vector<RecipeChange> readRecipeChanges(const OptionReader &reader) {
    using R = core::Recipe;
    using A = core::Architecture;
    using O = core::OptimizerSettings;
    constexpr bool kOfModel = true, kOfRun = false;
    ChangeReader read(reader);
    read.index("steps", &R::steps);
    read.seed();
    read.index("batch", &R::batch);
    read.index("layers", &R::architecture, &A::layers, kOfModel);
    read.index("heads", &R::architecture, &A::heads, kOfModel);
    read.index("width", &R::architecture, &A::width, kOfModel);
    read.index("feed-forward", &R::architecture, &A::feedForward, kOfModel);
    read.word("activation", &R::architecture, &A::activation, kOfModel);
    read.word("positions", &R::architecture, &A::positions, kOfModel);
    read.word("norm", &R::architecture, &A::norm, kOfModel);
    read.choice("residual", "on", &R::architecture, &A::residual, kOfModel);
    read.choice("scaling", "sqrt", &R::architecture, &A::scaled, kOfModel);
    read.choice("mask", "causal", &R::architecture, &A::masked, kOfModel);
    read.word("optimizer", &R::optimizer, &O::kind, kOfRun);
    read.number("learning-rate", &O::learningRate);
    read.number("beta1", &O::beta1);
    read.number("beta2", &O::beta2);
    read.number("epsilon", &O::epsilon);
    read.number("momentum", &O::momentum);
    read.number("weight-decay", &O::weightDecay);
    read.number("clip", &O::clip);
    read.index("warm-up", &R::optimizer, &O::warmUp, kOfRun);
    read.choice("schedule", "cosine", &R::optimizer, &O::cosine, kOfRun);
    return std::move(read).changes();
}

} // namespace headlight::app
