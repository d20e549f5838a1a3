// Audio for Whisper. Tests valid and damaged WAV files, resampling, the frames, the settings in
// preprocessor_config.json, and the start of a transcript. tst_reference_pass compares the frames
// with NumPy's.
#include "core/cancelled.h"
#include "core/formats/session/data/session.h"
#include "core/formats/session/pretrained_session.h"
#include "core/formats/sound/resampling.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"

#include <bit>
#include <cstdint>
#include <numbers>

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path kSoundModels = fs::path(HEADLIGHT_TEST_DATA) / "folders";

std::string bytesOfNumber(std::uint32_t number, int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i)
        bytes += static_cast<char>(number >> (8 * i));
    return bytes;
}

std::string chunkOf(const std::string &name, const std::string &content) {
    const auto size = static_cast<std::uint32_t>(content.size());
    return name + bytesOfNumber(size, 4) + content + std::string(size % 2, '\0');
}

struct WavKind {
    std::uint32_t kind = 1, channels = 1, rate = 16000, bits = 16;

    std::string format() const {
        const std::uint32_t block = channels * bits / 8;
        return bytesOfNumber(kind, 2) + bytesOfNumber(channels, 2) + bytesOfNumber(rate, 4) +
               bytesOfNumber(rate * block, 4) + bytesOfNumber(block, 2) + bytesOfNumber(bits, 2);
    }
    std::string file(const std::string &data) const {
        return riff(chunkOf("fmt ", format()) + chunkOf("data", data));
    }
    static std::string riff(const std::string &chunks) { return chunkOf("RIFF", "WAVE" + chunks); }
};

std::vector<float> samplesOf(const std::string &file) {
    return valueOf(readWav(file, "a.wav")).samples;
}

std::string wavRefusal(const std::string &file) {
    const auto read = readWav(file, "a.wav");
    if (read)
        return "";
    CHECK(read.error().where == "a.wav");
    CHECK_FALSE(read.error().remedy.empty());
    return read.error().what.text();
}

bool hasPart(const std::string &text, const std::string &part) {
    return text.find(part) != text.npos;
}

Sound toneOf(Index rate, double hertz, double seconds) {
    Sound sound{rate, {}};
    for (Index i = 0; i < static_cast<Index>(seconds * static_cast<double>(rate)); ++i)
        sound.samples.push_back(static_cast<float>(std::sin(
            2 * std::numbers::pi * hertz * static_cast<double>(i) / static_cast<double>(rate))));
    return sound;
}

/// Returns the largest sample far from the ends.
float peakOf(const Sound &sound) {
    float peak = 0;
    for (std::size_t i = 1000; i + 1000 < sound.samples.size(); ++i)
        peak = std::max(peak, std::abs(sound.samples[i]));
    return peak;
}

/// A copy of Whisper's folder in which tests replace files.
class WhisperCopy {
  public:
    WhisperCopy() : m_path(freshFolder("whisper") / "whisper") {
        fs::copy(kSoundModels / "whisper", m_path);
    }
    const fs::path &path() const { return m_path; }
    std::string errorWith(const Json &preparation) const {
        put(m_path / "preprocessor_config.json", preparation.dump());
        const auto read = readPretrained(m_path.string());
        return read ? "" : read.error().text();
    }
    std::vector<Index> startWith(const Json &generation, bool keepsForced = false) const {
        putGeneration(generation, keepsForced);
        const PretrainedPointer folder = opened(m_path);
        CHECK(folder->warnings.empty());
        return folder->decoderStart;
    }
    std::string errorOfStart(const Json &generation) const {
        putGeneration(generation, false);
        const auto read = readPretrained(m_path.string());
        return read ? "" : read.error().text();
    }

  private:
    void putGeneration(const Json &generation, bool keepsForced) const {
        Json config = readReference(kSoundModels / "whisper" / "config.json");
        if (!keepsForced)
            config["forced_decoder_ids"] = nullptr; // as in fine-tuned checkpoints
        put(m_path / "config.json", config.dump());
        put(m_path / "generation_config.json", generation.dump());
    }

    fs::path m_path;
};

} // namespace

