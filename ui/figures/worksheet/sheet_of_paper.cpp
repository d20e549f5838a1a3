#include "ui/figures/worksheet/sheet_of_paper.h"

#include <QLocale>

namespace headlight::ui {

QString nameOf(SheetOfPaper paper) {
    return paper == SheetOfPaper::A4 ? QStringLiteral("a4") : QStringLiteral("letter");
}

std::optional<SheetOfPaper> findSheetOfPaper(const QString &name) {
    for (const SheetOfPaper paper : {SheetOfPaper::A4, SheetOfPaper::Letter})
        if (name == nameOf(paper))
            return paper;
    return std::nullopt;
}

FigureSize sizeOf(SheetOfPaper paper) {
    return paper == SheetOfPaper::A4 ? FigureSize(210, 297, LengthUnit::Millimetre)
                                     : FigureSize(8.5, 11, LengthUnit::Inch);
}

SheetOfPaper usualPaper() {
    return QLocale::system().measurementSystem() == QLocale::ImperialUSSystem ? SheetOfPaper::Letter
                                                                              : SheetOfPaper::A4;
}

} // namespace headlight::ui
