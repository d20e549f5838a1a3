// What the command line chooses for a view: the same as the window's menus.
#pragma once

#include "core/result.h"
#include "ui/figures/figure_options.h"
#include "ui/figures/style.h"

#include <optional>

namespace headlight::ui {
class MainWindow;
}

namespace headlight::app {

class OptionReader;

/// Each is empty where the option was not given.
struct ViewChoices {
    std::optional<ui::Range> range;
    std::optional<core::HeadOrder> order;
    std::optional<core::Stage> contextual;
    std::optional<ui::Granularity> granularity;
    std::optional<ui::ColourMap> weightsMap, signedMap;
};

/// Throws Malformed.
ViewChoices readChoices(const OptionReader &reader);

/// The view that the choices mean; empty: any.
QString viewFor(const ViewChoices &choices);

/// Errors: a choice that this view does not have. `role`: of the numbers that it shows; none: of
/// both kinds.
core::Outcome checkFor(const ViewChoices &choices, const QString &view,
                       std::optional<core::Role> role);

void apply(const ViewChoices &choices, ui::FigureOptions &options, ui::FigureStyle &style);

/// Range and colours to the view in sight, the rest to the view that has it.
void apply(const ViewChoices &choices, ui::MainWindow &window);

} // namespace headlight::app
