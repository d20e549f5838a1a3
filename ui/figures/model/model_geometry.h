// Layout of the layers × heads of a model as thumbnails, with some large heads beside or below
// them.
#pragma once

#include <QRectF>

#include <vector>

namespace headlight::ui {

/// The layers of one kind of attention: encoder, decoder or cross-attention.
struct ModelGroupSize {
    int layers = 1;
    int heads = 1; ///< number of heads in the layer with the most heads
    bool hasName = false;
};

struct ModelRequest {
    QRectF area;
    double room = 0; ///< px reserved on the left
    std::vector<ModelGroupSize> groups;
    int cards = 1; ///< number of large heads
    double lineHeight = 14;
    double titleHeight = 20;
    double labelWidth = 20; ///< width of the layer numbers
    QSizeF colourBar{0, 0}; ///< smallest size of a colour bar below the tiles; empty for none
};

struct ModelGeometry {
    static ModelGeometry of(const ModelRequest &request);

    struct Group {
        QRectF name;                       ///< null if there is only one group
        QRectF corner;                     ///< space above the numbers of the layers
        std::vector<QRectF> heads, layers; ///< rectangles of the numbers
        QRectF tiles;
        /// Returns the tile of a head, including the gap around its picture.
        QRectF tile(int layer, int head) const;
        double side = 0; ///< px, side of a tile
    };

    QRectF area; ///< area without the margins and `room`
    QRectF title;
    std::vector<Group> groups;
    QRectF colourBar; ///< empty if there is none
    std::vector<QRectF> cards;
    double gap = 2; ///< px between a picture and the edge of its tile
};

} // namespace headlight::ui
