#include "ui/compute/token_aligner.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr core::Index kCellsAtOnce = core::Index(1) << 20; // takes a few milliseconds

/// Returns the product of the lengths of the parts that differ; 0 if the texts are equally long.
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

} // namespace

bool TokenAligner::Texts::areSame(const Texts &other) const {
    return now.batch == other.now.batch && now.source == other.now.source &&
           a.batch == other.a.batch && a.source == other.a.source &&
           nowSequence == other.nowSequence && aSequence == other.aSequence && own == other.own;
}

core::TokenPartnersPointer TokenAligner::partnersOf(const Texts &texts, const core::Model &model) {
    if (m_texts && m_texts->areSame(texts))
        return m_found;
    m_texts = texts;
    m_found.reset();
    m_job.cancel();
    const auto find = [texts, model] {
        return core::partnersOf(texts.now, texts.nowSequence, texts.a, texts.aSequence, model,
                                texts.own);
    };
    const auto cells = [&texts](const core::BatchPointer &now, const core::BatchPointer &a) {
        return cellsOf(now, texts.nowSequence, a, texts.aSequence);
    };
    if (cells(texts.now.batch, texts.a.batch) + cells(texts.now.source, texts.a.source) <=
        kCellsAtOnce)
        return m_found = find();
    m_job.start([find](const std::stop_token &) { return find(); },
                [this](core::TokenPartnersPointer found) {
                    m_found = std::move(found);
                    emit made();
                });
    return nullptr;
}

} // namespace headlight::ui
