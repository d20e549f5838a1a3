#include "core/formats/picture/picture_reading.h"

#include "core/formats/fields/fields.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/json/reader.h"
#include "core/formats/pretrained/family/family_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace headlight::core {

namespace {

namespace fs = std::filesystem;
using Resize = PicturePreparation::Resize;

constexpr std::uint64_t kMaxBytes = std::uint64_t(1) << 20;
constexpr const char *kFileName = "preprocessor_config.json";
constexpr Index kMaxSide = 8192;
constexpr Index kChannels = PicturePatches::kChannels;

/// Returns the defaults of an image processor of transformers, by its name.
PicturePreparation usualPreparation(std::string_view processor, Index pixels) {
    PicturePreparation made;
    made.height = made.width = pixels;
    if (processor.starts_with("CLIP")) {
        made.resampling = Resampling::Bicubic;
        made.resize = Resize::ShortEdge;
        made.crop = std::pair(pixels, pixels);
        return made;
    }
    if (!processor.starts_with("DeiT"))
        return made;
    made.resampling = Resampling::Bicubic;
    constexpr Index kUsualPixels = 224, kResized = 256;
    if (pixels == kUsualPixels) { // the defaults do not fit other sizes
        made.height = made.width = kResized;
        made.crop = std::pair(kUsualPixels, kUsualPixels);
    }
    return made;
}

/// Reads the fields of preprocessor_config.json.
class PreparationReader {
  public:
    PreparationReader(const Field &root, PicturePreparation &made)
        : m_root(root), m_fields(root), m_made(made) {}

    /// Returns the name of the processor, such as "DeiTImageProcessor"; empty if it is missing.
    std::string processor() const {
        if (m_root.isObject())
            for (const char *name : {"image_processor_type", "feature_extractor_type"})
                if (const Field field = m_root.member(name);
                    m_fields.has(name) && field.is(JsonValue::Kind::String))
                    return std::string(field.value().text());
        return {};
    }

    void read() {
        if (!m_root.isObject())
            return;
        readResize();
        if (!m_fields.flag("do_center_crop", m_made.crop || m_fields.has("crop_size")))
            m_made.crop.reset();
        else if (!m_made.crop || m_fields.has("crop_size"))
            readCrop();
        if (m_fields.has("do_rescale") && !m_fields.flag("do_rescale", true))
            m_root.member("do_rescale").expected("true", "Headlight reads pixels from 0 to 1");
        if (const Field factor = m_root.member("rescale_factor"); m_fields.has("rescale_factor"))
            if (const auto value = factor.number(); value && std::abs(*value * 255 - 1) > 1e-6)
                factor.expected("1/255", "Headlight reads pixels from 0 to 1");
        if (m_fields.flag("do_normalize", true)) {
            m_made.mean = colours("image_mean");
            m_made.deviation = colours("image_std");
        } else {
            m_made.mean.assign(kChannels, 0);
            m_made.deviation.assign(kChannels, 1);
        }
        if (std::ranges::any_of(m_made.deviation, [](float each) { return !(each > 0); }))
            m_root.member("image_std").expected("numbers greater than 0");
    }

  private:
    static Index side(const Field &field) { return field.whole(1, kMaxSide).value_or(1); }

    void readResize() {
        if (!m_fields.flag("do_resize", true)) {
            m_made.resize = Resize::No;
            return;
        }
        const Field resample = m_root.member("resample");
        if (m_fields.has("resample")) {
            const auto number = resample.whole(0, 5);
            if (number == 2 || number == 3)
                m_made.resampling = number == 3 ? Resampling::Bicubic : Resampling::Bilinear;
            else if (number)
                resample.expected("2 or 3", "Headlight resizes bilinearly or bicubically");
        }
        const Field size = m_root.member("size");
        if (!m_fields.has("size"))
            return;
        if (size.is(JsonValue::Kind::Number)) {
            m_made.height = m_made.width = side(size);
        } else if (FamilyFields(size).has("shortest_edge")) {
            m_made.height = m_made.width = side(size.member("shortest_edge"));
            m_made.resize = Resize::ShortEdge;
        } else {
            m_made.resize = Resize::Exactly;
            m_made.height = side(size.member("height"));
            m_made.width = side(size.member("width"));
        }
    }

