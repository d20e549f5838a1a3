#include "core/formats/sound/sound_reading.h"

#include "core/formats/files/regular_file.h"
#include "core/formats/json/reader.h"
#include "core/formats/pretrained/family/family_fields.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

namespace headlight::core {

namespace {

namespace fs = std::filesystem;

constexpr const char *kSoundFileName = "preprocessor_config.json";
// Older files contain the filters, of up to 128 · 201 numbers.
constexpr std::uint64_t kMaxSoundConfigBytes = std::uint64_t(16) << 20;
constexpr Index kMaxSoundWindow = 4096;
// 128 MB of doubles. Whisper has at most 3000 frames of 128 bands.
constexpr Index kMaxSoundNumbers = Index(1) << 24;

/// Reads the fields. The model determines the number of frames and bands.
void readSoundFields(const Field &root, SoundPreparation &made) {
    if (!root.isObject())
        return;
    const FamilyFields fields(root);
    fields.mustBeOneOf("feature_extractor_type", {"WhisperFeatureExtractor"});
    made.rate = fields.size("sampling_rate", kMaxSoundRate, made.rate);
    made.hop = fields.size("hop_length", kMaxSoundWindow, made.hop);
    made.window = fields.size("n_fft", kMaxSoundWindow, made.window);
    if (made.rate < kMinSoundRate)
        root.member("sampling_rate").expected("at least 1000");
    if (made.window % 2 != 0)
        root.member("n_fft").expected("an even number");
    if (const Index bands = fields.size("feature_size", kMaxSoundBands, made.bands);
        bands != made.bands)
        root.member("feature_size")
            .fail({"it is %1, but the model reads %2 mel bands", bands, made.bands},
                  "check that the file belongs to this model");
    for (const char *name : {"dither", "padding_value"})
        if (const auto value = fields.has(name) ? root.member(name).number() : std::nullopt;
            value && *value != 0)
            root.member(name).expected("0");
    if (made.samples() > kMaxSoundSeconds * made.rate)
        root.member("hop_length")
            .fail({"%1 frames with this hop are longer than %2 seconds", made.frames,
                   kMaxSoundSeconds},
                  "check that the file belongs to this model");
    if (made.samples() <= made.window / 2) // the audio is mirrored at its ends
        root.member("n_fft").fail({"it is longer than %1 frames", made.frames},
                                  "check that the file belongs to this model");
    if (!fields.has("chunk_length"))
        return;
    const Index seconds = fields.size("chunk_length", kMaxSoundSeconds, 1);
    if (seconds * made.rate / made.hop != made.frames)
        root.member("chunk_length")
            .fail({"%1 seconds are %2 frames, but the model reads %3", seconds,
                   seconds * made.rate / made.hop, made.frames},
                  "check that the file belongs to this model");
}

} // namespace

Result<SoundPreparation> readSoundPreparation(const std::string &folder, Index bands, Index frames,
                                              std::stop_token stop) {
    if (frames > kMaxSoundNumbers / bands)
        return Error{{"audio of %1 frames with %2 mel bands is too large", frames, bands},
                     folder,
                     {"Headlight reads at most %1 numbers", kMaxSoundNumbers}};
    SoundPreparation made;
    made.bands = bands;
    made.frames = frames;
    JsonValue none(JsonValue::Kind::Object);
    const std::string path = (fs::path(folder) / kSoundFileName).string();
    Result<JsonValue> json = std::move(none);
    if (isNoFolder(path)) {
        const auto bytes = readRegularFile(
            path, kMaxSoundConfigBytes,
            {{"it is larger than %1 MB", kMaxSoundConfigBytes >> 20}, path, ""}, stop);
        if (!bytes)
            return bytes.error();
        json = readJson(*bytes, stop);
        if (!json)
            return Error{json.error().what, path + ": " + json.error().where, json.error().remedy};
    }
    Reading reading;
    reading.stop = StopCheck(stop);
    readSoundFields(Field(&*json, "", reading), made);
    if (reading.problems.empty())
        return made;
    const Error &first = reading.problems.front();
    return Error{first.what, path + ": " + first.where, first.remedy};
}

std::vector<std::string> soundNames(const SoundPreparation &preparation) {
    std::vector<std::string> names;
    for (Index frame = 0; frame + kFramesOfToken <= preparation.frames; frame += kFramesOfToken) {
        const auto hundredths = static_cast<Index>(std::lround(100 * preparation.secondsOf(frame)));
        const std::string rest = std::to_string(hundredths % 100);
        names.push_back(std::to_string(hundredths / 100) + (rest.size() < 2 ? ".0" : ".") + rest +
                        "\u202Fs"); // a narrow no-break space, which is not shown as ␣
    }
    return names;
}

Matrix soundEmbeddings(const Sound &sound, const SoundPreparation &preparation,
                       const std::stop_token &stop) {
    const Matrix frames = logMelFrames(sound, preparation, stop);
    Matrix made(preparation.frames / kFramesOfToken, kFramesOfToken * preparation.bands);
    for (Index token = 0; token < made.rows(); ++token)
        for (Index frame = 0; frame < kFramesOfToken; ++frame)
            std::ranges::copy(frames.view().row(kFramesOfToken * token + frame),
                              made.view()
                                  .columnBlock(frame * preparation.bands, preparation.bands)
                                  .row(token)
                                  .begin());
    return made;
}

Sound firstSound() {
    Sound sound;
    const Index count = sound.rate;
    for (Index i = 0; i < count; ++i) {
        const double seconds = static_cast<double>(i) / static_cast<double>(sound.rate);
        const double hertz = i < count / 2 ? 440 : 660;
        const double fade = std::sin(2 * std::numbers::pi * seconds); // 0 where the tones meet
        sound.samples.push_back(
            static_cast<float>(0.5 * fade * std::sin(2 * std::numbers::pi * hertz * seconds)));
    }
    return sound;
}

} // namespace headlight::core