TEST_CASE("a WAV file may have samples of 8, 16, 24 or 32 bits, or floats") {
    const auto text = [](std::initializer_list<int> bytes) {
        std::string made;
        for (const int byte : bytes)
            made += static_cast<char>(byte);
        return made;
    };
    CHECK(samplesOf(WavKind{.bits = 8}.file(text({0, 128, 192}))) ==
          std::vector<float>{-1, 0, 0.5f});
    CHECK(samplesOf(WavKind{}.file(text({0, 0x80, 0, 0x40}))) == std::vector<float>{-1, 0.5f});
    CHECK(samplesOf(WavKind{.bits = 24}.file(text({0, 0, 0x80, 0, 0, 0x20}))) ==
          std::vector<float>{-1, 0.25f});
    CHECK(samplesOf(WavKind{.bits = 32}.file(text({0, 0, 0, 0xc0}))) == std::vector<float>{-0.5f});
    const std::string numbers = bytesOfNumber(std::bit_cast<std::uint32_t>(1.5f), 4) +
                                bytesOfNumber(std::bit_cast<std::uint32_t>(-0.25f), 4);
    CHECK(samplesOf(WavKind{.kind = 3, .bits = 32}.file(numbers)) ==
          std::vector<float>{1.5f, -0.25f});
    // two channels are averaged
    CHECK(samplesOf(WavKind{.channels = 2}.file(text({0, 0x40, 0, 0x20}))) ==
          std::vector<float>{0.375f});
    // the extensible format, and a chunk of an odd size before the samples
    WavKind extensible{.kind = 0xfffe};
    const std::string format = extensible.format() + bytesOfNumber(22, 2) + bytesOfNumber(16, 2) +
                               bytesOfNumber(4, 4) + bytesOfNumber(1, 2) + std::string(14, '\0');
    CHECK(samplesOf(WavKind::riff(chunkOf("fmt ", format) + chunkOf("LIST", "abc") +
                                  chunkOf("data", text({0, 0x40})))) == std::vector<float>{0.5f});
    CHECK(valueOf(readWav(WavKind{.rate = 8000}.file("abcd"), "a.wav")).rate == 8000);
}

TEST_CASE("other files and damaged ones are refused") {
    const std::string whole = WavKind{}.file("abcd");
    CHECK(wavRefusal(whole).empty());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK_FALSE(wavRefusal(whole.substr(0, size)).empty());
    }
    CHECK(hasPart(wavRefusal("RIFX" + whole.substr(4)), "not a WAV file"));
    CHECK(hasPart(wavRefusal(WavKind{}.file("")), "no samples"));
    CHECK(hasPart(wavRefusal(WavKind{}.file("a")), "no samples"));
    CHECK(hasPart(wavRefusal(WavKind::riff(chunkOf("data", "abcd"))), "does not describe"));
    CHECK(hasPart(wavRefusal(WavKind::riff(chunkOf("fmt ", "abcd"))), "too short"));
    CHECK(hasPart(wavRefusal(WavKind{.bits = 12}.file("abcd")), "12 bits"));
    CHECK(hasPart(wavRefusal(WavKind{.kind = 3, .bits = 64}.file("abcdefgh")), "64 bits"));
    CHECK(hasPart(wavRefusal(WavKind{.kind = 85}.file("abcd")), "format 85"));
    CHECK(hasPart(wavRefusal(WavKind{.channels = 3}.file("abcdef")), "3 channels"));
    CHECK(hasPart(wavRefusal(WavKind{.channels = 0}.file("abcdef")), "0 channels"));
    for (const std::uint32_t rate : {0u, 999u, 192001u, 0xffffffffu})
        CHECK(hasPart(wavRefusal(WavKind{.rate = rate}.file("abcd")), "samples per second"));
    CHECK(hasPart(wavRefusal(WavKind{.rate = 1000, .bits = 8}.file(std::string(30001, 'a'))),
                  "31 seconds"));
    CHECK(wavRefusal(WavKind{.rate = 1000, .bits = 8}.file(std::string(30000, 'a'))).empty());
    std::string block = whole;
    block[32] = 4; // bytes of a sample in all channels
    CHECK(hasPart(wavRefusal(block), "contradict"));
    std::string longer = whole;
    longer[40] = 5; // bytes of the samples
    CHECK(hasPart(wavRefusal(longer), "declares"));
    longer[43] = static_cast<char>(0xff);
    CHECK(hasPart(wavRefusal(longer), "declares"));
    const std::string nan = bytesOfNumber(0x7fc00000, 4);
    const std::string large = bytesOfNumber(std::bit_cast<std::uint32_t>(-2e6f), 4);
    for (const std::string &sample : {nan, large})
        CHECK(hasPart(wavRefusal(WavKind{.kind = 3, .bits = 32}.file(sample)), "sample 0"));
    CHECK_FALSE(readWavFile("/no/such/file.wav").ok());
    CHECK_FALSE(readWavFile("/").ok());
}

