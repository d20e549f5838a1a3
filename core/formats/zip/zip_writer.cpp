#include "core/formats/zip/zip_writer.h"

#include "core/formats/encodings/inflate.h"

#include <cstdint>
#include <string_view>

namespace headlight::core {

namespace {

template <typename Number>
std::string littleBytes(Number number) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        bytes += static_cast<char>(number >> (8 * i));
    return bytes;
}
std::string two(std::size_t number) {
    return littleBytes(static_cast<std::uint16_t>(number));
}
std::string four(std::size_t number) {
    return littleBytes(static_cast<std::uint32_t>(number));
}

} // namespace

std::string zipOf(const std::vector<ZipMember> &members) {
    constexpr std::size_t kVersion = 20, kUtf8Names = 1 << 11, kDeflated = 8;
    constexpr std::size_t kDate = 0x21; // 1 January 1980, the earliest possible date
    std::string file, directory;
    for (const ZipMember &member : members) {
        const std::string packed = deflated(member.bytes, CompressionHeader::Bare);
        const std::string common = two(kVersion) + two(kUtf8Names) + two(kDeflated) + two(0) +
                                   two(kDate) + four(crcOf(member.bytes)) + four(packed.size()) +
                                   four(member.bytes.size()) + two(member.name.size()) + two(0);
        directory += "PK\1\2" + two(kVersion) + common + two(0) + two(0) + two(0) + four(0) +
                     four(file.size()) + member.name;
        file += "PK\3\4" + common + member.name + packed;
    }
    return file + directory + "PK\5\6" + two(0) + two(0) + two(members.size()) +
           two(members.size()) + four(directory.size()) + four(file.size()) + two(0);
}

} // namespace headlight::core
