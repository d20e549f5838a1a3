#include "core/formats/sound/wav.h"

#include "core/formats/files/regular_file.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

namespace headlight::core {

namespace {

constexpr std::uint64_t kMaxWavBytes = std::uint64_t(64) << 20;
constexpr std::size_t kHeaderBytes = 12;     // RIFF, the size, WAVE
constexpr std::size_t kChunkHeaderBytes = 8; // the name and the size of a chunk
constexpr float kLargestSample = 1e6f;       // floats may exceed 1, but their sums must stay finite
constexpr std::uint32_t kPcm = 1, kFloat = 3, kExtensible = 0xfffe;

/// Returns a little-endian number. The bytes must exist.
std::uint32_t numberAt(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint32_t number = 0;
    for (std::size_t i = count; i-- > 0;)
        number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

/// The fields of the chunk "fmt ".
struct WavFormat {
    std::uint32_t kind = 0, channels = 0, rate = 0, blockBytes = 0, bits = 0;

    std::size_t sampleBytes() const { return bits / 8; }
};

float sampleAt(std::string_view data, std::size_t at, const WavFormat &format) {
    const std::size_t bytes = format.sampleBytes();
    const std::uint32_t number = numberAt(data, at, bytes);
    if (format.kind == kFloat)
        return std::bit_cast<float>(number);
    if (bytes == 1) // the only unsigned size
        return (static_cast<float>(number) - 128) / 128;
    // The sign becomes the highest bit.
    const auto whole = static_cast<std::int32_t>(number << (32 - format.bits));
    return static_cast<float>(static_cast<double>(whole) / 2147483648.0);
}

class WavReading {
  public:
    WavReading(std::string_view bytes, const std::string &file) : m_bytes(bytes), m_file(file) {}

    Result<Sound> read() {
        if (m_bytes.size() < kHeaderBytes || m_bytes.substr(0, 4) != "RIFF" ||
            m_bytes.substr(8, 4) != "WAVE")
            return error("it is not a WAV file", "use a WAV file");
        std::optional<WavFormat> format;
        for (std::size_t at = kHeaderBytes; at + kChunkHeaderBytes <= m_bytes.size();) {
            const std::string_view name = m_bytes.substr(at, 4);
            const std::size_t size = numberAt(m_bytes, at + 4, 4);
            at += kChunkHeaderBytes;
            if (size > m_bytes.size() - at)
                return error("it ends before the length that it declares", "get the file again");
            const std::string_view chunk = m_bytes.substr(at, size);
            if (name == "fmt ") {
                if (size < 16)
                    return error("the description of its samples is too short",
                                 "get the file again");
                format = formatIn(chunk);
                if (Outcome outcome = check(*format); !outcome)
                    return outcome.error();
            } else if (name == "data") {
                if (!format)
                    return error("it does not describe its samples", "get the file again");
                return samplesIn(chunk, *format);
            }
            at += size + size % 2; // a chunk of an odd size is padded
        }
        return error("it has no samples", "use a WAV file with audio");
    }

  private:
    Error error(Message what, Message remedy) const {
        return {std::move(what), m_file, std::move(remedy)};
    }
    static WavFormat formatIn(std::string_view chunk) {
        WavFormat format{numberAt(chunk, 0, 2), numberAt(chunk, 2, 2), numberAt(chunk, 4, 4),
                         numberAt(chunk, 12, 2), numberAt(chunk, 14, 2)};
        constexpr std::size_t kKindAt = 24; // offset in the chunk, after the basic fields
        if (format.kind == kExtensible && chunk.size() >= kKindAt + 2)
            format.kind = numberAt(chunk, kKindAt, 2);
        return format;
    }
    Outcome check(const WavFormat &format) const {
        const bool isWhole = format.kind == kPcm && (format.bits == 8 || format.bits == 16 ||
                                                     format.bits == 24 || format.bits == 32);
        const bool isFloat = format.kind == kFloat && format.bits == 32;
        if (!isWhole && !isFloat)
            return error({"its samples have format %1 and %2 bits, which Headlight does not read",
                          format.kind, format.bits},
                         "save it with samples of 16 bits");
        if (format.channels < 1 || format.channels > 2)
            return error({"it has %1 channels", format.channels},
                         "save it with one or two channels");
        if (format.blockBytes != format.channels * format.sampleBytes())
            return error("the sizes of its samples contradict each other", "get the file again");
        if (format.rate < kMinSoundRate || format.rate > kMaxSoundRate)
            return error({"it has %1 samples per second", format.rate},
                         {"save it with %1 to %2, such as 16000", kMinSoundRate, kMaxSoundRate});
        return Done{};
    }
    Result<Sound> samplesIn(std::string_view data, const WavFormat &format) const {
        const std::size_t count = data.size() / format.blockBytes;
        if (count == 0)
            return error("it has no samples", "use a WAV file with audio");
        if (count > static_cast<std::size_t>(format.rate) * kMaxSoundSeconds)
            return error({"it is %1 seconds long", (count + format.rate - 1) / format.rate},
                         {"save a part of at most %1 seconds", kMaxSoundSeconds});
        Sound sound{static_cast<Index>(format.rate), {}};
        sound.samples.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = i * format.blockBytes;
            float sample = sampleAt(data, at, format);
            if (format.channels == 2)
                sample = sample / 2 + sampleAt(data, at + format.sampleBytes(), format) / 2;
            if (!(std::abs(sample) <= kLargestSample)) // also true for NaN
                return error({"sample %1 is NaN, infinite or too large for audio", i},
                             "save it again");
            sound.samples.push_back(sample);
        }
        return sound;
    }

    std::string_view m_bytes;
    const std::string &m_file;
};

} // namespace

Result<Sound> readWav(std::string_view bytes, const std::string &file) {
    return WavReading(bytes, file).read();
}

Result<Sound> readWavFile(const std::string &path, const std::stop_token &stop) {
    const Error tooLarge{{"it is larger than %1 MB", kMaxWavBytes >> 20},
                         path,
                         {"save a part of at most %1 seconds", kMaxSoundSeconds}};
    const Result<std::string> bytes = readRegularFile(path, kMaxWavBytes, tooLarge, stop);
    return bytes ? readWav(*bytes, path) : Result<Sound>(bytes.error());
}

} // namespace headlight::core
