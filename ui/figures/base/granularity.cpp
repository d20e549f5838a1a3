#include "ui/figures/base/granularity.h"

namespace headlight::ui {

QString nameOf(Granularity granularity) {
    switch (granularity) {
    case Granularity::Stage:
        return QStringLiteral("stage");
    case Granularity::Row:
        return QStringLiteral("row");
    case Granularity::Cell:
        return QStringLiteral("cell");
    }
    return {};
}

Granularity granularityOf(const QString &name) {
    for (const Granularity one : {Granularity::Row, Granularity::Cell})
        if (nameOf(one) == name)
            return one;
    return Granularity::Stage;
}

} // namespace headlight::ui
