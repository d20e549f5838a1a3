#include "ui/window/start/show/moments.h"

#include "ui/figures/output/output_content.h"
#include "ui/strip/strip_content.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

using core::Stage;

namespace {

constexpr int kSecondsOfMoment = 10;
constexpr double kIsSure = 0.9;     // smallest probability of a word that is called the answer
constexpr double kLooksAt = 0.5;    // weight above which a head "looks at" a word
constexpr double kManyTimes = 2;    // multiple of an equal share above which a head "reads" a word
constexpr double kSameScore = 1e-4; // relative difference that rounding can cause
constexpr int kScoreDecimals = 2;
constexpr int kTimesDecimals = 1;

QString marked(const QString &word) {
    return QLatin1Char('*') + word + QLatin1Char('*');
}

double at(const std::vector<float> &row, core::Index index) {
    return static_cast<double>(row[static_cast<std::size_t>(index)]);
}

QString rootText(double number) {
    const double root = std::sqrt(number);
    return numberText(root, root == std::round(root) ? 0 : kScoreDecimals);
}

ReadSentence readOf(const core::TracePointer &trace) {
    return ReadSentence::of(trace).value_or(ReadSentence{});
}

} // namespace

QString ShowMoments::plain(const QString &text) {
    return QString(text).remove(QLatin1Char('*'));
}

ShowMoments::ShowMoments(ShowRuns runs, ShowRefusal refusal)
    : m_runs(std::move(runs)),
      m_first(readOf(m_runs.first)),
      m_second(readOf(m_runs.second)),
      m_withoutHead(readOf(m_runs.withoutHead)),
      m_withoutHeads(readOf(m_runs.withoutHeads)) {
    m_target = m_second.answeredNoun().value_or(
        indexOfLargest(m_second.row(Stage::AttentionWeights, kShownLayer, kShownHead)));
    const core::Index heads = m_second.trace->model().headsOf({0});
    const auto onLast = [this](core::Index head) {
        return at(m_second.row(Stage::AttentionWeights, 0, head), m_second.last());
    };
    for (core::Index head = 1; head < heads; ++head)
        if (onLast(head) > onLast(m_readingHead))
            m_readingHead = head;
    m_moments = {question(refusal), vote(),  answer(), change(),  both(),    lines(),
                 layers(),          roles(), score(),  softmax(), silence(), learned()};
    for (std::size_t index = 0; index < m_moments.size(); ++index) {
        m_moments[index].kind = static_cast<MomentKind>(index);
        m_moments[index].seconds = static_cast<int>(index) * kSecondsOfMoment;
    }
}

MomentNumber ShowMoments::number(const ReadSentence &of, Stage stage, core::Index layer,
                                 core::Index head, core::Index key, const QString &what) const {
    return {of.trace, of.place(stage, layer, head, key), what, at(of.row(stage, layer, head), key)};
}

MomentNumber ShowMoments::probability(const ReadSentence &of, core::Index noun) const {
    return {of.trace, of.place(Stage::Probabilities, 0, 0, noun),
            tr("probability of %1").arg(of.word(noun)), of.probabilityOf(noun)};
}

Moment ShowMoments::question(ShowRefusal refusal) const {
    Moment moment;
    moment.sentence = tr("Who is *it*?");
    moment.holds = refusal == ShowRefusal::None;
    switch (refusal) {
    case ShowRefusal::None:
        break;
    case ShowRefusal::UnknownWord:
        moment.note = tr("The model cannot read your sentence, so the show uses this one.");
        break;
    case ShowRefusal::NoIt:
        moment.note = tr("Your sentence has no *it*, so the show uses this one.");
        break;
    case ShowRefusal::OtherAnswer:
        moment.note = tr("The model's answer to your sentence is not one of two nouns in it, so "
                         "the show uses this one.");
        break;
    }
    return moment;
}

Moment ShowMoments::vote() const {
    Moment moment;
    moment.sentence =
        tr("%1 or %2? Raise your hand.")
            .arg(marked(m_first.word(m_first.nouns[0])), marked(m_first.word(m_first.nouns[1])));
    moment.note = tr("Click, or press 1 or 2, to count a hand. Press 0 to start again.");
    return moment;
}

