#include "core/formats/session/data/lesson.h"

namespace headlight::core {

namespace {

Outcome fitsIn(const std::string &text, std::size_t most, const std::string &where) {
    if (text.size() <= most)
        return Done{};
    return Error{{"the text is longer than %1 bytes", most}, where, "make it several paragraphs"};
}

Outcome hasSize(std::size_t size, std::size_t least, std::size_t most, const std::string &where) {
    if (size >= least && size <= most)
        return Done{};
    return Error{{"expected a list of %1 to %2 elements", least, most}, where, ""};
}

std::string at(const std::string &list, std::size_t index) {
    return list + "[" + std::to_string(index) + "]";
}

/// Keeps the first error.
class Sizes {
  public:
    void add(Outcome outcome) {
        if (m_outcome && !outcome)
            m_outcome = std::move(outcome);
    }
    void addTexts(const std::vector<std::string> &texts, const std::string &where) {
        for (std::size_t i = 0; i < texts.size(); ++i)
            add(fitsIn(texts[i], kMaximumMarkedBytes, at(where, i)));
    }
    template <typename Choice>
    void addChoices(const std::vector<Choice> &choices, std::size_t most,
                    const std::string &where) {
        for (std::size_t i = 0; i < choices.size(); ++i) {
            add(fitsIn(choices[i].text, kMaximumMarkedBytes, at(where, i) + ".text"));
            add(fitsIn(choices[i].condition, most, at(where, i) + ".if"));
        }
    }
    Outcome take() { return std::move(m_outcome); }

  private:
    Outcome m_outcome = Done{};
};

void addStep(Sizes &sizes, const LessonStep &step, const std::string &where) {
    sizes.addTexts(step.text, where + ".text");
    sizes.add(fitsIn(step.tryIt, kMaximumMarkedBytes, where + ".try_it"));
    sizes.add(fitsIn(step.mistake, kMaximumMarkedBytes, where + ".mistake"));
    if (step.question) {
        const std::string question = where + ".question";
        sizes.add(fitsIn(step.question->text, kMaximumMarkedBytes, question + ".text"));
        sizes.add(hasSize(step.question->answers.size(), kMinimumAnswers, kMaximumAnswers,
                          question + ".answers"));
        sizes.addChoices(step.question->answers, kMaximumAnswerCondition, question + ".answers");
    }
    if (step.exercise) {
        const std::string exercise = where + ".exercise";
        sizes.add(fitsIn(step.exercise->text, kMaximumMarkedBytes, exercise + ".text"));
        sizes.add(hasSize(step.exercise->goals.size(), 1, kMaximumGoals, exercise + ".goals"));
        sizes.addChoices(step.exercise->goals, kMaximumGoalCondition, exercise + ".goals");
        sizes.add(hasSize(step.exercise->hints.size(), 0, kMaximumHints, exercise + ".hints"));
        sizes.addTexts(step.exercise->hints, exercise + ".hints");
    }
}

} // namespace

Outcome checkSizes(const Lesson &lesson) {
    Sizes sizes;
    if (lesson.steps.empty())
        sizes.add(Error{"expected at least one step", "lesson.steps", ""});
    if (lesson.minutes < 0 || lesson.minutes > kMaximumMinutes)
        sizes.add(Error{{"expected 1 to %1 minutes", kMaximumMinutes}, "lesson.minutes", ""});
    sizes.add(hasSize(lesson.needs.size(), 0, kMaximumNeeds, "lesson.needs"));
    for (std::size_t i = 0; i < lesson.needs.size(); ++i)
        if (lesson.needs[i].empty() || lesson.needs[i].size() > kMaximumIdBytes)
            sizes.add(Error{{"expected a lesson's name, of at most %1 letters", kMaximumIdBytes},
                            at("lesson.needs", i),
                            ""});
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        addStep(sizes, lesson.steps[i], at("lesson.steps", i));
    return sizes.take();
}

} // namespace headlight::core
