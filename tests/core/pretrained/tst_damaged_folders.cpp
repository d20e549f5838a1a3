// Damaged model folders: each gives one message, which names the place of the error.
#include "core_test.h"
#include "pretrained/folders.h"
#include "pretrained/small_folder.h"

using Json = nlohmann::json;

namespace {

/// Returns the error, or an empty string if the folder can be read and computed.
std::string problemOf(const std::filesystem::path &folder) {
    const auto read = readPretrained(folder.string());
    if (!read) {
        CHECK(!read.error().what.empty());
        return read.error().text();
    }
    const auto first = firstComputable(**read);
    if (!first)
        return first.error().text();
    const auto trace = forward(*first);
    return trace ? "" : trace.error().text();
}

bool says(const std::string &problem, std::initializer_list<const char *> all) {
    CAPTURE(problem);
    bool good = true;
    for (const char *part : all) {
        CHECK_MESSAGE(problem.find(part) != problem.npos, part);
        good = good && problem.find(part) != problem.npos;
    }
    return good;
}

/// Returns the file with a changed JSON header and the same data.
std::string withHeader(const std::string &bytes, const std::function<void(Json &)> &change) {
    std::size_t length = 0;
    for (int i = 7; i >= 0; --i)
        length = length << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
    Json header = Json::parse(bytes.substr(8, length));
    change(header);
    return safetensors(header.dump(), bytes.substr(8 + length));
}

const Json &oddValues() {
    static const Json values = Json::parse(R"([null, true, -1, 0, 0.5, 1e300, -1e300,
        9223372036854775808, -9223372036854775808, "gpt2", "", [], [1, 2],
        [9223372036854775808, 4], {}, {"a": 1}])");
    return values;
}

} // namespace

TEST_CASE("the small folder is valid") {
    const auto folder = freshFolder("sound");
    putFolder(folder, smallConfig(), smallTensors());
    CHECK(problemOf(folder) == "");
    CHECK(opened(folder)->warnings.empty());
}

TEST_CASE("truncated files are reported") {
    const auto folder = freshFolder("cut");
    putFolder(folder, smallConfig(), smallTensors());
    for (const char *name : {"config.json", "model.safetensors"}) {
        const std::string whole = contentOf(folder / name);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            put(folder / name, whole.substr(0, size));
            CAPTURE(size);
            CHECK(says(problemOf(folder), {name}));
        }
        put(folder / name, whole);
    }
}

TEST_CASE("tensors that overlap, or claim 2^63 bytes, are refused") {
    const auto folder = freshFolder("overlap");
    putFolder(folder, smallConfig(), smallTensors());
    const std::string whole = contentOf(folder / "model.safetensors");
    put(folder / "model.safetensors", withHeader(whole, [](Json &header) {
            header["transformer.wpe.weight"]["data_offsets"] = {8, 104};
        }));
    CHECK(says(problemOf(folder), {"overlap"}));
    put(folder / "model.safetensors", withHeader(whole, [](Json &header) {
            header["transformer.wte.weight"]["shape"] = {std::uint64_t(1) << 61, 4};
        }));
    CHECK(says(problemOf(folder), {"transformer.wte.weight", "too large"}));
    std::string claims = whole;
    claims[7] = '\x80';
    put(folder / "model.safetensors", claims);
    CHECK(says(problemOf(folder), {"model.safetensors", "9223372036854"}));
}

TEST_CASE("an unknown family is named, with those that are known") {
    const auto folder = freshFolder("unknown");
    putFolder(folder, smallConfig(), smallTensors());
    put(folder / "config.json", R"({"model_type": "mamba"})");
    CHECK(says(problemOf(folder), {"mamba", "model_type", "gpt2", "llama", "qwen2"}));
    put(folder / "config.json", R"({"architectures": ["X"]})");
    CHECK(says(problemOf(folder), {"model_type", "gpt2"}));
}

TEST_CASE("a pickle is never run") {
    const auto folder = freshFolder("pickle");
    put(folder / "config.json", smallConfig().dump());
    put(folder / "pytorch_model.bin", "cos\nsystem\n");
    CHECK(says(problemOf(folder), {"pytorch_model.bin", "import torch", "torch.load",
                                   "weights_only=True", "save_file", "model.safetensors"}));
}

