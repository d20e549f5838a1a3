#include "core/formats/gguf/splitters.h"

#include <algorithm>

namespace headlight::core {

namespace {

constexpr const char *kLlama[] = {
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr const char *kQwen[] = {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
                                 R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
// A word begins where an upper-case letter follows a lower-case one.
constexpr const char *kTekken[] = {
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
    R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr const char *kO200k[] = {
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

constexpr const char *kDeepSeekCharacters = R"([\x{800}-\x{9fa5}\x{ac00}-\x{d7ff}]+)";
constexpr const char *kDeepSeekLetters = // letters of scripts that have capitals
    R"(\s?[)"
    R"(A-Za-z\x{b5}\x{c0}-\x{d6}\x{d8}-\x{f6}\x{f8}-\x{1ba}\x{1bc}-\x{1bf})"
    R"(\x{1c4}-\x{293}\x{295}-\x{2af}\x{370}-\x{373}\x{376}-\x{377}\x{37b}-\x{37d})"
    R"(\x{37f}\x{386}\x{388}-\x{38a}\x{38c}\x{38e}-\x{3a1}\x{3a3}-\x{3f5})"
    R"(\x{3f7}-\x{481}\x{48a}-\x{52f}\x{531}-\x{556}\x{10a0}-\x{10c5}\x{13a0}-\x{13f5})"
    R"(\x{13f8}-\x{13fd}\x{1c90}-\x{1cba}\x{1cbd}-\x{1cbf}\x{1d00}-\x{1d2b})"
    R"(\x{1d6b}-\x{1d77}\x{1d79}-\x{1d9a}\x{1e00}-\x{1f15}\x{1f18}-\x{1f1d})"
    R"(\x{1f20}-\x{1f45}\x{1f48}-\x{1f4d}\x{1f50}-\x{1f57}\x{1f59}\x{1f5b}\x{1f5d})"
    R"(\x{1f5f}-\x{1f7d}\x{1f80}-\x{1fb4}\x{1fb6}-\x{1fbc}\x{1fbe}\x{1fc2}-\x{1fc4})"
    R"(\x{1fc6}-\x{1fcc}\x{1fd0}-\x{1fd3}\x{1fd6}-\x{1fdb}\x{1fe0}-\x{1fec})"
    R"(\x{1ff2}-\x{1ff4}\x{1ff6}-\x{1ffc}\x{2102}\x{2107}\x{210a}-\x{2113}\x{2115})"
    R"(\x{2119}-\x{211d}\x{2124}\x{2126}\x{2128}\x{212a}-\x{212d}\x{212f}-\x{2134})"
    R"(\x{2139}\x{213c}-\x{213f}\x{2145}-\x{2149}\x{214e}\x{2183}-\x{2184})"
    R"(\x{2c00}-\x{2c7b}\x{2c7e}-\x{2ce4}\x{2ceb}-\x{2cee}\x{2cf2}-\x{2cf3})"
    R"(\x{a640}-\x{a66d}\x{a680}-\x{a69b}\x{a722}-\x{a76f}\x{a771}-\x{a787})"
    R"(\x{a78b}-\x{a78e}\x{ab70}-\x{abbf}\x{fb00}-\x{fb06}\x{fb13}-\x{fb17})"
    R"(\x{ff21}-\x{ff3a}\x{ff41}-\x{ff5a}\x{10400}-\x{1044f}\x{104b0}-\x{104d3})"
    R"(\x{104d8}-\x{104fb}\x{10c80}-\x{10cb2}\x{10cc0}-\x{10cf2}\x{118a0}-\x{118df})"
    R"(\x{1e900}-\x{1e943})"
    R"(]+)";
// An expression also splits pieces that an earlier expression has isolated. For example, the third
// one matches the letters a to z, so "né" becomes two pieces.
constexpr const char *kDeepSeekLlm[] = {
    R"([\r\n])",
    kDeepSeekLetters,
    R"(\s?[!-/:-~\x{ff01}-\x{ff0f}\x{ff1a}-\x{ff5e}\x{2018}-\x{201f}\x{3000}-\x{3002}]+)",
    R"(\s+$)",
    kDeepSeekCharacters,
    R"(\p{N})"};
constexpr const char *kDeepSeekCoder[] = {R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)",
                                          kDeepSeekCharacters, R"(\p{N})"};
constexpr const char *kDeepSeekV3[] = {
    R"(\p{N}{1,3})", R"([\x{4e00}-\x{9fa5}\x{3040}-\x{30ff}]+)",
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|)"
    R"( ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
// Like kQwen, but line ends are not part of the punctuation before them.
constexpr const char *kSeedCoder[] = {
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
    R"( ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr const char *kViking[] = { // everything between punctuation, then single digits
    R"( ?[^(\s|.,!?\x{2026}\x{3002}\x{ff0c}\x{3001}\x{964}\x{6d4}\x{60c})]+)", R"(\p{N})"};
constexpr const char *kThreeDigits[] = {"[0-9][0-9][0-9]"};

using Rule = Splitter::Rule;
constexpr Splitter kSplitters[] = {
    {"gpt-2"},
    {"mpt"},
    {"olmo", Rule::Gpt2, {}, false, false, true}, // GPT-NeoX
    {"jais"},
    {"phi-2"},
    {"mellum"},
    {"a.x-4.0"},
    {"trillion"},
    {"llama-bpe", Rule::Expressions, kLlama, true, true},
    {"llama3", Rule::Expressions, kLlama, true, true},
    {"llama-v3", Rule::Expressions, kLlama, true, true},
    {"falcon3", Rule::Expressions, kLlama, true, true},
    {"dbrx", Rule::Expressions, kLlama}, // Phi-4
    {"smaug-bpe", Rule::Expressions, kLlama},
    {"tekken", Rule::Expressions, kTekken, true, true}, // Mistral NeMo
    {"gpt-4o", Rule::Expressions, kO200k},              // Phi-4-mini
    {"qwen2", Rule::Expressions, kQwen, false, false, true},
    {"stablelm2", Rule::Expressions, kQwen},
    {"deepseek-r1-qwen", Rule::Expressions, kQwen},
    {"megrez", Rule::Expressions, kQwen},
    {"seed-coder", Rule::Expressions, kSeedCoder},
    {"viking", Rule::Expressions, kViking},
    {"deepseek-llm", Rule::Expressions, kDeepSeekLlm},
    {"deepseek-coder", Rule::Expressions, kDeepSeekCoder},
    {"deepseek-v3", Rule::Expressions, kDeepSeekV3},
    {"falcon", Rule::Falcon, kThreeDigits},
    {"starcoder", Rule::SingleDigits},
    {"refact", Rule::SingleDigits},
    {"command-r", Rule::SingleDigits, {}, false, false, true},
    {"smollm", Rule::SingleDigits},
    {"codeshell", Rule::SingleDigits},
    {"exaone", Rule::SingleDigits},
    {"minerva-7b", Rule::SingleDigits},
};

} // namespace

std::span<const Splitter> allSplitters() {
    return kSplitters;
}

const Splitter *findSplitter(std::string_view name) {
    const auto found = std::ranges::find(kSplitters, name, &Splitter::name);
    return found == std::end(kSplitters) ? nullptr : &*found;
}

Result<PreTokenizerPointer> preTokenizerOf(const Splitter &splitter) {
    std::vector<PreTokenizerPointer> parts;
    switch (splitter.rule) {
    case Rule::Gpt2:
        return byteLevelPreTokenizer(false, true);
    case Rule::SingleDigits:
        return sequenceOf({digitsPreTokenizer(true), byteLevelPreTokenizer(false, true)});
    case Rule::Expressions:
        break;
    case Rule::Falcon:
        parts = {punctuationPreTokenizer(SplitBehavior::Contiguous),
                 byteLevelPreTokenizer(false, true), digitsPreTokenizer(false)};
        break;
    }
    for (const char *expression : splitter.expressions) {
        auto words = Pattern::expression(expression, ExpressionSyntax::Oniguruma);
        if (!words)
            return words.error();
        parts.push_back(splitPreTokenizer(std::move(*words), SplitBehavior::Isolated, false));
    }
    if (splitter.rule == Rule::Expressions)
        parts.push_back(byteLevelPreTokenizer(false, false));
    return sequenceOf(std::move(parts));
}

} // namespace headlight::core
