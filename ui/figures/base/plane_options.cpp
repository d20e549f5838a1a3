#include "ui/figures/base/plane_options.h"

namespace headlight::ui {

QString nameOf(PlaneAxes axes) {
    return axes == PlaneAxes::Principal ? QStringLiteral("principal")
                                        : QStringLiteral("dot-product");
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

} // namespace headlight::ui
