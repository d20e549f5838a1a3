// A small GPT-2 folder, which tests can damage.
#pragma once

#include "core/formats/safetensors/writer.h"
#include "core/random.h"
#include "scratch.h"

#include <nlohmann/json.hpp>

namespace headlight::core::test {

inline nlohmann::json smallConfig() {
    return {{"model_type", "gpt2"}, {"n_embd", 4},       {"n_head", 2},
            {"n_layer", 1},         {"n_positions", 6},  {"vocab_size", 5},
            {"n_inner", nullptr},   {"use_cache", true}, {"activation_function", "gelu_new"}};
}

inline std::vector<NamedTensor> smallTensors() {
    Random random(7);
    std::vector<NamedTensor> tensors;
    const auto add = [&](const std::string &name, const Shape &shape) {
        std::vector<float> numbers(static_cast<std::size_t>(shape.count()));
        for (float &number : numbers)
            number = static_cast<float>(random.normal());
        tensors.push_back({"transformer." + name, Tensor(shape, std::move(numbers))});
    };
    add("wte.weight", {5, 4});
    add("wpe.weight", {6, 4});
    for (const char *norm : {"h.0.ln_1", "h.0.ln_2", "ln_f"}) {
        add(std::string(norm) + ".weight", {4});
        add(std::string(norm) + ".bias", {4});
    }
    add("h.0.attn.c_attn.weight", {4, 12});
    add("h.0.attn.c_attn.bias", {12});
    add("h.0.attn.c_proj.weight", {4, 4});
    add("h.0.attn.c_proj.bias", {4});
    add("h.0.mlp.c_fc.weight", {4, 16});
    add("h.0.mlp.c_fc.bias", {16});
    add("h.0.mlp.c_proj.weight", {16, 4});
    add("h.0.mlp.c_proj.bias", {4});
    return tensors;
}

inline std::string bytesOf(const std::vector<NamedTensor> &tensors) {
    const auto bytes = safetensorsBytes(tensors, {});
    REQUIRE(bytes.ok());
    return *bytes;
}

inline void putFolder(const std::filesystem::path &folder, const nlohmann::json &config,
                      const std::vector<NamedTensor> &tensors) {
    put(folder / "config.json", config.dump());
    put(folder / "model.safetensors", bytesOf(tensors));
}

} // namespace headlight::core::test
