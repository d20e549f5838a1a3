#include "ui/figures/tinted_text/picture_layout.h"

#include "ui/figures/text/text.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kPadding = 6;       // px on either side of a word
constexpr double kGap = 10;          // px between the words and the picture
constexpr double kUsualHeight = 320; // px, height of a picture in a file
constexpr double kMinHeight = 60;    // px; a smaller height means that the height is not known yet
constexpr double kMinPatch = 4;      // px

} // namespace

StripLayout pictureLayoutOf(const core::PicturePatches &patches, const StripWords &words,
                            const FigureStyle &style, const QSizeF &space) {
    const QFont font = stripWordFont(style, false, kPageWord);
    const double padding = style.scaled(kPadding), gap = style.scaled(kGap);
    StripLayout made;
    made.padding = padding;
    made.chipHeight = lineHeight(font) + padding;
    double left = 0;
    for (core::Index i = 0; i < patches.before; ++i) {
        const double width =
            textWidth(words.words[static_cast<std::size_t>(i)].text, font) + 2 * padding;
        made.chips.push_back({QRectF(left, 0, width, made.chipHeight)});
        left += width + gap;
    }
    const double height =
        space.height() >= kMinHeight ? space.height() : style.scaled(kUsualHeight);
    const double patch =
        std::max(kMinPatch,
                 std::floor(std::min((space.width() - left) / static_cast<double>(patches.columns),
                                     height / static_cast<double>(patches.rows))));
    for (core::Index row = 0; row < patches.rows; ++row)
        for (core::Index column = 0; column < patches.columns; ++column)
            made.chips.push_back({QRectF(left + static_cast<double>(column) * patch,
                                         static_cast<double>(row) * patch, patch, patch),
                                  static_cast<int>(row)});
    made.lines = static_cast<int>(patches.rows);
    made.lineStep = patch;
    made.content = {left + static_cast<double>(patches.columns) * patch,
                    std::max(made.chipHeight, static_cast<double>(patches.rows) * patch)};
    return made;
}

} // namespace headlight::ui