TEST_CASE("a resampled tone is the same tone, and tones too high for the lower rate disappear") {
    for (const Index rate : {8000, 22050, 44100, 48000}) {
        CAPTURE(rate);
        const Sound made = resampled(toneOf(rate, 440, 0.5), 16000);
        const Sound wanted = toneOf(16000, 440, 0.5);
        CHECK(made.rate == 16000);
        REQUIRE(made.samples.size() == wanted.samples.size());
        float largest = 0;
        for (std::size_t i = 500; i + 500 < wanted.samples.size(); ++i)
            largest = std::max(largest, std::abs(made.samples[i] - wanted.samples[i]));
        CHECK(largest < 2e-3f);
    }
    CHECK(peakOf(resampled(toneOf(48000, 12000, 0.5), 16000)) < 2e-3f);
    CHECK(resampled(toneOf(16000, 440, 0.1), 16000) == toneOf(16000, 440, 0.1));
    CHECK(resampled(Sound{8000, {1}}, 16000).samples.size() == 2);
    std::stop_source stopped;
    stopped.request_stop();
    CHECK_THROWS_AS((void)resampled(toneOf(8000, 440, 0.1), 16000, stopped.get_token()), Cancelled);
}

TEST_CASE("mel filters have the area 1 and cover the middle frequencies") {
    const SoundPreparation preparation;
    const std::vector<double> filters = melFilters(preparation);
    REQUIRE(filters.size() == 80 * 201);
    for (std::size_t band = 30; band < 80; ++band) { // wide enough to be sampled well
        double area = 0;
        for (std::size_t bin = 0; bin < 201; ++bin)
            area += filters[band * 201 + bin] * 40; // 40 Hz between frequencies
        CHECK(area == doctest::Approx(1).epsilon(0.2));
    }
    CHECK(filters[0] == 0); // 0 Hz
}

TEST_CASE("mel bands end at 8000 Hz at every rate, as in transformers") {
    const std::vector<double> usual = melFilters({});
    for (const Index times : {2, 3}) {
        CAPTURE(times);
        // The frequencies are 40 Hz apart, as usual.
        const std::vector<double> filters =
            melFilters({.rate = times * 16000, .window = times * 400});
        const auto bins = static_cast<std::size_t>(times) * 200 + 1;
        REQUIRE(filters.size() == 80 * bins);
        for (std::size_t band = 0; band < 80; ++band)
            for (std::size_t bin = 0; bin < bins; ++bin)
                CHECK(filters[band * bins + bin] == (bin < 201 ? usual[band * 201 + bin] : 0));
    }
}

TEST_CASE("a tone is loudest in its band, and a frame of silence is 2 below the loudest") {
    SoundPreparation preparation;
    preparation.frames = 100;
    const Matrix frames = logMelFrames(toneOf(16000, 1000, 0.5), preparation);
    CHECK(frames.rows() == 100);
    CHECK(frames.columns() == 80);
    const auto row = frames.view().row(20);
    const auto loudest = std::ranges::max_element(row) - row.begin();
    CHECK(loudest >= 25); // 1000 Hz is 15 of 45.2 mels
    CHECK(loudest <= 27);
    float largest = -100;
    for (Index t = 0; t < 100; ++t)
        largest = std::max(largest, *std::ranges::max_element(frames.view().row(t)));
    for (const float number : frames.view().row(90))
        CHECK(number == doctest::Approx(static_cast<double>(largest) - 2));
}

TEST_CASE("each token covers two frames and is named by its start time") {
    const PretrainedPointer folder = opened(kSoundModels / "whisper");
    REQUIRE(folder->sound.has_value());
    CHECK(folder->sound->frames == 14);
    const Input input = valueOf(inputOf(*folder, drawnSound(1500)));
    const Sequence &tokens = (*input.source)[0];
    CHECK(tokens.length == 7);
    CHECK(tokens[0].text == "0.00\u202Fs");
    CHECK(tokens[6].text == "0.12\u202Fs");
    const Matrix frames = logMelFrames(drawnSound(1500), *folder->sound);
    const Matrix numbers = *tokens.embeddings->toMatrix();
    CHECK(numbers.view()(3, 2) == frames(6, 2));
    CHECK(numbers.view()(3, 8 + 5) == frames(7, 5));
    CHECK(folder->decoderStart == std::vector<Index>{20, 21, 22, 4});
    CHECK((*input.batch)[0].length == 4);
    std::stop_source stopped;
    stopped.request_stop();
    const auto cancelled = inputOf(*folder, drawnSound(1500), {}, stopped.get_token());
    REQUIRE_FALSE(cancelled.ok());
    CHECK(isCancelled(cancelled.error()));
}

