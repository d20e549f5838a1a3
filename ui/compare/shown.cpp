#include "ui/compare/compared.h"

namespace headlight::ui {

QString nameOf(Shown shown) {
    switch (shown) {
    case Shown::Now:
        return QStringLiteral("now");
    case Shown::A:
        return QStringLiteral("a");
    case Shown::Difference:
        return QStringLiteral("difference");
    }
    return {};
}

std::optional<Shown> findShown(const QString &name) {
    for (const Shown shown : kShown)
        if (nameOf(shown) == name)
            return shown;
    return std::nullopt;
}

} // namespace headlight::ui