    void readCrop() {
        const Field size = m_root.member("crop_size");
        if (size.is(JsonValue::Kind::Number))
            m_made.crop = std::pair(side(size), side(size));
        else
            m_made.crop = std::pair(side(size.member("height")), side(size.member("width")));
    }

    /// Reads three numbers; empty if the field is missing.
    std::vector<float> colours(const char *name) const {
        const Field field = m_root.member(name);
        if (!m_fields.has(name))
            return {};
        std::vector<float> numbers;
        if (field.isArray() && field.size() == std::size_t(kChannels))
            for (std::size_t i = 0; i < field.size(); ++i)
                numbers.push_back(static_cast<float>(field.element(i).number().value_or(1)));
        else
            field.expected("three numbers: red, green, blue");
        return numbers;
    }

    Field m_root;
    FamilyFields m_fields;
    PicturePreparation &m_made;
};

/// Returns the pixels that the patches cover.
std::pair<Index, Index> sizeOf(const PicturePatches &patches) {
    return {patches.rows * patches.side, patches.columns * patches.side};
}

} // namespace

Result<PicturePreparation> readPicturePreparation(const std::string &folder, Index pixels,
                                                  std::string_view processor,
                                                  std::stop_token stop) {
    PicturePreparation made = usualPreparation(processor, pixels);
    const std::string path = (fs::path(folder) / kFileName).string();
    if (!isNoFolder(path))
        return made;
    const auto bytes = readRegularFile(
        path, kMaxBytes, {{"it is larger than %1 MB", kMaxBytes >> 20}, path, ""}, stop);
    if (!bytes)
        return bytes.error();
    const auto json = readJson(*bytes, stop);
    if (!json)
        return Error{json.error().what, path + ": " + json.error().where, json.error().remedy};
    Reading reading;
    reading.stop = StopCheck(stop);
    const Field root(&*json, "", reading);
    if (const std::string named = PreparationReader(root, made).processor(); !named.empty())
        made = usualPreparation(named, pixels);
    PreparationReader(root, made).read();
    if (reading.problems.empty())
        return made;
    const Error &first = reading.problems.front();
    return Error{first.what, path + ": " + first.where, first.remedy};
}

Result<Picture> preparedPicture(const Picture &picture, const PicturePreparation &preparation,
                                const PicturePatches &patches, const std::stop_token &stop) try {
    if (picture.height < 1 || picture.width < 1)
        return Error{"it has no pixels", "picture", ""};
    const auto [rows, columns] = sizeOf(patches);
    Picture made = picture;
    if (preparation.resize != Resize::No) {
        Index height = preparation.height, width = preparation.width;
        if (preparation.resize == Resize::ShortEdge) {
            // The longer edge is rounded down, as in transformers.
            const Index edge = preparation.height;
            const bool isWide = picture.width > picture.height;
            const Index longer = edge * std::max(picture.width, picture.height) /
                                 std::min(picture.width, picture.height);
            height = isWide ? edge : longer;
            width = isWide ? longer : edge;
        }
        // Columns are resized first, while the picture still has its own height.
        if (std::max(height, picture.height) > kMaxPicturePixels / width)
            return Error{{"it is %1 × %2 pixels, which is too thin", picture.width, picture.height},
                         "picture",
                         "crop it to the part that matters"};
        made = resizedPicture(made, height, width, preparation.resampling, stop);
    }
    if (preparation.crop) {
        const auto [height, width] = *preparation.crop;
        if (height > made.height || width > made.width)
            return Error{{"it is %1 × %2 pixels, and the model uses %3 × %4", made.width,
                          made.height, width, height},
                         "picture",
                         "use a larger picture"};
        made = croppedPicture(made, (made.height - height) / 2, (made.width - width) / 2, height,
                              width);
    }
    // Leaves out pixels that do not fill a patch, like a convolution.
    if (made.height < rows || made.width < columns || made.height >= rows + patches.side ||
        made.width >= columns + patches.side)
        return Error{{"prepared as the folder specifies, it is %1 × %2 pixels, but the patches "
                      "cover %3 × %4",
                      made.width, made.height, columns, rows},
                     "picture",
                     "check that preprocessor_config.json belongs to this model"};
    return croppedPicture(made, 0, 0, rows, columns);
} catch (const Cancelled &) {
    return cancelled();
}

