// The words and sentences of the tales (tales.cpp), and the pairs of words that are held out.
#pragma once

#include "core/message.h"
#include "core/tensor/matrix.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// A place in a sentence that each tale fills with its own words.
enum class TaleSlot {
    Fixed, ///< the sentence's own word
    Opening,
    Name,
    Other, ///< the other child's name
    She,
    CapitalShe,
    Her,
    Got,
    Size,
    Colour,
    Thing,
    Place,
    Bigger,
    Noun,
    NearNoun,
    Was,
    Adjective,
    Laughed,
    Liked,
    Weather,
    List,
    ListHead, ///< its first word
    ListTail, ///< the others
};
inline constexpr std::size_t kTaleSlots = static_cast<std::size_t>(TaleSlot::ListTail) + 1;

/// One word of a sentence, or one slot.
struct TalePiece {
    TaleSlot slot = TaleSlot::Fixed;
    Index word = 0; ///< only of TaleSlot::Fixed
    Index rule = 0; ///< the rule that determines it, in TaleWords::rules; kLeftOut if none does
};
using TaleSentence = std::vector<TalePiece>;

struct TaleWords {
    std::vector<std::string> words; ///< the vocabulary, by id
    std::vector<Message> rules;

    // Ids. The first half of the names takes "she".
    std::vector<Index> names, things, places, foods, colours, sizes, adjectives, weathers;
    std::vector<Index> nouns, pluralNouns; ///< in the same order
    std::vector<Index> got, laughed, liked;
    std::vector<Index> anyWord; ///< all without capitals, punctuation and special tokens
    std::vector<std::vector<Index>> openings;
    Index she[2]{}, capitalShe[2]{}, her[2]{}; ///< [0] of a girl, [1] of a boy
    Index was = 0, were = 0, bigger = 0, smaller = 0, end = 0;

    TaleSentence weather, introduction, journey, colour, comparison, where, because, back, list,
        game, chant, gameOpening, theEnd;
    std::vector<TaleSentence> agreements;
};

/// Creates the words and sentences.
TaleWords taleWords();

/// True if the child may have this thing, or be at this place, only in held-out tales. Arguments
/// are numbers in TaleWords::names, things and places. Every child has three such things and two
/// such places, and every thing and place has two such children.
bool isHeldOutThing(Index name, Index thing);
bool isHeldOutPlace(Index name, Index place);

} // namespace headlight::core
