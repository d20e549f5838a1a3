// .npz files as written by numpy.savez and numpy.savez_compressed, and malformed ones.
#pragma once

#include "core/formats/encodings/inflate.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headlight::test {

struct NpzMember {
    std::string name; ///< for example "attentions.0.npy"
    std::string bytes;
    bool isDeflated = false;
};

inline std::string littleBytes(std::uint64_t number, int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i)
        bytes += i < 8 ? static_cast<char>(number >> (8 * i)) : '\0';
    return bytes;
}

/// Returns a .npy array. `header` is as NumPy writes it: "{'descr': '<f4', 'fortran_order': False,
/// 'shape': (2,), }".
inline std::string npyBytes(const std::string &header, const std::string &data, char version = 1) {
    return "\x93NUMPY" + std::string{version, '\0'} +
           littleBytes(header.size(), version == 1 ? 2 : 4) + header + data;
}

inline std::string npyHeader(const std::string &type, const std::string &shape,
                             bool isFortran = false) {
    return "{'descr': '" + type + "', 'fortran_order': " + (isFortran ? "True" : "False") +
           ", 'shape': (" + shape + "), }\n";
}

inline std::string npzBytes(const std::vector<NpzMember> &members) {
    std::string file, directory;
    for (const NpzMember &member : members) {
        std::string packed = member.bytes;
        if (member.isDeflated) { // raw deflate, without the zlib header and checksum
            packed = core::deflated(member.bytes);
            packed = packed.substr(2, packed.size() - 6);
        }
        const std::string common =
            littleBytes(20, 2) + littleBytes(0, 2) + littleBytes(member.isDeflated ? 8 : 0, 2) +
            littleBytes(0, 4) + littleBytes(core::crcOf(member.bytes), 4) +
            littleBytes(packed.size(), 4) + littleBytes(member.bytes.size(), 4) +
            littleBytes(member.name.size(), 2);
        directory += "PK\1\2" + littleBytes(20, 2) + common + littleBytes(0, 2) +
                     littleBytes(0, 10) + littleBytes(file.size(), 4) + member.name;
        file += "PK\3\4" + common + littleBytes(0, 2) + member.name + packed;
    }
    return file + directory + "PK\5\6" + littleBytes(0, 4) + littleBytes(members.size(), 2) +
           littleBytes(members.size(), 2) + littleBytes(directory.size(), 4) +
           littleBytes(file.size(), 4) + littleBytes(0, 2);
}

} // namespace headlight::test
