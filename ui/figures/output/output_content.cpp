#include "ui/figures/output/output_content.h"

#include "core/analysis/likely_words.h"
#include "ui/words/core_message.h"
#include "ui/words/number_text.h"
#include "ui/words/token_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using About = OutputContent::About;
using Bar = OutputContent::Bar;

struct OutputWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Output)
};

About aboutOf(const core::Model &model) {
    switch (model.config.outputLayer.kind) {
    case core::OutputLayerKind::Classifier:
        return About::Class;
    case core::OutputLayerKind::MaskedLanguage:
        return About::HiddenToken;
    default:
        return model.answersInPlace ? About::Answer : About::NextToken;
    }
}

/// A word of the vocabulary, or a class.
QString barName(const core::Model &model, About about, core::Index word) {
    return about == About::Class ? OutputWords::tr("class %1").arg(word) : wordName(model, word);
}

/// The word that stands in the text where the row is about; none behind its end.
std::optional<core::Index> standing(const core::Trace &trace, core::OutputPlace place) {
    const core::Vocabulary *words = trace.model().vocabulary.get();
    const core::Sequence &text = trace.batch()[place.sequence];
    const core::Index at = core::predictedAt(trace.model(), place);
    if (!words || at >= text.length)
        return std::nullopt;
    const auto id = words->idOf(text[at]);
    return id && *id < words->size() ? id : std::nullopt;
}

/// The words that are shown, in their order.
std::vector<core::LikelyWord> ordered(const core::OutputRow &now, const core::OutputRow *other,
                                      Shown shown) {
    const std::size_t count = kMostOutputBars;
    if (!other || shown == Shown::Now)
        return core::likeliestOf(now.probabilities, count);
    if (shown == Shown::A)
        return core::likeliestOf(other->probabilities, count);
    std::vector<float> changes(now.probabilities.size());
    for (std::size_t word = 0; word < changes.size(); ++word)
        changes[word] = std::abs(now.probabilities[word] - other->probabilities[word]);
    return core::likeliestOf(changes, count);
}

/// 1 for the most probable; of those that are equally probable the lowest number comes first.
core::Index rankOf(const std::vector<float> &probabilities, core::Index word) {
    const float own = probabilities[static_cast<std::size_t>(word)];
    core::Index rank = 1;
    for (std::size_t each = 0; each < probabilities.size(); ++each)
        if (probabilities[each] > own ||
            (probabilities[each] == own && static_cast<core::Index>(each) < word))
            ++rank;
    return rank;
}

Bar barOf(const OutputRun &now, const core::OutputRow *other, About about, core::Index word) {
    const auto index = static_cast<std::size_t>(word);
    Bar bar;
    bar.word = word;
    bar.name = barName(now.trace->model(), about, word);
    bar.probability = now.numbers->probabilities[index];
    bar.logit = now.numbers->logits[index];
    if (other)
        bar.before = other->probabilities[index];
    return bar;
}

QString titleOf(About about) {
    switch (about) {
    case About::NextToken:
        return OutputWords::tr("What comes next");
    case About::HiddenToken:
        return OutputWords::tr("What stands there");
    case About::Answer:
        return OutputWords::tr("What it answers there");
    case About::Class:
        return OutputWords::tr("Which class the text has");
    }
    return {};
}

QString subtitleOf(const OutputRun &now, About about, core::Index words) {
    const core::Sequence &text = now.trace->batch()[now.place.sequence];
    const QString token = tokenText(text[std::min(now.place.row, text.length - 1)].text);
    switch (about) {
    case About::NextToken:
        return OutputWords::tr("after token %1, “%2” · probabilities of %3 words")
            .arg(QString::number(now.place.row), token, QString::number(words));
    case About::HiddenToken:
    case About::Answer:
        return OutputWords::tr("at token %1, “%2” · probabilities of %3 words")
            .arg(QString::number(now.place.row), token, QString::number(words));
    case About::Class:
        return OutputWords::tr("sequence %1 · probabilities of %2 classes")
            .arg(now.place.sequence)
            .arg(words);
    }
    return {};
}

/// The other run, where it has the same words and other numbers.
const core::OutputRow *comparable(const OutputRun &now, const std::optional<OutputRun> &other) {
    if (!other || !other->numbers ||
        other->numbers->probabilities.size() != now.numbers->probabilities.size())
        return nullptr;
    const core::VocabularyPointer &words = now.trace->model().vocabulary;
    const core::VocabularyPointer &others = other->trace->model().vocabulary;
    const bool sameWords = words == others || (words && others && *words == *others);
    return sameWords ? other->numbers.get() : nullptr;
}

