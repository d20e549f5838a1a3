// How fast products read the weights of a file, compared with the read bandwidth of the machine
// (the two alternate). The file has the matrices of the 12 layers of GPT-2's shape (Radford et al.
// 2019) with random numbers of each type. Measures products for one token and for 16.
//
//     bench_weights [FOLDER] [TURNS]
//
// FOLDER receives one file at a time. The default is the system's folder for temporary files. Does
// not need Qt.
#include "core/formats/files/file_numbers.h"
#include "core/formats/gguf/block_storage.h"
#include "core/random.h"
#include "core/tensor/in_parallel.h"
#include "core/tensor/numbers.h"
#include "core/transformer/run/step_parameter.h"
#include "tests/bench/peers/must.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace headlight;
using core::Index;

namespace {

constexpr Index kWidth = 768, kLayers = 12;

template <typename Work>
double millisecondsOf(const Work &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

/// Returns the best rate in 10⁹ bytes per second at which all threads read memory.
double readRate(const core::Numbers &memory) {
    typedef float Four __attribute__((vector_size(16)));
    constexpr Index kSums = 16, kPiece = Index(1) << 18;
    const Index pieces = static_cast<Index>(memory.size()) / kPiece;
    const double took = millisecondsOf([&] {
        core::inParallel(pieces, [&](Index piece, Index) {
            const auto *from = reinterpret_cast<const Four *>(memory.data() + piece * kPiece);
            Four sums[kSums] = {};
            for (Index i = 0; i < kPiece / 4; i += kSums)
                for (Index s = 0; s < kSums; ++s)
                    sums[s] += from[i + s];
            for (Four &sum : sums)
                asm volatile("" : : "x"(sum));
        });
    });
    return static_cast<double>(pieces * kPiece) * 4 / took / 1e6;
}

/// A number type and layout of weights in a file.
struct Case {
    const char *name;
    std::uint32_t type; ///< number of the GGUF type
    bool isOutIn;       ///< [out, in], as most files have it; GPT-2's folder has [in, out]
};

constexpr Case kCases[] = {
    {"F32", 0, true},   {"F32 [in, out]", 0, false}, {"F16", 1, true},  {"F16 [in, out]", 1, false},
    {"BF16", 30, true}, {"Q8_0", 8, true},           {"Q4_K", 12, true}};

core::NumberType plainType(std::uint32_t type) {
    return type == 1    ? core::NumberType::F16
           : type == 30 ? core::NumberType::BF16
                        : core::NumberType::F32;
}

/// Fills the blocks with random weights of size about 0.02.
void fill(std::vector<std::byte> &bytes, const core::GgufType &type, core::Random &random) {
    const auto set16 = [&](std::size_t at, std::uint32_t bits) {
        bytes[at] = static_cast<std::byte>(bits);
        bytes[at + 1] = static_cast<std::byte>(bits >> 8);
    };
    for (std::byte &byte : bytes)
        byte = static_cast<std::byte>(random.next());
    for (std::size_t at = 0; at < bytes.size(); at += type.bytes) {
        const auto high = static_cast<std::uint32_t>(bytes[at + type.bytes - 1]) << 8 |
                          static_cast<std::uint32_t>(bytes[at + type.bytes - 2]);
        if (type.name == "F16")
            set16(at, (high & 0x83FF) | 9U << 10);
        else if (type.name == "BF16")
            set16(at, (high & 0x807F) | 121U << 7);
        else if (type.name == "F32")
            set16(at + 2, (high & 0x807F) | 121U << 7);
        for (const std::uint8_t scale : type.scales)
            set16(at + scale, 0x0400 + (high & 0xFF)); // a scale of about 10⁻⁴
    }
}

class WeightsFile {
  public:
    WeightsFile(const Case &one, const std::filesystem::path &folder)
        : m_case(one),
          m_type(*core::findGgufType(one.type)),
          m_path(folder / ("bench_weights_" + std::to_string(::getpid()))) {
        core::Random random(1);
        std::ofstream out(m_path, std::ios::binary);
        const auto size = static_cast<std::size_t>(12 * kWidth * kWidth) / m_type.values;
        std::vector<std::byte> layer(size * m_type.bytes);
        fill(layer, m_type, random);
        for (Index i = 0; i < kLayers; ++i)
            out.write(reinterpret_cast<const char *>(layer.data()),
                      static_cast<std::streamsize>(layer.size()));
        m_bytes = layer.size() * static_cast<std::size_t>(kLayers);
        out.close();
        m_file = must(core::openNumberFile(m_path.string()));
    }
    ~WeightsFile() { std::filesystem::remove(m_path); }
    WeightsFile(const WeightsFile &) = delete;
    WeightsFile &operator=(const WeightsFile &) = delete;

    std::size_t bytes() const { return m_bytes; }
    /// Returns the next matrix of the file.
    core::Parameter matrix(Index rows, Index columns) {
        const std::uint64_t size =
            static_cast<std::uint64_t>(rows * columns) / m_type.values * m_type.bytes;
        core::StoragePointer storage = must(core::numbersIn(m_file, m_at, size));
        m_at += size;
        if (m_type.values > 1)
            storage = core::decodedBlocks(std::move(storage), m_type, "a random matrix");
        core::NumberLayout layout{plainType(m_case.type), rows, columns, 0, columns, 1};
        if (m_case.isOutIn) {
            layout.rowStride = 1;
            layout.columnStride = rows;
        }
        return must(core::ParameterMatrix::create(std::move(storage), layout));
    }

  private:
    const Case &m_case;
    const core::GgufType &m_type;
    std::filesystem::path m_path;
    std::size_t m_bytes = 0;
    std::uint64_t m_at = 0;
    std::shared_ptr<const core::NumberFile> m_file;
};

/// Returns the matrices of all layers, in the order of the file.
std::vector<core::StepParameter> matricesIn(WeightsFile &file) {
    std::vector<core::StepParameter> matrices;
    for (Index layer = 0; layer < kLayers; ++layer) {
        for (int i = 0; i < 4; ++i)
            matrices.emplace_back(file.matrix(kWidth, kWidth), core::ParameterId{});
        matrices.emplace_back(file.matrix(kWidth, 4 * kWidth), core::ParameterId{});
        matrices.emplace_back(file.matrix(4 * kWidth, kWidth), core::ParameterId{});
    }
    return matrices;
}

/// Returns memory of this process in MB, as Linux reports it: "VmHWM" is the peak with the mapped
/// pages of files, "RssAnon" is what the program itself uses now.
double memoryNow(const std::string &what) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(what + ":"))
            return std::stod(line.substr(what.size() + 1)) / 1024;
    return 0;
}