TEST_CASE("other settings of audio are refused by name") {
    const WhisperCopy copy;
    const Json usual = readReference(kSoundModels / "whisper" / "preprocessor_config.json");
    const auto with = [&](const char *field, const Json &value) {
        Json changed = usual;
        changed[field] = value;
        return copy.errorWith(changed);
    };
    CHECK(with("mel_filters", Json::array({1})).empty());
    CHECK(with("hop_length", 100).empty());
    for (const auto &[field, value] :
         {std::pair("feature_extractor_type", Json("Wav2Vec2FeatureExtractor")),
          {"feature_size", Json(80)},
          {"sampling_rate", Json(999)},
          {"sampling_rate", Json(1e9)},
          {"n_fft", Json(401)},
          {"n_fft", Json(0)},
          {"n_fft", Json(8192)},
          {"hop_length", Json("long")},
          {"chunk_length", Json(30)},
          {"dither", Json(0.1)},
          {"padding_value", Json(1)}}) {
        CAPTURE(field);
        CAPTURE(value.dump());
        CHECK(hasPart(with(field, value), std::string("preprocessor_config.json: ") + field));
    }
    Json shorter = usual; // the mirror image at an end is longer than the audio
    shorter.update({{"n_fft", 4096}, {"hop_length", 100}});
    CHECK(hasPart(copy.errorWith(shorter), "n_fft: it is longer than 14 frames"));
    CHECK_FALSE(copy.errorWith(Json::array()).empty());
    fs::remove(copy.path() / "preprocessor_config.json");
    CHECK(opened(copy.path())->sound == SoundPreparation{.bands = 8, .frames = 14});
}

TEST_CASE("a model whose audio has too many numbers is refused") {
    const fs::path folder = freshFolder("large sounds");
    put(folder / "preprocessor_config.json", R"({"hop_length": 1})");
    const auto of = [&](Index bands, Index frames) {
        return readSoundPreparation(folder.string(), bands, frames);
    };
    CHECK(of(64, Index(1) << 18).ok());
    const auto larger = of(65, Index(1) << 18);
    REQUIRE_FALSE(larger.ok());
    CHECK(hasPart(larger.error().what.text(), "262144 frames with 65 mel bands"));
    CHECK(larger.error().where == folder.string());
    CHECK_FALSE(of(512, Index(1) << 18).ok());
}

TEST_CASE("a transcript begins as generation_config.json specifies") {
    const WhisperCopy copy;
    const Json several{{"lang_to_id", {{"<|en|>", 7}, {"<|de|>", 8}}},
                       {"task_to_id", {{"transcribe", 9}, {"translate", 10}}},
                       {"no_timestamps_token_id", 11},
                       {"forced_decoder_ids", Json::array({Json::array({1, nullptr})})}};
    CHECK(copy.startWith(several) == std::vector<Index>{20, 7, 9, 11});
    CHECK(copy.startWith(several, true) == std::vector<Index>{20, 7, 9, 11});
    CHECK(copy.startWith({{"forced_decoder_ids",
                           Json::array({Json::array({1, nullptr}), Json::array({2, 12})})}}) ==
          std::vector<Index>{20, 12});
    CHECK(copy.startWith({{"no_timestamps_token_id", 11}}) == std::vector<Index>{20, 11});
    CHECK(copy.startWith({{"no_timestamps_token_id", 11},
                          {"forced_decoder_ids", Json::array({Json::array({1, 11})})}}) ==
          std::vector<Index>{20, 11});
    CHECK(copy.startWith(Json::object()) == std::vector<Index>{20});
}

