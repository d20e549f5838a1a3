#include "ui/compare/compared.h"

namespace headlight::ui {

QString nameOf(ComparisonSide shown) {
    switch (shown) {
    case ComparisonSide::Now:
        return QStringLiteral("now");
    case ComparisonSide::A:
        return QStringLiteral("a");
    case ComparisonSide::Difference:
        return QStringLiteral("difference");
    }
    return {};
}

std::optional<ComparisonSide> findShown(const QString &name) {
    for (const ComparisonSide shown : kShown)
        if (nameOf(shown) == name)
            return shown;
    return std::nullopt;
}

} // namespace headlight::ui
