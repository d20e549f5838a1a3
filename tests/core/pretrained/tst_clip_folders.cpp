// CLIP: a folder with a model of texts and one of pictures, whose vectors are compared. The
// expected numbers are from tests/reference/encoders/clip.py.
#include "core/analysis/cosine_similarity.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/formats/session/data/session.h"
#include "core/formats/session/pretrained_session.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"

#include <cstdint>
#include <cstring>
#include <limits>

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path kClipFolders = fs::path(HEADLIGHT_TEST_DATA) / "folders";

PretrainedPointer openedAs(const fs::path &folder, Tower tower) {
    return valueOf(readPretrained(folder.string(), {}, {}, tower));
}

std::vector<float> projectedOf(const PretrainedFolder &folder, const Input &input) {
    return traceOf(folder, input)->stage(Stage::Projected).values();
}

class ClipCopy {
  public:
    explicit ClipCopy(const char *name) : m_path(freshFolder(name) / name) {
        fs::copy(kClipFolders / name, m_path);
        config = readReference(m_path / "config.json");
    }
    Result<PretrainedPointer> read(Tower tower = Tower::Texts) const {
        put(m_path / "config.json", config.dump());
        return readPretrained(m_path.string(), {}, {}, tower);
    }
    /// Changes the only number of a tensor of F32.
    void setTensor(const char *name, float number) const {
        const fs::path file = m_path / "model.safetensors";
        std::string bytes = contentOf(file);
        std::uint64_t header = 0;
        std::memcpy(&header, bytes.data(), sizeof header);
        const Json tensor = Json::parse(bytes.substr(8, header)).at(name);
        std::memcpy(bytes.data() + 8 + header +
                        tensor.at("data_offsets").at(0).get<std::uint64_t>(),
                    &number, sizeof number);
        put(file, bytes);
    }
    std::string refusal(Tower tower = Tower::Texts) const {
        const auto made = read(tower);
        return made ? "" : made.error().text();
    }

    Json config;

  private:
    fs::path m_path;
};

} // namespace

TEST_CASE("the similarity of a text and a picture matches an independent program") {
    const auto file = valueOf(SafetensorsFile::open((kClipFolders / "clip.safetensors").string()));
    const auto numberIn = [&](const char *name) {
        return Json::parse(file.metadata().at(name)).get<double>();
    };
    const auto ids = Json::parse(file.metadata().at("token_ids")).get<std::vector<Index>>();
    const PretrainedPointer texts = openedAs(kClipFolders / "clip", Tower::Texts);
    const PretrainedPointer pictures = openedAs(kClipFolders / "clip", Tower::Pictures);
    const auto text =
        projectedOf(*texts, valueOf(inputOf(*texts, tokensOfIds(*texts, Stack::Main, ids))));
    const auto picture = projectedOf(*pictures, valueOf(inputOf(*pictures, drawnPicture(9, 9))));
    const Cosine cosine = cosineOf(text, picture);
    REQUIRE(cosine.isDefined);
    CHECK(cosine.value == doctest::Approx(numberIn("cosine")).epsilon(1e-4));
    REQUIRE(texts->logitScale);
    CHECK(texts->logitScale == pictures->logitScale);
    CHECK(std::exp(static_cast<double>(*texts->logitScale)) * cosine.value ==
          doctest::Approx(numberIn("logit")).epsilon(1e-4));
}

TEST_CASE("a folder with two models opens as one of them, and a session remembers which") {
    const std::string path = (kClipFolders / "clip").string();
    const Session texts = valueOf(sessionOfFolder(path));
    CHECK(texts.pretrained->tower == Tower::Texts);
    CHECK_FALSE(texts.model.config.picture.isOn());
    CHECK(texts.json.find("tower") == std::string::npos);
    const Session pictures = valueOf(sessionOfFolder(path, {}, {}, Tower::Pictures));
    CHECK(pictures.pretrained->tower == Tower::Pictures);
    CHECK(pictures.model.config.picture.isOn());
    for (const Session *session : {&texts, &pictures}) {
        CHECK(session->warnings.size() == 1); // the folder has another model
        const Session again = valueOf(readSession(session->json));
        CHECK(again.pretrained->tower == session->pretrained->tower);
        CHECK(again.model.config == session->model.config);
    }
    Json wrong = Json::parse(pictures.json);
    wrong["pretrained"]["tower"] = "sounds";
    CHECK(readSession(wrong.dump()).error().text().find("tower") != std::string::npos);
    // A folder with one model has no choice.
    CHECK_FALSE(openedAs(kClipFolders / "clip-text", Tower::Pictures)->tower);
    CHECK_FALSE(openedAs(kClipFolders / "clip-text", Tower::Pictures)->picture);
}

