#include "core/formats/safetensors/header.h"

#include "core/formats/files/io_error.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace headlight::core {

namespace {

using Json = nlohmann::json;

/// Handles the parser's events. Builds only values that the format allows, so deep nesting takes no
/// memory.
class HeaderReader {
  public:
    bool null() { return fail("unexpected null"); }
    bool boolean(bool) { return fail("unexpected boolean"); }
    bool number_integer(Json::number_integer_t) { return fail("unexpected negative number"); }
    bool number_float(Json::number_float_t, const std::string &) {
        return fail("expected a whole number");
    }
    bool binary(Json::binary_t &) { return fail("unexpected binary data"); }

    bool number_unsigned(Json::number_unsigned_t value) {
        if (m_place != Place::Numbers)
            return fail("unexpected number");
        if (m_numbers.size() == std::max(kMaxRank, std::size_t{2}))
            return fail({"%1 has more than %2 numbers", m_field, kMaxRank});
        m_numbers.push_back(value);
        return true;
    }

    bool string(std::string &value) {
        if (m_place == Place::Metadata)
            return m_header.metadata.emplace(m_field, std::move(value)).second ||
                   fail({"__metadata__ has %1 twice", inQuotes(m_field)});
        if (m_place == Place::Tensor && m_field == "dtype" && !m_hasDtype) {
            m_header.tensors.back().dtype = std::move(value);
            return m_hasDtype = true;
        }
        return fail("unexpected string");
    }

    bool start_object(std::size_t) {
        if (m_place == Place::Start) {
            m_place = Place::Top;
            return true;
        }
        if (m_place != Place::Top)
            return fail("unexpected object");
        if (!m_names.insert(m_name).second)
            return fail("duplicate name in the file");
        if (m_name == "__metadata__") {
            m_place = Place::Metadata;
            return true;
        }
        if (m_header.tensors.size() == kMaxTensors)
            return fail({"there are more than %1 tensors", kMaxTensors});
        m_header.tensors.push_back({m_name, {}, {}, 0, 0});
        m_hasDtype = m_hasShape = m_hasOffsets = false;
        m_place = Place::Tensor;
        return true;
    }

    bool key(std::string &key) {
        (m_place == Place::Top ? m_name : m_field) = std::move(key);
        return true;
    }

    bool end_object() {
        if (m_place == Place::Tensor && !(m_hasDtype && m_hasShape && m_hasOffsets))
            return fail("it needs dtype, shape and data_offsets");
        m_place = m_place == Place::Top ? Place::End : Place::Top;
        return true;
    }

    bool start_array(std::size_t) {
        const bool expected =
            m_place == Place::Tensor &&
            ((m_field == "shape" && !m_hasShape) || (m_field == "data_offsets" && !m_hasOffsets));
        if (!expected)
            return fail("unexpected list");
        m_numbers.clear();
        m_place = Place::Numbers;
        return true;
    }

