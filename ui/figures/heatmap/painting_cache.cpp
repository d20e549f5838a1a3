#include "ui/figures/heatmap/painting_cache.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::ui {

namespace {

// Enough for the small and large images of a figure, and a few positions of a scrolled window.
constexpr std::size_t kMaxImages = 6;
constexpr qint64 kMaxImageBytes = 12 * 1024 * 1024; // the newest kMinImages may exceed this
constexpr std::size_t kMinImages = 2; // a tile and the large picture, which are painted in turn
constexpr std::size_t kMaxWidths = 4;

bool sameTensor(const core::Tensor &a, const core::Tensor &b) {
    return a.identity() == b.identity() && a.values().data() == b.values().data() &&
           a.shape() == b.shape();
}

/// True if both refer to the same pyramid, even if it no longer exists.
bool samePyramid(const std::weak_ptr<const core::MatrixPyramid> &a,
                 const std::weak_ptr<const core::MatrixPyramid> &b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

/// Returns the entry for which `isWanted` is true, and marks it as the newest. Null if there is
/// none.
template <typename One, typename Wanted>
One *found(std::vector<One> &all, Wanted isWanted) {
    const auto place = std::find_if(all.begin(), all.end(), isWanted);
    if (place == all.end())
        return nullptr;
    std::rotate(place, place + 1, all.end());
    return &all.back();
}

template <typename One>
One &added(std::vector<One> &all, One one, std::size_t most) {
    if (all.size() >= most)
        all.erase(all.begin());
    return all.emplace_back(std::move(one));
}

} // namespace

bool CellImageSource::hasCellsOf(const CellImageSource &other) const {
    return rows == other.rows && columns == other.columns && origin == other.origin &&
           sequence == other.sequence && head == other.head && sameTensor(tensor, other.tensor) &&
           mask == other.mask && computedTo == other.computedTo &&
           firstPaddingRow == other.firstPaddingRow && hidesWholly == other.hidesWholly &&
           fade == other.fade && background == other.background && blocks == other.blocks &&
           samePyramid(pyramid, other.pyramid) && style == other.style && scale == other.scale;
}

QImage PaintingCache::image(const CellImageSource &source, const std::function<QImage()> &make) {
    if (const Image *kept = found(m_images, [&](const Image &one) { return one.source == source; }))
        return kept->image;
    ++m_made;
    const QImage image = added(m_images, {source, make()}, kMaxImages).image;
    while (bytes() > kMaxImageBytes && m_images.size() > kMinImages)
        m_images.erase(m_images.begin());
    return image;
}

QImage PaintingCache::nearest(const CellImageSource &source) const {
    const auto area = [](const CellImageSource &of) {
        return static_cast<double>(of.pixels.width()) * of.pixels.height();
    };
    QImage best;
    double least = std::numeric_limits<double>::infinity();
    for (const Image &one : m_images) {
        if (!one.source.hasCellsOf(source))
            continue;
        const double distance = std::abs(std::log(area(one.source) / area(source)));
        if (distance < least) {
            least = distance;
            best = one.image;
        }
    }
    return best;
}

double PaintingCache::width(const QStringList &texts, const QFont &font,
                            const std::function<double()> &measure) {
    if (const Width *kept = found(
            m_widths, [&](const Width &one) { return one.font == font && one.texts == texts; }))
        return kept->width;
    return added(m_widths, {texts, font, measure()}, kMaxWidths).width;
}

qint64 PaintingCache::bytes() const {
    qint64 sum = 0;
    for (const Image &one : m_images)
        sum += one.image.sizeInBytes();
    return sum;
}

} // namespace headlight::ui
