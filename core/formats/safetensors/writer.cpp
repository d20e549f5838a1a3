#include "core/formats/safetensors/writer.h"

#include "core/in_quotes.h"

#include <bit>
#include <new>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace headlight::core {

namespace {

std::string jsonString(const std::string &text) {
    // Replaces invalid UTF-8 in names.
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string headerText(const std::vector<TensorToWrite> &tensors, const Metadata &metadata) {
    std::string json = "{";
    if (!metadata.empty()) {
        json += "\"__metadata__\":{";
        for (const auto &[key, value] : metadata)
            json += (json.back() == '{' ? "" : ",") + jsonString(key) + ":" + jsonString(value);
        json += "}";
    }
    std::uint64_t offset = 0;
    for (const TensorToWrite &tensor : tensors) {
        const std::uint64_t end =
            offset + static_cast<std::uint64_t>(tensor.shape.count()) * sizeof(float);
        json += (json.back() == '{' ? "" : ",") + jsonString(tensor.name) +
                ":{\"dtype\":\"F32\",\"shape\":[";
        for (std::size_t axis = 0; axis < tensor.shape.rank(); ++axis)
            json += (axis == 0 ? "" : ",") + std::to_string(tensor.shape[axis]);
        json += "],\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(end) + "]}";
        offset = end;
    }
    json += "}";
    json.resize((json.size() + 7) / 8 * 8, ' ');
    return json;
}

std::string lengthBytes(std::uint64_t length) {
    std::string bytes;
    for (int shift = 0; shift < 64; shift += 8)
        bytes += static_cast<char>(length >> shift);
    return bytes;
}

/// Writes floats as little-endian, even on big-endian machines.
Outcome writeFloats(std::span<const float> numbers, const ByteSink &sink) {
    if constexpr (std::endian::native == std::endian::little)
        return sink({reinterpret_cast<const char *>(numbers.data()), numbers.size_bytes()});
    std::string bytes;
    bytes.reserve(numbers.size_bytes());
    for (const float number : numbers)
        for (int shift = 0; shift < 32; shift += 8)
            bytes += static_cast<char>(std::bit_cast<std::uint32_t>(number) >> shift);
    return sink(bytes);
}

Outcome writeTensor(const TensorToWrite &tensor, const ByteSink &sink) {
    auto left = static_cast<std::size_t>(tensor.shape.count());
    const Error wrongCount{"its number of values does not match its shape",
                           "tensor " + inQuotes(tensor.name), ""};
    const Outcome given = tensor.giveNumbers([&](std::span<const float> numbers) -> Outcome {
        if (numbers.size() > left)
            return wrongCount;
        left -= numbers.size();
        return writeFloats(numbers, sink);
    });
    return given && left > 0 ? Outcome(wrongCount) : given;
}

} // namespace

Outcome writeSafetensors(const std::vector<TensorToWrite> &tensors, const Metadata &metadata,
                         const ByteSink &sink) {
    std::unordered_set<std::string_view> names{"__metadata__"};
    for (const TensorToWrite &tensor : tensors)
        if (!names.insert(tensor.name).second)
            return Error{"the name is duplicate or reserved", "tensor " + inQuotes(tensor.name),
                         ""};
    const std::string header = headerText(tensors, metadata);
    if (header.size() > kMaxHeaderBytes)
        return Error{{"the header would be longer than %1 bytes", kMaxHeaderBytes},
                     "",
                     "use a shorter text or fewer stages"};
    if (Outcome written = sink(lengthBytes(header.size()) + header); !written)
        return written;
    for (const TensorToWrite &tensor : tensors)
        if (Outcome written = writeTensor(tensor, sink); !written)
            return written;
    return Done{};
}

Result<std::string> safetensorsBytes(const std::vector<NamedTensor> &tensors,
                                     const Metadata &metadata) try {
    std::vector<TensorToWrite> all;
    for (const auto &[name, tensor] : tensors) {
        if (tensor.isNull())
            return Error{"there is no such tensor", "tensor " + inQuotes(name), ""};
        all.push_back(
            {name, tensor.shape(), [numbers = tensor.values()](const TensorToWrite::Numbers &take) {
                 return take({numbers.data(), numbers.size()});
             }});
    }
    std::string bytes;
    const Outcome written =
        writeSafetensors(all, metadata, [&bytes](std::string_view piece) -> Outcome {
            bytes += piece;
            return Done{};
        });
    if (!written)
        return written.error();
    return bytes;
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the file", "", "choose fewer stages"};
}

} // namespace headlight::core
