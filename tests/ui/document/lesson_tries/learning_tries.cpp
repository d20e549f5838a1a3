#include "core/explain/gradients/backward_pass.h"
#include "tests/support/training.h"
#include "tests/ui/document/lesson_tries/try.h"
#include "ui/document/text_generation.h"
#include "ui/document/training_controller.h"

namespace headlight::test {

using core::Index;
using core::Stage;
using ui::Document;

namespace {

bool trains(ui::TrainingController &controller, const core::Outcome &begun) {
    return begun && until([&] { return !controller.isRunning() && !controller.isBusy(); });
}

double previousToken(const core::HistoryPoint &point) {
    return point.heads.at(0).at(0).previousToken.value();
}

/// Trains the step's run to its end, and scrubs back with the slider.
bool isTrained(const Document &lesson, const core::Trace &) {
    Document document;
    document.open(trainingSession(lesson.lessonStep()->run->recipe));
    ui::TrainingController controller(document);
    if (!settled(document) || !trains(controller, controller.start()) || !settled(document))
        return false;
    const auto stripe = [&document] {
        const core::SharedMatrix weights =
            document.trace()->stage(Stage::AttentionWeights).matrix(0);
        return weights(6, 5);
    };
    const float after = stripe();
    controller.show(0);
    if (!settled(document))
        return false;
    return controller.isDone() == false && after > 0.8f && stripe() < 0.5f;
}

/// Generates `count` tokens, like *Next token* or *Write*.
void written(Document &document, Index count, const core::Sampling &sampling) {
    ui::TextGeneration writer(document);
    for (Index each = 0; each < count; ++each) {
        done(writer.start(1, sampling));
        if (!until([&] { return !writer.isWriting(); }) || !settled(document))
            qFatal("nothing is written");
    }
}

QString tokens(const Document &document, std::size_t sequence) {
    QStringList words;
    for (const core::Token &token : document.state().input.batch->sequences()[sequence].tokens)
        if (token.text != "[PAD]")
            words << QString::fromStdString(token.text);
    return words.join(' ');
}

/// Trains the new run to its end. Of its two layers, the first must have a previous-token head and
/// the second an induction head.
bool isAnotherSeedAnotherRun(const Document &lesson, const core::Trace &) {
    core::Recipe recipe = lesson.session().training->recipe;
    recipe.seed = 2;
    Document document;
    document.open(trainingSession(recipe));
    ui::TrainingController controller(document);
    if (!settled(document) || !trains(controller, controller.start()) || !controller.isDone())
        return false;
    const core::HistoryPoint &last = controller.run()->history.back();
    const auto largest = [&last](std::size_t attention, core::HeadOrder measure) {
        double found = 0;
        for (const core::HeadMeasures &head : last.heads.at(attention))
            found = std::max(found, core::measureOf(head, measure).value_or(found));
        return found;
    };
    return largest(0, core::HeadOrder::PreviousToken) > 0.6 &&
           largest(1, core::HeadOrder::Induction) > 0.6;
}

} // namespace

std::vector<Try> triesOfLearning() {
    return {
        Try("learning", 1, "the row of the second b",
            selected([](core::Selection &at) { at.query = 12; }), {"ln 27 = 3.30"}, {},
            [](const Document &after, const core::Trace &) {
                const std::vector<core::Token> &tokens =
                    after.state().input.batch->sequences()[0].tokens;
                return tokens[3].text == "b" && tokens[12].text == "b";
            }),
        Try("learning", 2, "gradients", nothing, {"its gradient"}, {},
            [](const Document &after, const core::Trace &) {
                const auto back =
                    core::runBackward(after.trace(), core::nextTokenTargetsOf(*after.trace()));
                if (!back)
                    return false;
                const core::Tensor gradient =
                    (*back)->gradient(Stage::AttentionWeights, after.selection().attention());
                return !gradient.isNull() &&
                       std::ranges::any_of(gradient.values(), [](float each) { return each != 0; });
            }),
        Try("learning", 3, "the run, and back", nothing, {"300 steps"}, {}, isTrained),
        Try("learning", 6, "the measure previous token", nothing, {"This is the run of repeat"}, {},
            [](const Document &after, const core::Trace &) {
                const core::TrainingRunPointer run = after.state().training;
                if (!run)
                    return false;
                std::vector<double> measured;
                for (const core::HistoryPoint &point : run->history)
                    if (!point.heads.empty())
                        measured.push_back(previousToken(point));
                return measured.size() > 10 && measured.front() < 0.5 && measured.back() > 0.8;
            }),
        Try("learning", 11, "another seed", nothing, {"Another seed"}, {}, isAnotherSeedAnotherRun),
        Try("writing", 5, "another word", selected([](core::Selection &at) { at.query = 2; }),
            {"Training uses all rows at once"}, {},
            holds("probability logits 0 2 big < 0.6 & probability logits 0 took her > 0.99")),
        Try(
            "writing", 7, "six tokens", [](Document &document) { written(document, 6, {}); },
            {"keep the keys and values"}, {},
            [](const Document &after, const core::Trace &before) {
                return after.trace()->batch().length() == before.batch().length() + 6;
            }),
        Try(
            "writing", 8, "greedy", [](Document &document) { written(document, 42, {}); },
            {"the same story every time"}, {},
            [](const Document &after, const core::Trace &) {
                const QString sentence = "Sam said that his puzzle was blue . ";
                return (tokens(after, 0) + ' ').endsWith(sentence + sentence);
            }),
        Try(
            "writing", 11, "top-k, and another seed",
            [](Document &document) {
                written(document, 3, {.temperature = 1, .topK = 2, .seed = 1});
                written(document, 3, {.temperature = 1, .topK = 2, .seed = 2});
            },
            {"With k = 2 these are green and white"}, {},
            [](const Document &after, const core::Trace &) {
                const QString text = tokens(after, 0);
                return text.startsWith("Mia had a big green") ||
                       text.startsWith("Mia had a big white");
            }),
    };
}

} // namespace headlight::test