TEST_CASE("the end of a text represents it, wherever it is") {
    const PretrainedPointer folder = opened(kClipFolders / "clip-text-projected");
    const auto rowOf = [&](const std::vector<Index> &ids) {
        const Input input = valueOf(inputOf(*folder, tokensOfIds(*folder, Stack::Main, ids)));
        const TracePointer trace = traceOf(*folder, input);
        const Tensor rows = trace->stage(Stage::FinalNorm);
        const std::vector<float> pooled = trace->stage(Stage::Pooled).values();
        std::vector<Index> found;
        for (Index row = 0; row < rows.shape().last(1); ++row)
            if (std::ranges::equal(rows.view(0).row(row), pooled))
                found.push_back(row);
        return found;
    };
    CHECK(rowOf({3, 22, 7, 5}) == std::vector<Index>{1});
    CHECK(rowOf({3, 7, 5, 22}) == std::vector<Index>{3});
    CHECK(rowOf({3, 22, 22, 1}) == std::vector<Index>{1}); // the first end token
    CHECK(rowOf({22}) == std::vector<Index>{0});
}

TEST_CASE("a factor of the cosine that is not finite is refused") {
    const ClipCopy copy("clip");
    copy.setTensor("logit_scale", 80);
    CHECK(valueOf(copy.read())->logitScale == 80);
    for (const float number : {81.0f, 1e30f, std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN()}) {
        CAPTURE(number);
        copy.setTensor("logit_scale", number);
        for (const Tower tower : {Tower::Texts, Tower::Pictures})
            CHECK(copy.refusal(tower).find("logit_scale") != std::string::npos);
    }
}

TEST_CASE("older configs override each other as in transformers") {
    ClipCopy copy("clip");
    copy.config["text_config_dict"] = copy.config["text_config"];
    copy.config["text_config"]["num_hidden_layers"] = 7; // ignored
    CHECK(valueOf(copy.read())->model.layerCount() == 2);
    copy.config["text_config_dict"] = nullptr;
    CHECK(copy.refusal().find("layers.2") != std::string::npos);
}

TEST_CASE("unsupported variants of CLIP are refused by the name of the field or tensor") {
    const auto has = [](const std::string &message, const char *part) {
        CAPTURE(message);
        CHECK(message.find(part) != std::string::npos);
    };
    ClipCopy text("clip-text");
    text.config["eos_token_id"] = 7; // 7 is neither the old value nor the last id
    has(text.refusal(), "config.json: eos_token_id");
    text.config["eos_token_id"] = 22;
    CHECK(text.refusal() == "");
    text.config["architectures"] = {"CLIPTextModelWithProjection"};
    has(text.refusal(), "text_projection.weight");
    ClipCopy both("clip");
    both.config["projection_dim"] = 6;
    has(both.refusal(), "text_projection.weight");
    has(both.refusal(Tower::Pictures), "visual_projection.weight");
    both.config["projection_dim"] = 7;
    both.config["vision_config"]["num_channels"] = 4;
    CHECK(both.refusal() == "");
    has(both.refusal(Tower::Pictures), "vision_config.num_channels");
}

TEST_CASE("CLIP's pictures are resized by the shorter edge, and the middle is used") {
    const PretrainedPointer folder = opened(kClipFolders / "clip-vision");
    const Picture wide = drawnPicture(30, 40);
    const Input input = valueOf(inputOf(*folder, wide));
    const Picture resized = resizedPicture(wide, 11, 14, Resampling::Bicubic);
    // 11 pixels are not a multiple of the patch size, so the last three are left out.
    CHECK(pictureOf(*(*input.batch)[0].embeddings, folder->model.config.picture) ==
          croppedPicture(resized, 0, 1, 8, 8));
    const fs::path scratch = freshFolder("processor");
    const auto made = valueOf(readPicturePreparation(scratch.string(), 224, "CLIP (pictures)"));
    CHECK(made.resize == PicturePreparation::Resize::ShortEdge);
    CHECK(made.resampling == Resampling::Bicubic);
    CHECK(made.crop == std::pair<Index, Index>(224, 224));
    put(scratch / "preprocessor_config.json",
        R"({"feature_extractor_type": "CLIPFeatureExtractor", "size": 30, "crop_size": 24})");
    const auto older = valueOf(readPicturePreparation(scratch.string(), 24, "ViT"));
    CHECK(older.resize == PicturePreparation::Resize::ShortEdge);
    CHECK(older.height == 30);
    CHECK(older.crop == std::pair<Index, Index>(24, 24));
}