TEST_CASE("a transcript begins with the language and the task that the folder declares") {
    using Ids = std::vector<Index>;
    const WhisperCopy copy;
    const Json several{{"lang_to_id", {{"<|en|>", 7}, {"<|de|>", 8}, {"<|my|>", 6}}},
                       {"task_to_id", {{"transcribe", 9}, {"translate", 10}}},
                       {"no_timestamps_token_id", 11}};
    const auto with = [&](const Json &more) {
        Json generation = several;
        generation.update(more);
        return generation;
    };
    const auto pairs = [](std::initializer_list<std::pair<Json, Json>> all) {
        Json list = Json::array();
        for (const auto &[at, id] : all)
            list.push_back(Json::array({at, id}));
        return Json{{"forced_decoder_ids", list}};
    };
    CHECK(copy.startWith(several) == Ids{20, 7, 9, 11});
    for (const char *german : {"german", "German", "de", "<|de|>"}) {
        CAPTURE(german);
        CHECK(copy.startWith(with({{"language", german}})) == Ids{20, 8, 9, 11});
        CHECK(copy.startWith(with({{"language", german}, {"task", "translate"}})) ==
              Ids{20, 8, 10, 11});
    }
    CHECK(copy.startWith(with({{"language", "burmese"}})) == Ids{20, 6, 9, 11});
    CHECK(copy.startWith(with({{"task", "translate"}})) == Ids{20, 7, 10, 11});
    CHECK(copy.startWith(with({{"language", nullptr}, {"task", nullptr}})) == Ids{20, 7, 9, 11});
    // forced_decoder_ids, which a language or a task replaces
    CHECK(copy.startWith(with(pairs({{1, 8}, {2, 10}}))) == Ids{20, 8, 10, 11});
    CHECK(copy.startWith(with(pairs({{1, 8}, {2, 10}, {3, 11}}))) == Ids{20, 8, 10, 11});
    CHECK(copy.startWith(with(pairs({{1, nullptr}, {2, 10}}))) == Ids{20, 7, 10, 11});
    CHECK(copy.startWith(with(pairs({{2, 10}}))) == Ids{20, 7, 9, 11});
    Json both = with(pairs({{1, 8}, {2, 10}}));
    both["language"] = "en";
    CHECK(copy.startWith(both) == Ids{20, 7, 9, 11});
    both["language"] = nullptr;
    both["task"] = "transcribe";
    CHECK(copy.startWith(both) == Ids{20, 7, 9, 11});
    // no choice of languages
    CHECK(copy.startWith(with({{"lang_to_id", {{"<|de|>", 8}}}})) == Ids{20, 8, 9, 11});
    // texts with times
    CHECK(copy.startWith(with({{"return_timestamps", true}})) == Ids{20, 7, 9});
    Json times = with(pairs({{1, 8}, {2, 10}, {3, 11}}));
    times["return_timestamps"] = true;
    CHECK(copy.startWith(times) == Ids{20, 8, 10});

    for (const auto &[more, where] : std::initializer_list<std::pair<Json, const char *>>{
             {{{"language", "klingon"}}, "language"},
             {{{"language", Json::array({"en"})}}, "language"},
             {{{"lang_to_id", nullptr}, {"language", "en"}}, "language"},
             {{{"task", "sing"}}, "task"},
             {{{"task_to_id", {{"translate", 10}}}}, "task_to_id"},
             {{{"lang_to_id", {{"<|en|>", -1}}}}, "lang_to_id"},
             {{{"lang_to_id", 7}}, "lang_to_id"},
             {{{"return_timestamps", "no"}}, "return_timestamps"},
             {{{"forced_decoder_ids", Json::array({7})}}, "forced_decoder_ids[0]"},
             {{{"forced_decoder_ids", Json::array({Json::array({1})})}}, "forced_decoder_ids[0]"},
             {pairs({{1, 7}, {3, 9}}), "forced_decoder_ids[1]"},
             {pairs({{1, "en"}}), "forced_decoder_ids[0][1]"}}) {
        CAPTURE(more.dump());
        CHECK(hasPart(copy.errorOfStart(with(more)),
                      std::string("generation_config.json: ") + where));
    }
    CHECK(hasPart(copy.errorOfStart(with({{"language", "klingon"}})), "klingon"));
}

TEST_CASE("a folder opens with audio, which the session contains") {
    const Session session = valueOf(sessionOfFolder((kSoundModels / "whisper").string()));
    REQUIRE(bool(session.input.source));
    CHECK((*session.input.source)[0].length == 7);
    CHECK(headlight::test::forward(session.model, session.input).ok());
    const Session again = valueOf(readSession(session.json));
    CHECK(sameNumbers(again.input.source, session.input.source));
}
