#include "ui/views/option_choices.h"

#include "ui/figures/heads/heads_figure.h"
#include "ui/views/figure_view.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace headlight::ui {

namespace {

struct Offered {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::OptionChoice)
};

template <class Value>
struct Titled {
    Value value;
    QString title;
    QString tip = {};
};

/// Returns the choice of options.*member, which may be a member of a member. `wordOf` returns the
/// values' words in the settings.
template <class Value, class Word, class... Members>
OptionChoice choiceOf(const char *key, Choice choice, bool isLook,
                      const std::vector<Titled<Value>> &values, Word wordOf, Members... members) {
    OptionChoice made{key, choice, isLook, {}};
    for (const Titled<Value> &each : values)
        made.values.push_back(
            {each.title, each.tip, wordOf(each.value),
             [=](const FigureOptions &options) { return (options.*....*members) == each.value; },
             [=](FigureOptions &options) { (options.*....*members) = each.value; }});
    return made;
}

std::vector<OptionChoice> makeChoices() {
    using F = FigureOptions;
    using T = Offered;
    constexpr bool kIsLook = true;
    const auto name = [](auto value) { return nameOf(value); };
    const auto number = [](core::HeadOrder order) {
        return QString::number(static_cast<int>(order));
    };
    const auto shown = [](bool isShown) {
        return isShown ? QStringLiteral("shown") : QStringLiteral("hidden");
    };
    const auto folded = [](bool isShown) {
        return isShown ? QStringLiteral("shown") : QStringLiteral("folded");
    };
    const auto output = [](core::Stage stage) {
        return stage == core::Stage::Output ? QStringLiteral("output") : QStringLiteral("context");
    };
    std::vector<Titled<core::HeadOrder>> orders, measures;
    for (const core::HeadOrder order : core::kHeadOrders) {
        const bool isIndex = order == core::HeadOrder::ByIndex;
        orders.push_back({order, T::tr("by %1").arg(titleOf(order))});
        measures.push_back(
            {order, isIndex ? T::tr("induction, if there is an induction head") : titleOf(order)});
    }
    return {
        choiceOf<Range>("range", Choice::Range, !kIsLook,
                        {{Range::Fixed, T::tr("fixed, 0 to 1")},
                         {Range::PerRow, T::tr("separate for each row")},
                         {Range::PerHead, T::tr("separate for each head")},
                         {Range::AllHeads, T::tr("the same for all heads")}},
                        name, &F::range),
        choiceOf<Scaling>("scaling", Choice::Range, !kIsLook,
                          {{Scaling::Linear, T::tr("linear")},
                           {Scaling::SquareRoot, T::tr("square root"),
                            T::tr("Small weights of a long text become visible.")},
                           {Scaling::Logarithmic, T::tr("logarithmic, four powers of ten"),
                            T::tr("Each power of ten below the end of the range has the same share "
                                  "of the colours. Smaller numbers look like 0.")}},
                          name, &F::scaling),
        choiceOf<BlockNumber>(
            "blocks", Choice::Blocks, !kIsLook,
            {{BlockNumber::Largest, T::tr("the strongest cell"),
              T::tr("A pixel with several cells shows the one that is farthest from 0.")},
             {BlockNumber::Mean, T::tr("the mean of the cells"),
              T::tr("A pixel with several cells shows their mean. Hidden cells do not count.")}},
            name, &F::blocks),
        choiceOf<core::Combination>(
            "combination", Choice::Combination, kIsLook,
            {{core::Combination::None, T::tr("The selected head")},
             {core::Combination::Mean, T::tr("Mean over heads"),
              T::tr("Each cell is the mean of the heads' weights; rows still sum to 1.")},
             {core::Combination::Maximum, T::tr("Maximum over heads"),
              T::tr("Each cell is the largest of the heads' weights; rows do not sum to 1.")},
             {core::Combination::Rollout, T::tr("Attention rollout through all layers"),
              T::tr("Each layer's mean attention is averaged with the residual connection (the "
                    "identity matrix), and the layers are multiplied (Abnar and Zuidema 2020). The "
                    "values and the feed-forward networks are ignored.")},
             {core::Combination::Flow, T::tr("Attention flow through all layers"),
              T::tr("The maximum flow from each token of the last layer to each token of the input "
                    "(Abnar and Zuidema 2020). Rows are not distributions. Up to 64 tokens.")}},
            [](core::Combination combination) {
                const std::string_view word = core::nameOf(combination);
                return QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
            },
            &F::combination, &HeadCombination::combination),
        choiceOf<bool>(
            "units", Choice::Combination, kIsLook,
            {{false, T::tr("Tokens")},
             {true, T::tr("Words: pieces are merged"),
              T::tr("The weight on a word is the sum over its pieces, and a word's own row "
                    "is the mean over its pieces.")}},
            [](bool words) { return words ? QStringLiteral("words") : QStringLiteral("tokens"); },
            &F::combination, &HeadCombination::words),
        choiceOf<core::LeftOutKeys>(
            "leftOut", Choice::Combination, kIsLook,
            {{{false, false}, T::tr("Nothing")},
             {{true, false}, T::tr("Special tokens, such as [SEP]")},
             {{false, true}, T::tr("The first token")},
             {{true, true}, T::tr("Special tokens and the first token")}},
            [](const core::LeftOutKeys &keys) { return nameOf(keys); }, &F::combination,
            &HeadCombination::leftOut),
        choiceOf<core::KeptWeights>(
            "kept", Choice::Combination, kIsLook,
            {{{0, 1}, T::tr("All weights")},
             {{0.01, 1}, T::tr("Weights from 0.01")},
             {{0.05, 1}, T::tr("Weights from 0.05")},
             {{0.1, 1}, T::tr("Weights from 0.1")},
             {{0, 0.9}, T::tr("The largest that reach 90 % of each row")},
             {{0, 0.5}, T::tr("The largest that reach 50 % of each row")}},
            [](const core::KeptWeights &kept) { return nameOf(kept); }, &F::combination,
            &HeadCombination::kept),
        choiceOf("order", Choice::HeadOrder, !kIsLook, orders, number, &F::order),
        choiceOf("measure", Choice::Measure, !kIsLook, measures, number, &F::measure),
        choiceOf<core::Stage>("contextual", Choice::Contextual, kIsLook,
                              {{core::Stage::Context, T::tr("the context of the selected head")},
                               {core::Stage::Output, T::tr("the output of the layer")}},
                              output, &F::contextual),
        choiceOf<bool>("learned", Choice::Learned, kIsLook,
                       {{true, T::tr("Show the weight matrices")},
                        {false, T::tr("Fold the weight matrices away")}},
                       folded, &F::learned),
        choiceOf<bool>("lines", Choice::Lines, kIsLook,
                       {{false, T::tr("Hide the lines between the words")},
                        {true, T::tr("Draw lines between the words")}},
                       shown, &F::lines),
        choiceOf<ShownSpaces>("spaces", Choice::Planes, kIsLook,
                              {{ShownSpaces::All, T::tr("All three spaces")},
                               {ShownSpaces::Residual, T::tr("Residual stream")},
                               {ShownSpaces::QueryKey, T::tr("Queries and keys")},
                               {ShownSpaces::ValueContext, T::tr("Values and contexts")}},
                              name, &F::plane, &PlaneOptions::spaces),
        choiceOf<PlaneAxes>(
            "axes", Choice::Planes, kIsLook,
            {{PlaneAxes::Principal, T::tr("Principal components"),
              T::tr("The two directions in which the vectors vary most. Dot products and angles "
                    "are not preserved: two vectors that look close may be far apart in other "
                    "dimensions.")},
             {PlaneAxes::DotProduct, T::tr("Dot products with the query"),
              T::tr("Queries and keys: the first axis is the direction of the selected query, so a "
                    "key's coordinate on it is exactly its score ÷ the query's length. The other "
                    "spaces keep their principal components.")}},
            name, &F::plane, &PlaneOptions::axes),
    };
}

