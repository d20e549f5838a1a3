#include "ui/figures/base/plane_options.h"

namespace headlight::ui {

namespace {

template <typename List>
auto named(const List &list, const QString &name) {
    std::optional<typename List::value_type> found;
    for (const auto &one : list)
        if (nameOf(one) == name)
            found = one;
    return found;
}

} // namespace

QString nameOf(PlaneAxes axes) {
    return axes == PlaneAxes::Principal ? QStringLiteral("principal")
                                        : QStringLiteral("dot-product");
}

std::optional<PlaneAxes> findAxes(const QString &name) {
    return named(kPlaneAxes, name);
}

QString nameOf(ShownSpaces spaces) {
    switch (spaces) {
    case ShownSpaces::All:
        return QStringLiteral("all");
    case ShownSpaces::Residual:
        return QStringLiteral("residual");
    case ShownSpaces::QueryKey:
        return QStringLiteral("query-key");
    case ShownSpaces::ValueContext:
        return QStringLiteral("value-context");
    }
    return {};
}

std::optional<ShownSpaces> findSpaces(const QString &name) {
    return named(kShownSpaces, name);
}

} // namespace headlight::ui
