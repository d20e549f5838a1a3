// Added tokens, which are found before the text is processed in any other way, and normalizers:
// their output, and the source text of each part.
#include "core/tokenizers/added_tokens.h"
#include "core/tokenizers/normalizers/normalizer.h"
#include "core_test.h"
#include "pieces.h"

namespace {

TextPiece made(const NormalizerPointer &normalizer, std::string_view text) {
    REQUIRE(normalizer);
    StopCheck stop{{}};
    auto piece = valueOf(normalizer->normalized(pieceOf(text), stop));
    CHECK(piece.origins.size() == piece.text.size());
    for (const Origin &origin : piece.origins) {
        CHECK(origin.begin <= origin.end);
        CHECK(origin.end <= text.size());
    }
    return piece;
}

std::string textOf(const NormalizerPointer &normalizer, std::string_view text) {
    return made(normalizer, text).text;
}

} // namespace

TEST_CASE("Unicode's four forms, a mark with its letter") {
    CHECK(textOf(unicodeNormalizer(UnicodeForm::Nfc), "e\u0301 ﬁ") == "é ﬁ");
    CHECK(textOf(unicodeNormalizer(UnicodeForm::Nfd), "é ﬁ") == "e\u0301 ﬁ");
    CHECK(textOf(unicodeNormalizer(UnicodeForm::Nfkc), "e\u0301 ﬁ ①") == "é fi 1");
    CHECK(textOf(unicodeNormalizer(UnicodeForm::Nfkd), "é ﬁ") == "e\u0301 fi");
    const std::string text = "xe\u0301y";
    const TextPiece piece = made(unicodeNormalizer(UnicodeForm::Nfc), text);
    CHECK(piece.text == "xéy");
    CHECK(sourceOf(piece.part(1, 3), text) == "e\u0301");
    CHECK(sourceOf(piece.part(3, 4), text) == "y");
    CHECK(textOf(unicodeNormalizer(UnicodeForm::Nfc), "한국어").size() == 9);
}

