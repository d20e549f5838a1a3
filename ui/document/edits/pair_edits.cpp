#include "ui/document/edits/pair_edits.h"

#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui::edits {

namespace {

struct PairEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::PairEdits)
};

bool isOfSameTexts(const core::AlignedText &a, const core::AlignedText &b) {
    return a.stack == b.stack && a.now == b.now && a.a == b.a;
}

/// Returns the user's pairs of all texts except `text`.
std::vector<core::AlignedText> otherPairs(const DocumentState &state,
                                          const core::AlignedText &text) {
    std::vector<core::AlignedText> others;
    if (state.pairs)
        std::ranges::copy_if(
            *state.pairs, std::back_inserter(others),
            [&text](const core::AlignedText &each) { return !isOfSameTexts(each, text); });
    return others;
}

core::Result<Change> withPairs(const DocumentState &state, std::vector<core::AlignedText> pairs,
                               const QString &words) {
    Edit edit{state, {words, {}, {}}};
    edit.state.pairs =
        pairs.empty() ? nullptr
                      : std::make_shared<const std::vector<core::AlignedText>>(std::move(pairs));
    return checked(std::move(edit));
}

core::Result<Change> withPairEdit(const DocumentState &state, const core::AlignedText &text,
                                  const core::PairEdit &edit, const QString &words) {
    core::Result<core::AlignedText> paired = core::withPairEdits(text, {edit});
    if (!paired)
        return paired.error();
    std::vector<core::AlignedText> all = otherPairs(state, text);
    all.push_back(*std::move(paired));
    return withPairs(state, std::move(all), words);
}

QString nameIn(const std::vector<std::string> &tokens, core::Index token) {
    return token >= 0 && token < std::ssize(tokens)
               ? tokenText(tokens[static_cast<std::size_t>(token)])
               : QString();
}

} // namespace

bool hasOwnPairs(const DocumentState &state, const core::AlignedText &text) {
    return state.pairs && std::ranges::any_of(*state.pairs, [&](const core::AlignedText &each) {
               return isOfSameTexts(each, text);
           });
}

core::Result<Change> pairTokens(const DocumentState &state, const core::AlignedText &text,
                                const core::AlignedPair &pair) {
    return withPairEdit(state, text, {pair.now, pair.a},
                        PairEditText::tr("Pair “%1” with “%2” of A")
                            .arg(nameIn(text.now, pair.now), nameIn(text.a, pair.a)));
}

core::Result<Change> separateToken(const DocumentState &state, const core::AlignedText &text,
                                   core::Index now) {
    return withPairEdit(
        state, text, {now, {}},
        PairEditText::tr("Separate “%1” from its partner").arg(nameIn(text.now, now)));
}

core::Result<Change> alignAgain(const DocumentState &state, const core::AlignedText &text) {
    return withPairs(state, otherPairs(state, text), PairEditText::tr("Pair automatically"));
}

} // namespace headlight::ui::edits