OutputContent emptyContent(const QString &why) {
    OutputContent content;
    content.title = OutputWords::tr("Output");
    content.nothing = why;
    return content;
}

/// What the given run says, or what is read; none where it cannot be.
core::Result<OutputRun> runOf(const core::TracePointer &trace, const core::Selection &selection,
                              const QString &name) {
    const core::OutputPlace place = core::outputPlaceOf(*trace, selection);
    const core::Result<core::OutputRowPointer> row = core::readOutput(*trace, place);
    if (!row)
        return row.error();
    return OutputRun{trace, place, *row, name};
}

} // namespace

QString percentText(double share) {
    if (std::isnan(share))
        return fixedText(share, 1); // without a sign of percent behind it
    const double percent = 100 * share;
    if (percent > 0 && percent < 0.05)
        return QStringLiteral("< 0.1 %");
    return QStringLiteral("%1 %").arg(fixedText(percent, 1));
}

QString pointsText(double change) {
    const double points = 100 * change;
    const QString text = fixedText(std::abs(points), 1);
    if (std::isnan(points))
        return text; // which is neither more nor less
    if (text == fixedText(0, 1))
        return QStringLiteral("±%1").arg(text);
    return (points < 0 ? QStringLiteral("−") : QStringLiteral("+")) + text;
}

QString whyNoOutput(const core::Trace &trace) {
    if (core::hasOutput(trace))
        return {};
    return trace.model().isCaptured()
               ? OutputWords::tr("Logits and probabilities were not captured.")
               : OutputWords::tr("This model has no output layer: it says nothing about words. "
                                 "Models of the kinds “language”, “masked language” and "
                                 "“classifier” do.");
}

OutputContent outputContentOf(const OutputRun &now, const std::optional<OutputRun> &other,
                              const FigureOptions &options) {
    if (const QString why = whyNoOutput(*now.trace); !why.isEmpty())
        return emptyContent(why);
    OutputContent content;
    content.about = aboutOf(now.trace->model());
    content.title = options.title.isEmpty() ? titleOf(content.about) : options.title;
    const core::Sequence &text = now.trace->batch()[now.place.sequence];
    for (core::Index token = 0; token < text.length; ++token)
        content.chips.push_back({tokenText(text[token].text), text[token].isWritten});
    content.asked =
        content.about == About::Class ? -1 : core::predictedAt(now.trace->model(), now.place);
    if (!now.numbers) {
        content.subtitle = OutputWords::tr("Computing…");
        return content;
    }
    content.words = std::ssize(now.numbers->probabilities);
    content.subtitle = subtitleOf(now, content.about, content.words);
    const core::OutputRow *const beside = comparable(now, other);
    if (beside)
        content.otherName = other->name;
    else if (other && other->numbers)
        content.subtitle =
            OutputWords::tr("%1 · %2 has other words").arg(content.subtitle, other->name);
    const std::optional<core::Index> stands =
        content.about == About::NextToken ? standing(*now.trace, now.place) : std::nullopt;
    const bool isOrderedByNow = !beside || options.compared.shown == Shown::Now;
    for (const core::LikelyWord &word : ordered(*now.numbers, beside, options.compared.shown)) {
        Bar &bar = content.bars.emplace_back(barOf(now, beside, content.about, word.word));
        bar.isInText = word.word == stands;
        bar.rank = isOrderedByNow ? std::ssize(content.bars)
                                  : rankOf(now.numbers->probabilities, word.word);
    }
    if (stands) {
        content.stands = barOf(now, beside, content.about, *stands);
        content.stands->isInText = true;
        content.stands->rank = rankOf(now.numbers->probabilities, *stands);
    }
    return content;
}

OutputContent outputContentOf(const core::TracePointer &trace, const core::Selection &selection,
                              const FigureOptions &options,
                              const std::optional<GivenOutput> &given) {
    if (const QString why = whyNoOutput(*trace); !why.isEmpty())
        return emptyContent(why);
    if (given)
        return outputContentOf(
            OutputRun{trace, core::outputPlaceOf(*trace, selection), given->now, {}}, given->other,
            options);
    const core::Result<OutputRun> now = runOf(trace, selection, {});
    if (!now)
        return emptyContent(translated(now.error()));
    std::optional<OutputRun> other;
    const Compared &compared = options.compared;
    if (compared.a && core::hasOutput(*compared.a))
        if (core::Result<OutputRun> a = runOf(compared.a, inA(compared, selection),
                                              OutputWords::tr("A: %1").arg(compared.name)))
            other = *std::move(a);
    return outputContentOf(*now, other, options);
}

} // namespace headlight::ui
