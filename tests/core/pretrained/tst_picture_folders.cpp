// Pictures of vision transformers: resized as Pillow does (tests/reference/make_pictures.py), cut
// into patches and back, prepared as preprocessor_config.json specifies, and refused with the name
// of the field.
#include "core/cancelled.h"
#include "core/formats/session/data/session.h"
#include "core/formats/session/pretrained_session.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path kModels = fs::path(HEADLIGHT_TEST_DATA) / "folders";

/// A copy of a folder, such as vit, whose picture has 8 × 8 pixels.
class VitCopy {
  public:
    explicit VitCopy(const char *name = "vit")
        : m_from(kModels / name), m_path(freshFolder(name) / name) {
        fs::copy(m_from, m_path);
    }

    const fs::path &path() const { return m_path; }
    std::string errorWith(const char *file, const Json &fields) const {
        const Json before = readReference(m_from / file);
        Json changed = before;
        changed.update(fields);
        put(m_path / file, changed.dump());
        const auto read = readPretrained(m_path.string());
        put(m_path / file, before.dump());
        return read ? "" : read.error().text();
    }
    PretrainedPointer prepared(const Json &preparation) const {
        put(m_path / "preprocessor_config.json", preparation.dump());
        return opened(m_path);
    }

  private:
    fs::path m_from, m_path;
};

Picture pictureIn(const Input &input, const PretrainedFolder &folder) {
    return pictureOf(*(*input.batch)[0].embeddings, folder.model.config.picture);
}

} // namespace

TEST_CASE("pictures are resized as Pillow does") {
    for (const Json &each :
         readReference(fs::path(HEADLIGHT_TEST_DATA) / "pictures" / "resized.json")) {
        CAPTURE(each["from"].dump());
        CAPTURE(each["to"].dump());
        const Resampling resampling =
            each["resampling"] == "bicubic" ? Resampling::Bicubic : Resampling::Bilinear;
        const Picture made = resizedPicture(drawnPicture(each["from"][0], each["from"][1]),
                                            each["to"][0], each["to"][1], resampling);
        CHECK(made.height == each["to"][0]);
        CHECK(made.width == each["to"][1]);
        CHECK(made.bytes == each["bytes"].get<std::vector<std::uint8_t>>());
    }
}

TEST_CASE("resizing a picture can be stopped") {
    std::stop_source stopped;
    stopped.request_stop();
    const Picture wide = drawnPicture(10, 25);
    for (const auto &[height, width] : {std::pair(Index(10), Index(8)), {8, 25}})
        CHECK_THROWS_AS(
            (void)resizedPicture(wide, height, width, Resampling::Bicubic, stopped.get_token()),
            Cancelled);
    const PretrainedPointer folder = opened(kModels / "vit");
    const auto input = inputOf(*folder, wide, stopped.get_token());
    REQUIRE_FALSE(input.ok());
    CHECK(isCancelled(input.error()));
}

TEST_CASE("a picture is cut into patches in reading order, and can be put together again") {
    const PretrainedPointer folder = opened(kModels / "vit");
    const Picture picture = drawnPicture(8, 8);
    const Input input = valueOf(inputOf(*folder, picture));
    const Sequence &tokens = (*input.batch)[0];
    CHECK(tokens.length == 5);
    CHECK(tokens[0].text == "[CLS]");
    CHECK(tokens[2].text == "1,2");
    CHECK(tokens[3].text == "2,1");
    CHECK(tokens.tokenTypes == std::vector<Index>{1, 0, 0, 0, 0});
    CHECK(pictureIn(input, *folder) == picture);
    // The second pixel of the patch in the upper right corner, in green.
    const Matrix numbers = *tokens.embeddings->toMatrix();
    CHECK(numbers.view()(2, 16 + 1) ==
          doctest::Approx(static_cast<double>(picture.at(0, 5, 1)) / 255 * 2 - 1));
    for (const float number : numbers.view().row(0))
        CHECK(number == 0);
}