Moment ShowMoments::answer() const {
    Moment moment;
    for (const core::Index noun : m_first.nouns)
        moment.numbers.push_back(probability(m_first, noun));
    const auto noun = m_first.answeredNoun();
    moment.holds = noun && m_first.probabilityOf(*noun) >= kIsSure;
    if (moment.holds)
        moment.sentence = tr("The machine answers: %1.").arg(marked(m_first.word(*noun)));
    else if (noun)
        moment.sentence =
            tr("The machine is not sure. It gives %1 only %2.")
                .arg(marked(m_first.word(*noun)), percentText(m_first.probabilityOf(*noun)));
    else
        moment.sentence = tr("The machine answers %1, which is not a noun in the sentence.")
                              .arg(m_first.answer());
    moment.note = tr("A small model has read the sentence and gives each word of its vocabulary a "
                     "probability.");
    return moment;
}

QString ShowMoments::voteNote(const std::array<int, 2> &votes) const {
    if (votes[0] + votes[1] == 0)
        return {};
    return tr("The class: %1 for %2, %3 for %4.")
        .arg(QString::number(votes[0]), marked(m_first.word(m_first.nouns[0])),
             QString::number(votes[1]), marked(m_first.word(m_first.nouns[1])));
}

Moment ShowMoments::change() const {
    Moment moment;
    for (const core::Index noun : m_second.nouns)
        moment.numbers.push_back(probability(m_second, noun));
    moment.holds = m_first.answer() != m_second.answer();
    moment.sentence =
        moment.holds
            ? tr("Another last word, another answer: %1.").arg(marked(m_second.answer()))
            : tr("Another last word, and the answer stays %1.").arg(marked(m_second.answer()));
    moment.note = tr("The thin lines show the previous answer.");
    return moment;
}

Moment ShowMoments::both() const {
    Moment moment;
    int different = 0;
    const bool isAsLong = m_first.words.size() == m_second.words.size();
    for (core::Index word = 0; isAsLong && word < m_first.words.size(); ++word)
        different += m_first.word(word) != m_second.word(word) ? 1 : 0;
    const bool isLast =
        different == 1 && m_first.word(m_first.last()) != m_second.word(m_second.last());
    moment.holds = isLast && m_first.answer() != m_second.answer();
    moment.sentence = moment.holds ? tr("Only the last word is different. How did *it* notice?")
                      : isLast ? tr("Only the last word is different, and the answer is the same.")
                      : different == 0 && isAsLong ? tr("Both sentences are the same.")
                                                   : tr("More than the last word is different.");
    moment.note = tr("The answer is %1 above, and %2 below.")
                      .arg(marked(m_first.answer()), marked(m_second.answer()));
    return moment;
}

Moment ShowMoments::lines() const {
    Moment moment;
    bool looksAtAnswers = true;
    QStringList most;
    for (const ReadSentence *read : {&m_first, &m_second}) {
        const std::vector<float> weights =
            read->row(Stage::AttentionWeights, kShownLayer, kShownHead);
        const core::Index key = indexOfLargest(weights);
        most << marked(read->word(key));
        moment.numbers.push_back(number(*read, Stage::AttentionWeights, kShownLayer, kShownHead,
                                        key, tr("weight of it on %1").arg(read->word(key))));
        looksAtAnswers =
            looksAtAnswers && read->answeredNoun() == key && at(weights, key) > kLooksAt;
    }
    moment.holds = looksAtAnswers && most[0] != most[1];
    moment.sentence =
        (moment.holds ? tr("*it* looks at %1 above, and at %2 below.")
                      : tr("In this head *it* looks most at %1 above, and at %2 below."))
            .arg(most[0], most[1]);
    moment.note = tr("A thicker line is a larger weight. Name a word: a click shows its weight.");
    return moment;
}

QString ShowMoments::weightNote(core::Index word) const {
    const auto weightIn = [word](const ReadSentence &read) {
        const std::vector<float> weights =
            read.row(Stage::AttentionWeights, kShownLayer, kShownHead);
        return weightText(weights[static_cast<std::size_t>(word)]);
    };
    if (m_first.word(word) == m_second.word(word))
        return tr("*it* gives %1 a weight of %2 above, and of %3 below.")
            .arg(marked(m_first.word(word)), weightIn(m_first), weightIn(m_second));
    return tr("*it* gives %1 a weight of %2, and %3 one of %4.")
        .arg(marked(m_first.word(word)), weightIn(m_first), marked(m_second.word(word)),
             weightIn(m_second));
}

