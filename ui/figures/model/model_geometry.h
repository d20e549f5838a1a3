// Layout of the layers × heads of a model as thumbnails, with some heads large beside or below
// them.
#pragma once

#include <QRectF>

#include <vector>

namespace headlight::ui {

/// The layers of one kind of attention: encoder, decoder or cross-attention.
struct ModelGroupSize {
    int layers = 1;
    int heads = 1; ///< of the layer with most heads
    bool hasName = false;
};

struct ModelRequest {
    QRectF area;
    double room = 0; ///< px kept free at the left
    std::vector<ModelGroupSize> groups;
    int cards = 1; ///< heads shown large
    double lineHeight = 14;
    double titleHeight = 20;
    double labelWidth = 20; ///< of the numbers of layers
    QSizeF colourBar{0, 0}; ///< least size of a colour bar below the tiles; empty: there is none
};

struct ModelGeometry {
    static ModelGeometry of(const ModelRequest &request);

    struct Group {
        QRectF name;                       ///< empty: the only group
        QRectF corner;                     ///< above the numbers of the layers
        std::vector<QRectF> heads, layers; ///< numbers
        QRectF tiles;
        /// Returns the tile of a head, with the gap around its picture.
        QRectF tile(int layer, int head) const;
        double side = 0; ///< px, of a tile
    };

    QRectF area; ///< without margins and room
    QRectF title;
    std::vector<Group> groups;
    QRectF colourBar; ///< empty: there is none
    std::vector<QRectF> cards;
    double gap = 2; ///< px around the picture in its tile
};

} // namespace headlight::ui
