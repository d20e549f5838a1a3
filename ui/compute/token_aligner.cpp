#include "ui/compute/token_aligner.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr core::Index kCellsAtOnce = core::Index(1) << 20; // cells; takes a few milliseconds

/// Returns the work of aligning the texts: the product of the lengths of the parts that differ.
/// Returns 0 if the texts are equally long.
core::Index cellsOf(const core::BatchPointer &now, core::Index nowSequence,
                    const core::BatchPointer &a, core::Index aSequence) {
    if (!now || !a)
        return 0;
    const core::Sequence &left = (*now)[nowSequence], &right = (*a)[aSequence];
    core::Index ofNow = left.length, ofA = right.length, begin = 0;
    if (ofNow == ofA)
        return 0;
    while (begin < std::min(ofNow, ofA) && left[begin].text == right[begin].text)
        ++begin;
    while (std::min(ofNow, ofA) > begin && left[ofNow - 1].text == right[ofA - 1].text) {
        --ofNow;
        --ofA;
    }
    return (ofNow - begin) * (ofA - begin);
}

/// Compares the words, because an edit of the model may create a new batch of the same words.
bool haveSameTokens(const core::BatchPointer &one, const core::BatchPointer &other,
                    core::Index sequence) {
    if (one == other)
        return true;
    if (!one || !other)
        return false;
    const core::Sequence &left = (*one)[sequence], &right = (*other)[sequence];
    return left.length == right.length &&
           std::ranges::equal(left.tokens, right.tokens, {}, &core::Token::text,
                              &core::Token::text);
}

} // namespace

bool TokenAligner::Texts::areSame(const Texts &other) const {
    return nowSequence == other.nowSequence && aSequence == other.aSequence && own == other.own &&
           haveSameTokens(now.batch, other.now.batch, nowSequence) &&
           haveSameTokens(now.source, other.now.source, nowSequence) &&
           haveSameTokens(a.batch, other.a.batch, aSequence) &&
           haveSameTokens(a.source, other.a.source, aSequence);
}

void TokenAligner::cancel() {
    m_job.cancel();
    m_texts.reset();
    m_found.reset();
}

core::TokenPartnersPointer TokenAligner::partnersOf(const Texts &texts, const core::Model &model) {
    if (m_texts && m_stack == model.mainStack() && m_texts->areSame(texts)) {
        m_texts->now.batch = texts.now.batch; // so that the next call finds the same batches
        m_texts->now.source = texts.now.source;
        m_texts->a.batch = texts.a.batch;
        m_texts->a.source = texts.a.source;
        return m_found;
    }
    m_texts = texts;
    m_stack = model.mainStack();
    m_found.reset();
    m_job.cancel();
    const auto find = [texts, model](const std::stop_token &stop) {
        return core::partnersOf(texts.now, texts.nowSequence, texts.a, texts.aSequence, model,
                                texts.own, stop);
    };
    const auto cells = [&texts](const core::BatchPointer &now, const core::BatchPointer &a) {
        return cellsOf(now, texts.nowSequence, a, texts.aSequence);
    };
    if (cells(texts.now.batch, texts.a.batch) + cells(texts.now.source, texts.a.source) <=
        kCellsAtOnce)
        return m_found = find({});
    m_job.start(find, [this](core::TokenPartnersPointer found) {
        m_found = std::move(found);
        emit made();
    });
    return nullptr;
}

} // namespace headlight::ui