TEST_CASE("many marks on one letter do not take quadratic time") {
    std::string text = "a";
    for (int i = 0; i < 100'000; ++i)
        text += i % 2 ? "\u0301" : "\u0323";
    CHECK(textOf(unicodeNormalizer(UnicodeForm::Nfc), text).size() > 100'000);
}

TEST_CASE("lower case of each character on its own") {
    CHECK(textOf(lowercaseNormalizer(), "ΟΔΟΣ Straße İ") == "οδοσ straße i\u0307");
    const std::string text = "aİb";
    const TextPiece piece = made(lowercaseNormalizer(), text);
    CHECK(sourceOf(piece.part(1, 4), text) == "İ");
    CHECK(sourceOf(piece.part(4, 5), text) == "b");
}

TEST_CASE("accents, spaces, replacements, prefixes") {
    CHECK(textOf(stripAccentsNormalizer(), "e\u0301a\u0308") == "ea");
    CHECK(textOf(stripNormalizer(true, true), "\u3000 a b\n") == "a b");
    CHECK(textOf(stripNormalizer(false, true), " a ") == " a");
    CHECK(textOf(stripNormalizer(true, false), " a ") == "a ");
    CHECK(textOf(stripNormalizer(true, true), " \t").empty());
    CHECK(textOf(replaceNormalizer(Pattern::literal(" "), "▁"), "a b") == "a▁b");
    CHECK(textOf(prependNormalizer("▁"), "a") == "▁a");
    CHECK(textOf(prependNormalizer("▁"), "").empty());
    CHECK(textOf(nmtNormalizer(), "a\x01\tb\u200Bc") == "a b c");
    CHECK(textOf(byteLevelNormalizer(), " é") == "ĠÃ©");
    const std::string text = "a b";
    const TextPiece piece = made(replaceNormalizer(Pattern::literal(" "), "▁"), text);
    CHECK(sourceOf(piece.part(1, 4), text) == " ");
}

TEST_CASE("BERT's normalizer") {
    CHECK(textOf(bertNormalizer({}), "Héllo\t中x\x01\uFFFD") == "hello  中 x");
    CHECK(textOf(bertNormalizer({.partsChinese = false, .stripsAccents = false}), "É中") == "é中");
    CHECK(textOf(bertNormalizer({.cleans = false, .lowers = false}), "A\tÉ") == "A\tE");
}

TEST_CASE("normalizers in sequence") {
    const auto both = sequenceOf(std::vector<NormalizerPointer>{
        unicodeNormalizer(UnicodeForm::Nfd), stripAccentsNormalizer(), lowercaseNormalizer()});
    CHECK(textOf(both, "Élan Vital") == "elan vital");
    CHECK(textOf(sequenceOf(std::vector<NormalizerPointer>{}), "É") == "É");
}

TEST_CASE("the result is limited, and so is the work of all steps together") {
    StopCheck stop{{}};
    const std::string most(kMaxPieceBytes, 'x');
    CHECK(prependNormalizer(most)->normalized(pieceOf("a"), stop).error().what ==
          tooLongPiece().what);
    // Each normalizer stays within the limit, but together they exceed it.
    std::vector<NormalizerPointer> steps{
        replaceNormalizer(Pattern::literal("a"), std::string(1024, 'b'))};
    for (int i = 0; i < 20; ++i)
        steps.push_back(stripNormalizer(true, true));
    const std::string text(std::size_t(8) << 10, 'a');
    CHECK(sequenceOf(steps)->normalized(pieceOf(text), stop).error().what == tooLongPiece().what);
    steps.resize(4);
    CHECK(sequenceOf(steps)->normalized(pieceOf(text), stop).ok());
}

TEST_CASE("an invalid table of replacements is refused") {
    CHECK_FALSE(precompiledNormalizer("").ok());
    CHECK_FALSE(precompiledNormalizer(std::string("\x04\0\0", 3)).ok());
    CHECK_FALSE(precompiledNormalizer(std::string("\xFF\xFF\xFF\x7F\0\0\0\0", 8)).ok());
    CHECK_FALSE(precompiledNormalizer(std::string("\x03\0\0\0\0\0\0\0", 8)).ok());
    // A single unit with an arbitrary offset.
    const auto wild = valueOf(precompiledNormalizer(std::string("\x04\0\0\0\xFF\xFF\xFF\xFF", 8)));
    CHECK(textOf(wild, "aé中") == "aé中");
}

TEST_CASE("normalizers can be stopped") {
    std::stop_source source;
    source.request_stop();
    const std::string text(100'000, 'A');
    for (const NormalizerPointer &normalizer :
         {unicodeNormalizer(UnicodeForm::Nfc), lowercaseNormalizer(), bertNormalizer({}),
          byteLevelNormalizer(), nmtNormalizer()}) {
        StopCheck stop{source.get_token()};
        CHECK_THROWS_AS((void)normalizer->normalized(pieceOf(text), stop), Cancelled);
    }
}

namespace {

std::string split(std::vector<AddedToken> tokens, std::string_view text,
                  const Normalizer *normalizer = nullptr, bool isNormalized = false) {
    StopCheck stop{{}};
    const auto added = valueOf(AddedTokens::from(std::move(tokens), normalizer, stop));
    std::string shown;
    for (const AddedTokens::Part &part : added.split(pieceOf(text), isNormalized, stop))
        shown +=
            (shown.empty() ? "" : "|") +
            (part.id ? "(" + part.piece.text + ")" + std::to_string(*part.id) : part.piece.text);
    return shown;
}

} // namespace

TEST_CASE("the longest token from the left") {
    CHECK(split({{"<s>", 1}, {"<s>>", 2}, {"s", 3}}, "a<s>b<s>>s") == "a|(<s>)1|b|(<s>>)2|(s)3");
    CHECK(split({}, "a b") == "a b");
    CHECK(split({{"", 1}, {"中", 2}}, "a中中") == "a|(中)2|(中)2");
    CHECK(split({{"<s>", 1}}, "").empty());
}

TEST_CASE("white space next to a token, and whole words") {
    AddedToken mask{"<mask>", 5};
    mask.stripsLeft = true;
    CHECK(split({mask}, "a  <mask> b") == "a|(  <mask>)5| b");
    mask.stripsRight = true;
    CHECK(split({mask}, "a <mask> <mask>  b") == "a|( <mask> )5|(<mask>  )5|b");
    AddedToken word{"cat", 7};
    word.isWholeWord = true;
    CHECK(split({word}, "cat concat cats (cat) écat") == "(cat)7| concat cats (|(cat)7|) écat");
}

TEST_CASE("in normalized text, tokens are found by their normalized form") {
    AddedToken token{"ÉTÉ", 3};
    token.isNormalized = true;
    const auto lower = lowercaseNormalizer();
    CHECK(split({token}, "un été", lower.get(), true) == "un |(été)3");
    CHECK(split({token}, "un ÉTÉ", lower.get(), false) == "un ÉTÉ");
}