TEST_CASE("pictures are resized and cropped as the folder specifies") {
    const VitCopy copy;
    const Json size{{"height", 8}, {"width", 8}};
    const Picture wide = drawnPicture(10, 25);
    SUBCASE("to the model's size, whatever their shape") {
        const PretrainedPointer folder = copy.prepared({{"size", size}, {"resample", 3}});
        CHECK(pictureIn(valueOf(inputOf(*folder, wide)), *folder) ==
              resizedPicture(wide, 8, 8, Resampling::Bicubic));
    }
    SUBCASE("by the shorter edge, then the middle") {
        const PretrainedPointer folder = copy.prepared(
            {{"size", {{"shortest_edge", 9}}}, {"do_center_crop", true}, {"crop_size", size}});
        const Picture resized = resizedPicture(wide, 9, 22, Resampling::Bilinear);
        CHECK(pictureIn(valueOf(inputOf(*folder, wide)), *folder) ==
              croppedPicture(resized, 0, 7, 8, 8));
        CHECK_FALSE(inputOf(*folder, drawnPicture(1, 30000000)).ok()); // too thin
        CHECK_FALSE(inputOf(*folder, drawnPicture(30000000, 1)).ok());
    }
    SUBCASE("with the numbers of the folder") {
        const PretrainedPointer folder =
            copy.prepared({{"size", 8}, {"image_mean", {0, 0.25, 0.5}}, {"image_std", {1, 2, 4}}});
        CHECK(folder->model.config.picture.mean == std::vector<float>{0, 0.25f, 0.5f});
        CHECK(folder->model.config.picture.deviation == std::vector<float>{1, 2, 4});
    }
    SUBCASE("without a file, as ViT does") {
        fs::remove(copy.path() / "preprocessor_config.json");
        const PretrainedPointer folder = opened(copy.path());
        CHECK(folder->model.config.picture.mean == std::vector<float>{0.5f, 0.5f, 0.5f});
        CHECK(pictureIn(valueOf(inputOf(*folder, wide)), *folder) ==
              resizedPicture(wide, 8, 8, Resampling::Bilinear));
    }
    SUBCASE("not at all") {
        const PretrainedPointer folder = copy.prepared({{"do_resize", false}});
        CHECK(pictureIn(valueOf(inputOf(*folder, drawnPicture(8, 8))), *folder) ==
              drawnPicture(8, 8));
        CHECK_FALSE(inputOf(*folder, wide).ok());
        CHECK(firstComputable(*folder).ok());
    }
    SUBCASE("but not if that takes too much memory") {
        const PretrainedPointer folder = copy.prepared({{"size", 8}});
        CHECK_FALSE(inputOf(*folder, drawnPicture(30000000, 1)).ok());
    }
    SUBCASE("unless the result does not fit the patches") {
        const PretrainedPointer folder = copy.prepared({{"size", 16}});
        const auto input = inputOf(*folder, wide);
        REQUIRE_FALSE(input.ok());
        CHECK(input.error().text().find("16 × 16") != std::string::npos);
    }
}

TEST_CASE("fields of a vision transformer that do not fit are named") {
    const VitCopy copy;
    const auto names = [](const std::string &error, const char *field) {
        CAPTURE(error);
        CHECK(error.find(field) != std::string::npos);
    };
    for (const char *field : {"hidden_size", "num_attention_heads", "patch_size", "image_size",
                              "num_hidden_layers", "intermediate_size"})
        for (const Json &value : {Json(0), Json(-1), Json(1e300), Json("many")})
            names(copy.errorWith("config.json", {{field, value}}), field);
    names(copy.errorWith("config.json", {{"num_channels", 1}}), "num_channels");
    names(copy.errorWith("config.json", {{"patch_size", 2}}), "projection.weight");
    names(copy.errorWith("config.json", {{"image_size", 12}}), "position_embeddings");
    names(copy.errorWith("config.json", {{"image_size", 3}}), "image_size");
    names(copy.errorWith("config.json", {{"image_size", 260}}), "patches"); // 65 × 65
    const char *file = "preprocessor_config.json";
    names(copy.errorWith(file, {{"resample", 0}}), "resample");
    names(copy.errorWith(file, {{"rescale_factor", 1}}), "rescale_factor");
    names(copy.errorWith(file, {{"do_rescale", false}}), "do_rescale");
    names(copy.errorWith(file, {{"image_std", {1, 0, 1}}}), "image_std");
    names(copy.errorWith(file, {{"image_mean", {1, 1}}}), "image_mean");
    names(copy.errorWith(file, {{"size", -8}}), "size");
    names(copy.errorWith(file, {{"size", {{"shortest_edge", 1e9}}}}), "shortest_edge");
}

