#include "core/training/tasks/tale_words.h"

#include "core/training/pass/example.h"
#include "core/training/tasks/makers.h"
#include "core/training/tasks/word_ids.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace headlight::core {

namespace {

constexpr Index kHeldOutEvery = 8;

/// A rule, with the name that the sentences use. The text is translatable.
struct TaleRule {
    std::string_view id;
    const char *text;
};
constexpr std::array kTaleRules{
    TaleRule{"thing", "the thing of its owner"},  TaleRule{"place", "the place of a child"},
    TaleRule{"pronoun", "the pronoun of a name"}, TaleRule{"verb", "was or were, over a clause"},
    TaleRule{"colour", "the colour of a thing"},  TaleRule{"size", "a comparison of sizes"},
    TaleRule{"list", "a list copied in order"},
};

constexpr std::array<std::pair<std::string_view, TaleSlot>, kTaleSlots - 1> kSlotNames{{
    {"opening", TaleSlot::Opening},
    {"name", TaleSlot::Name},
    {"other", TaleSlot::Other},
    {"she", TaleSlot::She},
    {"She", TaleSlot::CapitalShe},
    {"her", TaleSlot::Her},
    {"got", TaleSlot::Got},
    {"size", TaleSlot::Size},
    {"colour", TaleSlot::Colour},
    {"thing", TaleSlot::Thing},
    {"place", TaleSlot::Place},
    {"bigger", TaleSlot::Bigger},
    {"noun", TaleSlot::Noun},
    {"near-noun", TaleSlot::NearNoun},
    {"was", TaleSlot::Was},
    {"adjective", TaleSlot::Adjective},
    {"laughed", TaleSlot::Laughed},
    {"liked", TaleSlot::Liked},
    {"weather", TaleSlot::Weather},
    {"list", TaleSlot::List},
    {"list-head", TaleSlot::ListHead},
    {"list-tail", TaleSlot::ListTail},
}};

Index ruleOf(std::string_view id) {
    const auto found = std::ranges::find(kTaleRules, id, &TaleRule::id);
    assert(found != kTaleRules.end());
    return found - kTaleRules.begin();
}

/// Reads a line such as "<name> took <her/pronoun> kite .": fixed words, and slots in angle
/// brackets. A rule after a slash determines the word.
TaleSentence sentence(WordIds &ids, std::string_view text) {
    TaleSentence pieces;
    for (std::size_t end = 0; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
        end = std::min(text.find(' '), text.size());
        std::string_view word = text.substr(0, end);
        TalePiece piece{TaleSlot::Fixed, 0, kLeftOut};
        const bool isSlot = word.front() == '<';
        if (isSlot)
            word = word.substr(1, word.size() - 2);
        if (const std::size_t slash = word.find('/'); slash != word.npos) {
            piece.rule = ruleOf(word.substr(slash + 1));
            word = word.substr(0, slash);
        }
        if (isSlot) {
            const auto *const found =
                std::ranges::find(kSlotNames, word, &decltype(kSlotNames)::value_type::first);
            assert(found != kSlotNames.end());
            piece.slot = found->second;
        } else {
            piece.word = ids.of(word);
        }
        pieces.push_back(piece);
    }
    return pieces;
}

void addSentences(WordIds &ids, TaleWords &words) {
    const auto read = [&ids](std::string_view text) { return sentence(ids, text); };
    words.weather = read("It was a <weather> day .");
    words.introduction = read("<opening> <name> <got> a <size> <colour> <thing> .");
    words.journey = read("<name> took <her/pronoun> <thing/thing> to the <place> .");
    words.comparison = read("<name> had the <bigger/size> thing .");
    words.colour = read("<name> said that <her/pronoun> <thing/thing> was <colour/colour> .");
    words.where = read("Where was <name> ? At the <place/place> .");
    words.because =
        read("<name> <laughed> because <she/pronoun> <liked> <her/pronoun> <thing/thing> .");
    words.back = read("Then <name> went back to the <place/place> with <her/pronoun> "
                      "<thing/thing> .");
    words.agreements = {read("The <noun> near the <near-noun> <was/verb> <adjective> ."),
                        read("The <noun> that <name> drew <was/verb> <adjective> ."),
                        read("The <noun> that <name> saw near the <near-noun> <was/verb> "
                             "<adjective> .")};
    words.list = read("<name> wrote a list : <list> . <She/pronoun> read it to <other> : "
                      "<list/list> ./list");
    words.game = read("<name> said : <list> . <other> repeated : <list/list> ./list");
    // No rule determines the first word after the copy, because the list could continue.
    words.chant = read("<name> said twice : <list> <list-head> <list-tail/list> ./list");
    words.gameOpening = read("<opening> <name> and <other> played a word game .");
    words.theEnd = read("The end .");
}

} // namespace

TaleWords taleWords() {
    WordIds ids;
    TaleWords words;
    words.names = ids.line("Mia Anna Lily Emma Zoe Nora Ella Ruth "
                           "Tom Ben Max Leo Sam Paul Finn Hugo");
    words.things = ids.line("kite boat ball doll drum book hat cup lamp bag bell bike "
                            "car coin flag key ring robot scarf spoon train whistle puzzle broom");
    words.places = ids.line("lake park mill farm beach school market bridge "
                            "river castle station barn tower zoo library pool");
    words.foods = ids.line("milk bread apples eggs tea cake rice soup "
                           "honey plums nuts corn pears salt jam beans");
    words.colours = ids.line("red blue green yellow white black brown pink");
    words.sizes = ids.line("small big");
    words.nouns = ids.line("bird tree chair stone flower house dog cat");
    words.pluralNouns = ids.line("birds trees chairs stones flowers houses dogs cats");
    words.adjectives = ids.line("old pretty clean nice lovely muddy");
    words.weathers = ids.line("windy sunny rainy cold");
    words.got = ids.line("had found got made");
    words.laughed = ids.line("laughed smiled danced");
    words.liked = ids.line("liked loved");
    words.openings = ids.lines({"", "", "One day"});
    words.she[0] = ids.of("she");
    words.she[1] = ids.of("he");
    words.capitalShe[0] = ids.of("She");
    words.capitalShe[1] = ids.of("He");
    words.her[0] = ids.of("her");
    words.her[1] = ids.of("his");
    words.was = ids.of("was");
    words.were = ids.of("were");
    words.bigger = ids.of("bigger");
    words.smaller = ids.of("smaller");
    addSentences(ids, words);
    words.end = ids.of(kEndWord);
    words.words = ids.words();
    for (const TaleRule &rule : kTaleRules)
        words.rules.emplace_back(rule.text);

    for (Index id = 0; id < std::ssize(words.words); ++id)
        if (const char first = words.words[static_cast<std::size_t>(id)].front();
            first >= 'a' && first <= 'z')
            words.anyWord.push_back(id);
    return words;
}

bool isHeldOutThing(Index name, Index thing) {
    return (name + thing) % kHeldOutEvery == 0;
}

bool isHeldOutPlace(Index name, Index place) {
    return (name + place) % kHeldOutEvery == kHeldOutEvery / 2;
}

} // namespace headlight::core