void setValue(const OptionValue &value, FigureView &view) {
    FigureOptions options = view.options();
    value.set(options);
    view.setOptions(options);
}

} // namespace

const OptionValue &OptionChoice::valueIn(const FigureOptions &options) const {
    const auto found = std::ranges::find_if(
        values, [&](const OptionValue &value) { return value.isSet(options); });
    return found == values.end() ? values.front() : *found;
}

void OptionChoice::restore(const QString &word, FigureOptions &options) const {
    const auto found = std::ranges::find(values, word, &OptionValue::word);
    (found == values.end() ? values.front() : *found).set(options);
}

std::span<const OptionChoice> optionChoices() {
    static const std::vector<OptionChoice> choices = makeChoices();
    return choices;
}

const OptionChoice &optionChoice(const char *key) {
    return *std::ranges::find_if(optionChoices(), [key](const OptionChoice &choice) {
        return QLatin1String(choice.key) == QLatin1String(key);
    });
}

QList<QAction *> makeActions(const OptionChoice &choice, FigureView &view, QObject *parent) {
    auto *group = new QActionGroup(parent);
    QList<QAction *> actions;
    for (const OptionValue &value : choice.values) {
        auto *action = new QAction(value.title, parent);
        action->setCheckable(true);
        if (!value.tip.isEmpty())
            action->setToolTip(value.tip);
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, &view,
                         [&view, &value] { setValue(value, view); });
        actions << action;
    }
    showValue(choice, view, actions);
    return actions;
}

void addSwitch(QMenu &menu, const OptionChoice &choice, FigureView &view) {
    if (!view.info().has(choice.choice))
        return;
    const OptionValue &other = choice.values[choice.values[0].isSet(view.options()) ? 1 : 0];
    menu.addAction(other.title, &view, [&view, &other] { setValue(other, view); });
}

void fillLookMenu(QMenu &menu, FigureView &view) {
    if (view.info().has(Choice::Range)) {
        menu.addSection(Offered::tr("Range"));
        menu.addActions(makeActions(optionChoice("range"), view, &menu));
        menu.addSection(Offered::tr("Scale"));
        menu.addActions(makeActions(optionChoice("scaling"), view, &menu));
        menu.setToolTipsVisible(true);
    }
    if (view.info().has(Choice::Blocks)) {
        menu.addSection(Offered::tr("A pixel with several cells shows"));
        menu.addActions(makeActions(optionChoice("blocks"), view, &menu));
    }
    for (const bool diverging : {false, true}) {
        if (!diverging && !view.info().has(Choice::Range))
            continue; // the view shows signed values only
        menu.addSection(diverging ? Offered::tr("Signed values") : Offered::tr("Weights"));
        auto *maps = new QActionGroup(&menu);
        const FigureStyle &style = view.figureStyle();
        for (const ColourMap map : allColourMaps()) {
            if (isDiverging(map) != diverging)
                continue;
            QAction *action = menu.addAction(titleOf(map));
            action->setCheckable(true);
            action->setChecked(map == (diverging ? style.signedMap : style.weightsMap));
            maps->addAction(action);
            QObject::connect(action, &QAction::triggered, &view,
                             [&view, map] { view.setColours(map); });
        }
    }
}

void showValue(const OptionChoice &choice, const FigureView &view,
               const QList<QAction *> &actions) {
    for (qsizetype i = 0; i < actions.size(); ++i)
        actions[i]->setChecked(choice.values[static_cast<std::size_t>(i)].isSet(view.options()));
}

} // namespace headlight::ui