Moment ShowMoments::layers() const {
    Moment moment;
    const std::vector<float> below = m_second.row(Stage::AttentionWeights, 0, m_readingHead);
    const std::vector<float> above = m_second.row(Stage::AttentionWeights, kShownLayer, kShownHead);
    const core::Index last = m_second.last(), most = indexOfLargest(above);
    const double share = 1 / static_cast<double>(below.size());
    const double times = at(below, last) / share;
    moment.numbers = {number(m_second, Stage::AttentionWeights, 0, m_readingHead, last,
                             tr("weight of it on %1").arg(m_second.word(last))),
                      number(m_second, Stage::AttentionWeights, kShownLayer, kShownHead, most,
                             tr("weight of it on %1").arg(m_second.word(most)))};
    const bool reads = times > kManyTimes;
    const bool looks = m_second.answeredNoun() == most && at(above, most) > kLooksAt;
    moment.holds = reads && looks && indexOfLargest(below) == last;
    QString read = marked(m_second.word(last));
    // Also name another word if its weight is high enough to count as read.
    core::Index also = last == 0 ? 1 : 0;
    for (core::Index word = 0; word < std::ssize(below); ++word)
        if (word != last && at(below, word) > at(below, also))
            also = word;
    if (at(below, also) > std::min(kManyTimes * share, at(below, last))) {
        moment.numbers.push_back(number(m_second, Stage::AttentionWeights, 0, m_readingHead, also,
                                        tr("weight of it on %1").arg(m_second.word(also))));
        const auto weight = [&below](core::Index word) {
            return weightText(below[static_cast<std::size_t>(word)]);
        };
        read = tr("%1 (%2) and %3 (%4)")
                   .arg(read, weight(last), marked(m_second.word(also)), weight(also));
    }
    moment.sentence =
        (!reads  ? tr("*it* looks at %1 no more than at others, then most at %2.")
         : looks ? tr("First *it* reads %1. Then it looks at %2.")
                 : tr("First *it* reads %1. Then it looks most at %2."))
            .arg(reads ? read : marked(m_second.word(last)), marked(m_second.word(most)));
    moment.note =
        tr("In layer 0, %1 gets a weight of %2, %3 times an equal share; in layer %4, %5 "
           "gets %6.")
            .arg(marked(m_second.word(last)), weightText(below[static_cast<std::size_t>(last)]),
                 numberText(times, kTimesDecimals))
            .arg(kShownLayer)
            .arg(marked(m_second.word(most)), weightText(above[static_cast<std::size_t>(most)]));
    return moment;
}

Moment ShowMoments::ofBestScore(core::Index best) const {
    Moment moment;
    moment.numbers = {number(m_second, Stage::Scores, kShownLayer, kShownHead, m_target,
                             tr("score of it and %1").arg(m_second.word(m_target)))};
    moment.holds = best == m_target;
    return moment;
}

Moment ShowMoments::roles() const {
    const core::Index best = indexOfLargest(m_second.row(Stage::Scores, kShownLayer, kShownHead));
    Moment moment = ofBestScore(best);
    moment.sentence = moment.holds
                          ? tr("*it* asks. Of all words, %1 offers what fits best.")
                                .arg(marked(m_second.word(m_target)))
                          : tr("*it* asks. %1 offers something, but %2 fits better.")
                                .arg(marked(m_second.word(m_target)), marked(m_second.word(best)));
    moment.note =
        tr("Each is a row of %1 numbers, shown as colours.")
            .arg(m_second.vector(Stage::Query, kShownLayer, kShownHead, m_second.it).size());
    return moment;
}

Moment ShowMoments::score() const {
    const std::vector<float> scores = m_second.row(Stage::Scores, kShownLayer, kShownHead);
    const core::Index best = indexOfLargest(scores);
    Moment moment = ofBestScore(best);
    moment.sentence =
        tr("The query of *it* times the key of %1 is their score: %2.")
            .arg(marked(m_second.word(m_target)), numberText(at(scores, m_target), kScoreDecimals));
    moment.note = moment.holds ? tr("This is the highest score of *it*.")
                               : tr("This is not the highest score of *it*: %1 gets %2.")
                                     .arg(marked(m_second.word(best)),
                                          numberText(at(scores, best), kScoreDecimals));
    return moment;
}