/// Multiplies `tokens` rows with each matrix, as a pass does.
void multiplyAll(const std::vector<core::StepParameter> &matrices, Index tokens) {
    static const core::Matrix x(16, 4 * kWidth,
                                std::vector<float>(std::size_t(16 * 4 * kWidth), 0.5f));
    static core::Matrix out(16, 4 * kWidth);
    for (const core::StepParameter &w : matrices)
        core::multiply(x.view().rowBlock(0, tokens).columnBlock(0, w.block().rows), w,
                       out.view().rowBlock(0, tokens).columnBlock(0, w.block().columns), {});
}

void measure(const Case &one, const std::filesystem::path &folder, int turns,
             const core::Numbers &memory) {
    WeightsFile file(one, folder);
    const std::vector<core::StepParameter> matrices = matricesIn(file);
    multiplyAll(matrices, 16); // fills the system's cache
    double rate = 0, text = 1e9, word = 1e9;
    for (int turn = 0; turn < turns; ++turn) {
        rate = std::max(rate, readRate(memory));
        text = std::min(text, millisecondsOf([&] { multiplyAll(matrices, 16); }));
        word = std::min(word, millisecondsOf([&] { multiplyAll(matrices, 1); }));
    }
    const double reading = static_cast<double>(file.bytes()) / rate / 1e6;
    std::printf("| %-13s | %5.0f | %5.1f | %5.1f | %5.1f | %3.0f %% | %5.1f | %3.0f %% | %4.0f |\n",
                one.name, static_cast<double>(file.bytes()) / 1e6, rate, reading, word,
                100 * reading / word, text, 100 * reading / text,
                memoryNow("RssAnon") - static_cast<double>(memory.size()) * 4 / (1 << 20));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
    const std::filesystem::path folder =
        argc > 1 ? std::filesystem::path(argv[1]) : std::filesystem::temp_directory_path();
    const int turns = argc > 2 ? std::atoi(argv[2]) : 15;
    const core::Numbers memory(std::size_t(1) << 26, 1.0f);
    std::printf(
        "| weights       |    MB |  GB/s | read, ms | one token, ms | of the bandwidth | "
        "16 tokens, ms | of the bandwidth | own memory, MB |\n"
        "| ------------- | ----: | ----: | ----: | ----: | ----: | ----: | ----: | ---: |\n");
    for (const Case &one : kCases)
        measure(one, folder, turns, memory);
    std::printf(
        "Own memory is without the numbers that measure the bandwidth. Peak memory: %.0f MB "
        "with them and with the files' mapped pages.\n",
        memoryNow("VmHWM"));
}
