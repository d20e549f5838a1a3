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
            {order, isIndex ? T::tr("induction, if there is such a head") : titleOf(order)});
    }
    return {
        choiceOf<Range>("range", Choice::Range, !kIsLook,
                        {{Range::Fixed, T::tr("fixed, 0 to 1")},
                         {Range::PerRow, T::tr("separate for each row")},
                         {Range::PerHead, T::tr("separate for each head")},
                         {Range::AllHeads, T::tr("the same for all heads")}},
                        name, &F::range),
        choiceOf("order", Choice::HeadOrder, !kIsLook, orders, number, &F::order),
        choiceOf("measure", Choice::Measure, !kIsLook, measures, number, &F::measure),
        choiceOf<core::Stage>("contextual", Choice::Contextual, kIsLook,
                              {{core::Stage::Context, T::tr("the context of the selected head")},
                               {core::Stage::Output, T::tr("the output of the layer")}},
                              output, &F::contextual),
        choiceOf<bool>("learned", Choice::Learned, kIsLook, {{true, {}}, {false, {}}}, folded,
                       &F::learned),
        choiceOf<bool>("lines", Choice::Lines, kIsLook, {{false, {}}, {true, {}}}, shown,
                       &F::lines),
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
        QObject::connect(action, &QAction::triggered, &view, [&view, &value] {
            FigureOptions options = view.options();
            value.set(options);
            view.setOptions(options);
        });
        actions << action;
    }
    showValue(choice, view, actions);
    return actions;
}

void fillLookMenu(QMenu &menu, FigureView &view) {
    if (view.info().has(Choice::Range)) {
        menu.addSection(Offered::tr("Range"));
        menu.addActions(makeActions(optionChoice("range"), view, &menu));
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
