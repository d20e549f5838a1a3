// The words and sentences of the tales (tales.cpp), and the held-out pairs of words.
#pragma once

#include "core/message.h"
#include "core/tensor/matrix.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// A slot of a sentence, which each tale fills with its own words.
enum class TaleSlot {
    Fixed, ///< a fixed word of the sentence
    Opening,
    Name,
    Other, ///< name of the other child
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
    ListHead, ///< first word of the list
    ListTail, ///< other words of the list
};
inline constexpr std::size_t kTaleSlots = static_cast<std::size_t>(TaleSlot::ListTail) + 1;

/// One word of a sentence, or one slot.
struct TalePiece {
    TaleSlot slot = TaleSlot::Fixed;
    Index word = 0; ///< only for TaleSlot::Fixed
    Index rule = 0; ///< index in TaleWords::rules; kLeftOut if no rule determines the word
};
using TaleSentence = std::vector<TalePiece>;

struct TaleWords {
    std::vector<std::string> words; ///< the vocabulary, by id
    std::vector<Message> rules;

    // Lists of ids. The first half of the names takes "she".
    std::vector<Index> names, things, places, foods, colours, sizes, adjectives, weathers;
    std::vector<Index> nouns, pluralNouns; ///< the same nouns, in the same order
    std::vector<Index> got, laughed, liked;
    std::vector<Index> anyWord; ///< without capitalised words, punctuation and special tokens
    std::vector<std::vector<Index>> openings;
    Index she[2]{}, capitalShe[2]{}, her[2]{}; ///< [0] for a girl, [1] for a boy
    Index was = 0, were = 0, bigger = 0, smaller = 0, end = 0;

    TaleSentence weather, introduction, journey, colour, comparison, where, because, back, list,
        game, chant, gameOpening, theEnd;
    std::vector<TaleSentence> agreements;
};

/// Creates the words and sentences of all tales.
TaleWords taleWords();

/// True if the child has this thing, or is at this place, only in held-out tales. The arguments are
/// indices in TaleWords::names, things and places. Every child has three such things and two such
/// places. Every thing and every place has two such children.
bool isHeldOutThing(Index name, Index thing);
bool isHeldOutPlace(Index name, Index place);

} // namespace headlight::core