Moment ShowMoments::softmax() const {
    Moment moment;
    const std::vector<float> weights =
        m_second.row(Stage::AttentionWeights, kShownLayer, kShownHead);
    const core::Index most = indexOfLargest(weights);
    moment.numbers = {number(m_second, Stage::AttentionWeights, kShownLayer, kShownHead, m_target,
                             tr("weight of it on %1").arg(m_second.word(m_target)))};
    moment.holds = most == m_target;
    moment.sentence =
        moment.holds ? tr("Softmax turns scores into shares of 100 %: %1 gets %2.")
                           .arg(marked(m_second.word(m_target)), percentText(at(weights, m_target)))
                     : tr("Softmax turns scores into shares of 100 %: %1 gets the most, %2.")
                           .arg(marked(m_second.word(most)), percentText(at(weights, most)));
    const double size = static_cast<double>(
        m_second.vector(Stage::Query, kShownLayer, kShownHead, m_second.it).size());
    const double score = at(m_second.row(Stage::Scores, kShownLayer, kShownHead), m_target);
    const double scaled = at(m_second.row(Stage::ScaledScores, kShownLayer, kShownHead), m_target);
    const double divided = score / std::sqrt(size);
    moment.note =
        std::abs(divided - scaled) <= kSameScore * (1 + std::abs(divided))
            ? tr("Below each word is its score, divided by √%1 = %2. Above it is its share.")
                  .arg(numberText(size, 0), rootText(size))
            : tr("Below each word is its score, scaled. Above it is its share.");
    return moment;
}

Moment ShowMoments::silence() const {
    Moment moment;
    const core::Index other = kShownHead == 0 ? 1 : 0;
    const bool hasOther = m_withoutHead.trace->model().headsOf({kShownLayer}) > other;
    const std::vector<float> weights =
        hasOther ? m_withoutHead.row(Stage::AttentionWeights, kShownLayer, other)
                 : std::vector<float>();
    const bool looksThere =
        hasOther && indexOfLargest(weights) == m_target && at(weights, m_target) > kLooksAt;
    for (const ReadSentence *read : {&m_withoutHead, &m_withoutHeads})
        for (const core::Index noun : read->nouns)
            moment.numbers.push_back(probability(*read, noun));
    if (hasOther)
        moment.numbers.push_back(number(m_withoutHead, Stage::AttentionWeights, kShownLayer, other,
                                        m_target,
                                        tr("weight of it on %1").arg(m_second.word(m_target))));
    const bool stays = m_withoutHead.answer() == m_second.answer();
    moment.holds = stays && looksThere;
    const QString answer = marked(m_withoutHead.answer());
    moment.sentence =
        (moment.holds ? tr("Head %1 is silenced: still %2. Head %3 looks there too.")
         : stays      ? tr("Head %1 is silenced: still %2.")
         : m_second.words.contains(m_withoutHead.answer())
             ? tr("Head %1 is silenced: the answer is %2.")
             : tr("Head %1 is silenced: the answer is %2. It is not in the sentence."))
            .arg(QString::number(kShownHead), answer);
    if (moment.holds)
        moment.sentence = moment.sentence.arg(other);
    moment.note =
        (hasOther
             ? tr("A head is one such look. Head %1 of layer %2 hands nothing over now; the curves "
                  "are those of head %3. The thin lines show the previous answer.")
                   .arg(kShownHead)
                   .arg(kShownLayer)
                   .arg(other)
             : tr("A head is one such look. Head %1 of layer %2 hands nothing over now. The thin "
                  "lines show the previous answer.")
                   .arg(kShownHead)
                   .arg(kShownLayer));
    return moment;
}

QString ShowMoments::noteWithoutHeads() const {
    return tr("No head of layer %1 hands anything over now. The thin lines show the previous "
              "answer.")
        .arg(kShownLayer);
}

QString ShowMoments::sentenceWithoutHeads() const {
    const QString answer = m_withoutHeads.answer();
    return (answer == m_second.answer()
                ? tr("Even without any head of this layer the answer stays %1.")
            : m_second.words.contains(answer)
                ? tr("Without any head of this layer the answer is %1.")
                : tr("Without any head of this layer the answer is %1, which is not in the "
                     "sentence."))
        .arg(marked(answer));
}

Moment ShowMoments::learned() const {
    Moment moment;
    moment.holds = m_runs.trainedSteps > 0;
    moment.sentence =
        moment.holds ? tr("Nobody told it where to look. It learned this from examples. Watch.")
                     : tr("This model was not trained here. Watch another one learn.");
    if (moment.holds)
        moment.note = tr("%1 steps of %2 examples like these, each with its answer.")
                          .arg(m_runs.trainedSteps)
                          .arg(m_runs.recipe.batch);
    return moment;
}

} // namespace headlight::ui