TEST_CASE("unknown fields and tensors are named, and all problems are listed") {
    const auto folder = freshFolder("listed");
    auto tensors = smallTensors();
    tensors.push_back({"score.weight", Tensor({2, 4}, std::vector<float>(8))});
    tensors.push_back({"transformer.h.0.attn.bias", Tensor({1, 1, 6, 6}, std::vector<float>(36))});
    Json config = smallConfig();
    config["attention_sinks"] = 4;
    putFolder(folder, config, tensors);
    const auto warnings = opened(folder)->warnings;
    REQUIRE(warnings.size() == 2);
    CHECK(says(warnings[0].text(), {"config.json", "attention_sinks", "GPT-2"}));
    CHECK(says(warnings[1].text(), {"score.weight"}));
    config["vocab_size"] = 6;
    config["n_positions"] = 7;
    putFolder(folder, config, tensors);
    const auto problems = inspectPretrained(folder.string()).problems;
    REQUIRE(problems.size() == 2);
    CHECK(says(problems[0].text(), {"wte.weight", "5 × 4", "6 × 4"}));
    CHECK(says(problems[1].text(), {"wpe.weight", "6 × 4", "7 × 4"}));
}

TEST_CASE("names without a prefix, or with a wrapper's prefix, mean the same tensors") {
    const auto folder = freshFolder("names");
    auto tensors = smallTensors();
    for (NamedTensor &tensor : tensors)
        tensor.name.erase(0, std::string("transformer.").size());
    putFolder(folder, smallConfig(), tensors);
    CHECK(problemOf(folder) == "");
    for (NamedTensor &tensor : tensors)
        tensor.name = "_orig_mod.transformer." + tensor.name;
    putFolder(folder, smallConfig(), tensors);
    CHECK(problemOf(folder) == "");
    CHECK(opened(folder)->warnings.empty());
}

TEST_CASE("parts are read by their index, which stays in the folder") {
    const auto folder = freshFolder("parts");
    const auto tensors = smallTensors();
    const std::vector<NamedTensor> first(tensors.begin(), tensors.begin() + 5);
    const std::vector<NamedTensor> second(tensors.begin() + 5, tensors.end());
    put(folder / "config.json", smallConfig().dump());
    put(folder / "a.safetensors", bytesOf(first));
    put(folder / "b.safetensors", bytesOf(second));
    Json map = Json::object();
    for (const NamedTensor &tensor : first)
        map[tensor.name] = "a.safetensors";
    for (const NamedTensor &tensor : second)
        map[tensor.name] = "b.safetensors";
    const auto putIndex = [&](const Json &index) {
        put(folder / "model.safetensors.index.json", index.dump());
    };
    putIndex({{"weight_map", map}});
    CHECK(problemOf(folder) == "");
    for (const char *outside : {"../a.safetensors", "/etc/passwd", "..", "", "sub/a"}) {
        Json other = map;
        other[tensors[0].name] = outside;
        putIndex({{"weight_map", other}});
        CHECK(says(problemOf(folder), {"index.json", "name of a file in the index's folder"}));
    }
    Json other = map;
    other[tensors[0].name] = "b.safetensors";
    putIndex({{"weight_map", other}});
    CHECK(says(problemOf(folder), {"b.safetensors", "transformer.wte.weight"}));
    other[tensors[0].name] = "c.safetensors";
    putIndex({{"weight_map", other}});
    CHECK(says(problemOf(folder), {"c.safetensors"}));
    for (const Json &value : oddValues()) {
        putIndex({{"weight_map", value}});
        CHECK(problemOf(folder) != "");
        putIndex(value);
        CHECK(problemOf(folder) != "");
    }
}

TEST_CASE("truncating an open file makes the pass fail") {
    const auto folder = freshFolder("open");
    putFolder(folder, smallConfig(), smallTensors());
    const PretrainedPointer model = opened(folder);
    const auto first = valueOf(firstComputable(*model));
    std::filesystem::resize_file(folder / "model.safetensors", 2000);
    const auto trace = forward(first);
    REQUIRE(!trace.ok());
    CHECK(says(trace.error().text(), {"model.safetensors", "truncated"}));
}

TEST_CASE("a tokenizer that cannot be read leaves a model whose tokens are ids") {
    const auto folder = freshFolder("tokenizer");
    putFolder(folder, smallConfig(), smallTensors());
    put(folder / "tokenizer.json", R"({"model": {"type": "Unheard"}})");
    const PretrainedPointer model = opened(folder);
    REQUIRE(model->warnings.size() == 1);
    CHECK(says(model->warnings[0].text(), {"tokenizer.json", "ids"}));
    CHECK(model->model.vocabulary->word(3) == "3");
    const auto text = tokenized(model->model, Stack::Main, "1 2");
    REQUIRE(!text.ok());
    CHECK(says(text.error().text(), {"tokenizer.json"}));
    CHECK(problemOf(folder) == "");
}
