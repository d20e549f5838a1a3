// A group of fields under a small title.
#pragma once

#include <QString>

#include <utility>

class QFormLayout;
class QWidget;

namespace headlight::ui {

/// Returns the group and its form layout. `name` is the accessible name; if empty, the title is
/// used.
std::pair<QWidget *, QFormLayout *> titledForm(const QString &title, const QString &name = {});

} // namespace headlight::ui