std::vector<std::string> patchNames(const PicturePatches &patches) {
    std::vector<std::string> names;
    for (Index i = 0; i < patches.before; ++i)
        names.push_back(i == 0 ? "[CLS]" : i == 1 ? "[DIST]" : "[" + std::to_string(i) + "]");
    for (Index row = 1; row <= patches.rows; ++row)
        for (Index column = 1; column <= patches.columns; ++column)
            names.push_back(std::to_string(row) + "," + std::to_string(column));
    return names;
}

Matrix patchEmbeddings(const Picture &prepared, const PicturePatches &patches) {
    Matrix made(patches.tokens(), patches.width());
    for (Index row = 0; row < patches.rows; ++row)
        for (Index column = 0; column < patches.columns; ++column) {
            const auto out = made.view().row(patches.before + row * patches.columns + column);
            for (Index channel = 0; channel < kChannels; ++channel)
                for (Index y = 0; y < patches.side; ++y)
                    for (Index x = 0; x < patches.side; ++x) {
                        const float pixel =
                            static_cast<float>(prepared.at(row * patches.side + y,
                                                           column * patches.side + x, channel)) /
                            255.0f;
                        const auto of = static_cast<std::size_t>(channel);
                        out[static_cast<std::size_t>(patches.place(channel, y, x))] =
                            (pixel - patches.mean[of]) / patches.deviation[of];
                    }
        }
    return made;
}

Picture pictureOf(const ParameterMatrix &embeddings, const PicturePatches &patches) {
    const auto [height, width] = sizeOf(patches);
    Picture made = plainPicture(height, width, 0, 0, 0);
    const Result<Matrix> numbers = embeddings.toMatrix();
    if (!numbers)
        return made;
    for (Index y = 0; y < height; ++y)
        for (Index x = 0; x < width; ++x) {
            const Index patch = y / patches.side * patches.columns + x / patches.side;
            const auto row = numbers->view().row(patches.before + patch);
            for (Index channel = 0; channel < kChannels; ++channel) {
                const auto of = static_cast<std::size_t>(channel);
                const Index place = patches.place(channel, y % patches.side, x % patches.side);
                const float pixel =
                    row[static_cast<std::size_t>(place)] * patches.deviation[of] + patches.mean[of];
                made.bytes[static_cast<std::size_t>((y * width + x) * kChannels + channel)] =
                    static_cast<std::uint8_t>(std::lround(std::clamp(pixel, 0.0f, 1.0f) * 255));
            }
        }
    return made;
}

Picture firstPicture(Index height, Index width) {
    Picture made = plainPicture(height, width, 236, 232, 222);
    const auto paint = [&](Index y, Index x, std::array<std::uint8_t, 3> colour) {
        std::ranges::copy(colour, made.bytes.begin() + (y * width + x) * kChannels);
    };
    const double unit = static_cast<double>(std::min(height, width));
    for (Index y = 0; y < height; ++y)
        for (Index x = 0; x < width; ++x) {
            const double u = static_cast<double>(x) / unit, v = static_cast<double>(y) / unit;
            if (std::hypot(u - 0.32, v - 0.36) < 0.2)
                paint(y, x, {200, 58, 48});
            else if (u > 0.55 && u < 0.88 && v > 0.52 && v < 0.85)
                paint(y, x, {44, 92, 180});
        }
    return made;
}

} // namespace headlight::core