TEST_CASE("DeiT's pictures are resized bicubically, and the middle is used") {
    // The numbers of facebook/deit-base-distilled-patch16-224, for a smaller picture.
    const VitCopy copy("deit");
    const Picture wide = drawnPicture(10, 25);
    const PretrainedPointer folder =
        copy.prepared({{"crop_size", 9},
                       {"do_center_crop", true},
                       {"do_resize", true},
                       {"feature_extractor_type", "DeiTFeatureExtractor"},
                       {"resample", 3},
                       {"size", 12}});
    CHECK(pictureIn(valueOf(inputOf(*folder, wide)), *folder) ==
          croppedPicture(resizedPicture(wide, 12, 12, Resampling::Bicubic), 1, 1, 9, 9));
    const Input input = valueOf(inputOf(*folder, wide));
    const Sequence &tokens = (*input.batch)[0];
    CHECK(tokens[0].text == "[CLS]");
    CHECK(tokens[1].text == "[DIST]");
    CHECK(tokens[2].text == "1,1");
    CHECK(tokens.tokenTypes == std::vector<Index>{1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("fields that a folder leaves out have the defaults of its processor") {
    const fs::path folder = freshFolder("processor");
    const fs::path file = folder / "preprocessor_config.json";
    const auto read = [&](Index pixels, const char *family) {
        return valueOf(readPicturePreparation(folder.string(), pixels, family));
    };
    PicturePreparation deit;
    deit.height = deit.width = 256;
    deit.resampling = Resampling::Bicubic;
    deit.crop = std::pair<Index, Index>(224, 224);
    CHECK(read(224, "DeiT") == deit);
    CHECK(read(224, "ViT") == PicturePreparation());
    put(file, "{}");
    CHECK(read(224, "DeiT") == deit);
    put(file, R"({"image_processor_type": "DeiTImageProcessorFast"})");
    CHECK(read(224, "ViT") == deit);
    put(file, R"({"image_processor_type": "ViTImageProcessor"})");
    CHECK(read(224, "DeiT") == PicturePreparation());
    put(file, R"({"do_center_crop": false, "size": {"height": 224, "width": 224}})");
    deit.crop.reset();
    deit.height = deit.width = 224;
    CHECK(read(224, "DeiT") == deit);
    put(file, R"({"resample": 2})");
    deit.resampling = Resampling::Bilinear;
    deit.height = deit.width = 32;
    CHECK(read(32, "DeiT") == deit); // a crop of 224 pixels would not fit the model
}

TEST_CASE("a model has the classifiers of its class, whatever else is in the file") {
    const auto read = [](const char *name) { return opened(kModels / name)->model; };
    const OutputLayerParameters two = read("deit").parameters.outputLayer;
    CHECK(two.classifier);
    CHECK(two.distillationClassifier);
    CHECK(two.distillationClassifierBias);
    CHECK(read("deit").config.outputLayer.classes == 5);
    CHECK_FALSE(read("deit-without-teacher").parameters.outputLayer.distillationClassifier);
    CHECK(read("deit-without-classes").config.outputLayer.kind == OutputLayerKind::None);
    const VitCopy copy("deit"), one("deit-without-teacher");
    // Without the class, the tensors decide.
    const auto without = [](const VitCopy &folder) {
        Json config = readReference(folder.path() / "config.json");
        config.erase("architectures");
        put(folder.path() / "config.json", config.dump());
        return opened(folder.path())->model.parameters.outputLayer;
    };
    // A class whose tensors are missing is refused by their names.
    CHECK(copy.errorWith("config.json", {{"architectures", {"DeiTForImageClassification"}}})
              .find("classifier.weight") != std::string::npos);
    CHECK(
        one.errorWith("config.json", {{"architectures", {"DeiTForImageClassificationWithTeacher"}}})
            .find("cls_classifier.weight") != std::string::npos);
    CHECK(without(copy).distillationClassifier);
    CHECK_FALSE(without(one).distillationClassifier);
    for (const auto &[field, value] : {std::pair("image_size", 12), std::pair("num_channels", 1)})
        CHECK(VitCopy("deit").errorWith("config.json", {{field, value}}) != "");
}

TEST_CASE("a session of a picture is opened again as it was saved") {
    const Session session = valueOf(sessionOfFolder((kModels / "vit").string()));
    REQUIRE((*session.input.batch)[0].embeddings);
    const Session again = valueOf(readSession(session.json));
    CHECK(*(*again.input.batch)[0].embeddings->toMatrix() ==
          *(*session.input.batch)[0].embeddings->toMatrix());
    CHECK((*again.input.batch)[0].tokens == (*session.input.batch)[0].tokens);
    // A text cannot replace the picture.
    CHECK_FALSE(withText(session, "a text").ok());
}
