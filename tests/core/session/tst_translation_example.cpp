// The encoder-decoder of the New session dialog translates every phrase of its vocabulary, and its
// cross-attention attends to the word being translated.
#include "core/checks/session_check.h"
#include "core_test.h"
#include "support.h"

namespace {

constexpr const char *kFile = HEADLIGHT_LESSONS "/../examples/translation.headlight";
const AttentionId kEncoder(0, Block::SelfAttention, Stack::Encoder);
const AttentionId kDecoder(0, Block::SelfAttention, Stack::Decoder);
const AttentionId kCross(0, Block::CrossAttention, Stack::Decoder);

using WordList = std::vector<std::string>;

struct Phrase {
    WordList english;
    WordList french;     ///< including the end token
    WordList translated; ///< the English source of each French word
    bool isFeminine = false;
};

/// Returns all phrases of the example's vocabulary with their translation by French grammar.
std::vector<Phrase> phrases() {
    struct Noun {
        const char *english, *french;
        bool isFeminine;
    };
    std::vector<Phrase> all;
    for (const Noun &noun :
         {Noun{"house", "maison", true}, Noun{"door", "porte", true}, Noun{"book", "livre", false}})
        for (const std::string article : {"the", "a"})
            for (const std::string adverb : {"", "very"})
                for (const std::string adjective : {"", "red", "green"}) {
                    if (!adverb.empty() && adjective.empty())
                        continue;
                    Phrase phrase{{}, {}, {}, noun.isFeminine};
                    const auto say = [&](const std::string &english, const std::string &french) {
                        phrase.french.push_back(french);
                        phrase.translated.push_back(english);
                    };
                    say(article, article == "the" ? (noun.isFeminine ? "la" : "le")
                                                  : (noun.isFeminine ? "une" : "un"));
                    say(noun.english, noun.french);
                    if (!adverb.empty())
                        say(adverb, "très");
                    if (!adjective.empty())
                        say(adjective, adjective == "red" ? "rouge"
                                       : noun.isFeminine  ? "verte"
                                                          : "vert");
                    say(".", "»");
                    for (const std::string &word :
                         WordList{article, adverb, adjective, noun.english, "."})
                        if (!word.empty())
                            phrase.english.push_back(word);
                    all.push_back(std::move(phrase));
                }
    return all;
}

Session translating(Session session, const WordList &english, const WordList &french) {
    session.input.source = *Batch::ofWords({english});
    session.input.batch = *Batch::ofWords({french});
    return session;
}

std::string wordAt(const Batch &batch, Index token) {
    return batch[0].tokens[static_cast<std::size_t>(token)].text;
}

} // namespace

TEST_CASE("the example is complete, and its texts are true") {
    for (const Error &error : checkSessionFile(kFile))
        FAIL(error.text());
    const auto session = valueOf(readSessionFile(kFile));
    CHECK(session.warnings.empty());
    REQUIRE(session.lesson);
    CHECK(session.lesson->steps.size() >= 5);
}

TEST_CASE("the model translates every phrase of its vocabulary, word by word") {
    const auto session = valueOf(readSessionFile(kFile));
    for (const Phrase &phrase : phrases()) {
        WordList written{"«"};
        while (written.size() <= phrase.french.size()) {
            const TracePointer trace = traceOf(translating(session, phrase.english, written));
            const SharedMatrix probabilities = trace->stage(Stage::Probabilities).matrix(0);
            const auto row = probabilities.row(probabilities.rows - 1);
            const Index next = largest(row);
            written.push_back(trace->model().vocabulary->word(next));
            INFO("after " << written[written.size() - 2] << ": " << written.back());
            CHECK(row[static_cast<std::size_t>(next)] > 0.9f);
        }
        written.erase(written.begin());
        CHECK(written == phrase.french);
    }
}

TEST_CASE("cross-attention is the alignment of the two phrases") {
    const auto session = valueOf(readSessionFile(kFile));
    for (const Phrase &phrase : phrases()) {
        WordList written = phrase.french;
        written.pop_back();
        written.insert(written.begin(), "«");
        const TracePointer trace = traceOf(translating(session, phrase.english, written));
        const SharedMatrix cross = trace->stage(Stage::AttentionWeights, kCross).matrix(0);
        REQUIRE(cross.rows == std::ssize(phrase.translated));
        bool isTurned = false; // true if the word order differs from English
        Index last = -1;
        for (Index row = 0; row < cross.rows; ++row) {
            const Index at = largest(cross.row(row));
            CHECK(wordAt(trace->keys(kCross), at) ==
                  phrase.translated[static_cast<std::size_t>(row)]);
            CHECK(cross(row, at) > 0.9f);
            isTurned = isTurned || at < last;
            last = at;
        }
        CHECK(isTurned == (phrase.english.size() > 3)); // longer phrases have an adjective
        // The article takes its noun's gender from the encoder.
        const SharedMatrix read = trace->stage(Stage::AttentionWeights, kEncoder).matrix(0);
        CHECK(wordAt(trace->keys(kEncoder), largest(read.row(0))) ==
              phrase.english[phrase.english.size() - 2]);
        // After the noun, every generated word attends to it.
        const SharedMatrix own = trace->stage(Stage::AttentionWeights, kDecoder).matrix(0);
        for (Index row = 2; row < own.rows; ++row)
            CHECK(largest(own.row(row)) == 2);
    }
}
