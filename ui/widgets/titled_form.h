// A group of fields under a small title.
#pragma once

#include <QString>

#include <utility>

class QFormLayout;
class QWidget;

namespace headlight::ui {

/// The group, and the form that its fields go into. `name`: for screen readers; empty: the title.
std::pair<QWidget *, QFormLayout *> titledForm(const QString &title, const QString &name = {});

} // namespace headlight::ui