    bool end_array() {
        m_place = Place::Tensor;
        TensorInfo &tensor = m_header.tensors.back();
        if (m_field == "shape") {
            std::vector<Index> sizes;
            for (const std::uint64_t number : m_numbers) {
                if (number > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
                    return fail("the shape is too large");
                sizes.push_back(static_cast<Index>(number));
            }
            tensor.shape = Shape(std::move(sizes));
            return m_hasShape = true;
        }
        if (m_numbers.size() != 2)
            return fail("data_offsets must be two numbers");
        tensor.begin = m_numbers[0];
        tensor.end = m_numbers[1];
        return m_hasOffsets = true;
    }

    bool parse_error(std::size_t position, const std::string &, const Json::exception &) {
        m_name.clear();
        return fail({"the header is not valid JSON at its byte %1", position});
    }

    SafetensorsHeader takeHeader() { return std::move(m_header); }
    const Message &problem() const { return m_problem; }
    /// Returns the name of the current tensor; empty outside tensors.
    const std::string &name() const { return m_name; }

  private:
    enum class Place { Start, Top, Metadata, Tensor, Numbers, End };

    bool fail(Message problem) {
        m_problem = std::move(problem);
        return false;
    }

    SafetensorsHeader m_header;
    std::unordered_set<std::string> m_names;
    Place m_place = Place::Start;
    std::string m_name, m_field;
    Message m_problem;
    std::vector<std::uint64_t> m_numbers;
    bool m_hasDtype = false, m_hasShape = false, m_hasOffsets = false;
};

Error broken(Message what, const std::string &where, const std::string &name) {
    return {std::move(what),
            name.empty() ? where : where + ", tensor " + inQuotes(name, kTensorNameShown),
            "the file is damaged or not safetensors; get it again"};
}

/// Computes the tensor's size in bytes from its shape. Returns false on overflow.
bool byteCount(const TensorInfo &tensor, std::size_t itemBytes, std::uint64_t &bytes) {
    Index count = 1;
    for (const Index size : tensor.shape.sizes())
        if (__builtin_mul_overflow(count, size, &count))
            return false;
    return !__builtin_mul_overflow(static_cast<std::uint64_t>(count), itemBytes, &bytes);
}

Outcome checkRange(const TensorInfo &tensor, std::uint64_t dataBytes, const std::string &where) {
    if (tensor.begin > tensor.end || tensor.end > dataBytes)
        return broken({"its bytes %1 to %2 are outside the file's %3 bytes of data", tensor.begin,
                       tensor.end, dataBytes},
                      where, tensor.name);
    const std::size_t itemBytes = bytesOf(tensor.dtype);
    std::uint64_t bytes = 0;
    if (!byteCount(tensor, std::max<std::size_t>(itemBytes, 1), bytes))
        return broken({"the shape %1 is too large", tensor.shape.text()}, where, tensor.name);
    if (itemBytes != 0 && bytes != tensor.end - tensor.begin)
        return broken({"the shape %1 of %2 needs %3 bytes, but it has %4", tensor.shape.text(),
                       tensor.dtype, bytes, tensor.end - tensor.begin},
                      where, tensor.name);
    return Done{};
}

Outcome checkOverlaps(const std::vector<TensorInfo> &tensors, const std::string &where) {
    std::vector<const TensorInfo *> sorted;
    for (const TensorInfo &tensor : tensors)
        if (tensor.begin < tensor.end)
            sorted.push_back(&tensor);
    std::sort(sorted.begin(), sorted.end(),
              [](const TensorInfo *a, const TensorInfo *b) { return a->begin < b->begin; });
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (sorted[i]->begin < sorted[i - 1]->end)
            return broken(
                {"its bytes overlap those of %1", inQuotes(sorted[i - 1]->name, kTensorNameShown)},
                where, sorted[i]->name);
    return Done{};
}

} // namespace

std::size_t bytesOf(std::string_view dtype) {
    struct Type {
        std::string_view name;
        std::size_t bytes;
    };
    static constexpr Type types[] = {{"F32", 4},  {"F16", 2},     {"BF16", 2},   {"F64", 8},
                                     {"I64", 8},  {"U64", 8},     {"I32", 4},    {"U32", 4},
                                     {"I16", 2},  {"U16", 2},     {"I8", 1},     {"U8", 1},
                                     {"BOOL", 1}, {"F8_E5M2", 1}, {"F8_E4M3", 1}};
    for (const Type &type : types)
        if (type.name == dtype)
            return type.bytes;
    return 0;
}

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view json, std::uint64_t dataBytes,
                                                 const std::string &where) {
    HeaderReader reader;
    if (!Json::sax_parse(json.begin(), json.end(), &reader))
        return broken(reader.problem(), where, reader.name());
    SafetensorsHeader header = reader.takeHeader();
    for (const TensorInfo &tensor : header.tensors)
        if (Outcome outcome = checkRange(tensor, dataBytes, where); !outcome)
            return outcome.error();
    if (Outcome outcome = checkOverlaps(header.tensors, where); !outcome)
        return outcome.error();
    return header;
}

} // namespace headlight::core
