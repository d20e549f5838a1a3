#include "ui/document/edits/softmax_edits.h"

#include "ui/text/number_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui::edits {

namespace {

struct SoftmaxEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SoftmaxEdits)
};

core::Result<Change> checkedLook(const DocumentState &state, core::SoftmaxLook look,
                                 EditText words) {
    if (look.logits.size() > core::kMaxOwnLogits)
        return core::Error{{"%1 numbers are too many for softmax", look.logits.size()},
                           "",
                           {"use at most %1", core::kMaxOwnLogits}};
    if (!std::ranges::all_of(look.logits, core::isOwnLogit))
        return core::Error{"the number is too large for softmax", "",
                           "use a number from −1000000 to 1000000"};
    if (!core::isOwnTimes(look.times))
        return core::Error{"the factor is 0, negative or too large", "",
                           "use a number greater than 0 and at most 1000000"};
    if (!core::isOwnTemperature(look.temperature))
        return core::Error{"the temperature is too small or too large", "",
                           "use a number from 0.0001 to 10000"};
    if (look.headSize < 1 || look.headSize > core::kMaxDrawnHeadSize)
        return core::Error{{"vectors of %1 components cannot be sampled", look.headSize},
                           "",
                           {"use 1 to %1", core::kMaxDrawnHeadSize}};
    Edit edit{state, std::move(words)};
    edit.state.softmax = std::move(look);
    return checked(std::move(edit));
}

core::Error noSuchNumber() {
    return {"there is no such number", "", ""};
}

} // namespace

core::Result<Change> setOwnLogits(const DocumentState &state, std::vector<float> logits) {
    core::SoftmaxLook look = state.softmax;
    const QString what = logits.empty() ? SoftmaxEditText::tr("Softmax of the model's row")
                                        : SoftmaxEditText::tr("Softmax of custom logits");
    look.logits = std::move(logits);
    look.part = core::SoftmaxPart::Row;
    if (!look.isOwn())
        look.times = look.temperature = 1;
    return checkedLook(state, std::move(look), {what, {}, {}});
}

core::Result<Change> setSixLogits(const DocumentState &state, float times) {
    core::SoftmaxLook look = state.softmax;
    look.logits.assign(core::kSixLogits.begin(), core::kSixLogits.end());
    look.part = core::SoftmaxPart::Row;
    look.times = times;
    look.temperature = 1;
    return checkedLook(
        state, std::move(look),
        {SoftmaxEditText::tr("Softmax of six numbers × %1").arg(fullText(times)), {}, {}});
}

core::Result<Change> setOwnLogit(const DocumentState &state, std::size_t index, float logit) {
    core::SoftmaxLook look = state.softmax;
    if (index >= look.logits.size())
        return noSuchNumber();
    const EditText words{SoftmaxEditText::tr("Softmax, logit %1").arg(index + 1),
                         fullText(look.logits[index]), fullText(logit)};
    look.logits[index] = logit;
    return checkedLook(state, std::move(look), words);
}

core::Result<Change> addOwnLogit(const DocumentState &state) {
    core::SoftmaxLook look = state.softmax;
    look.logits.push_back(0);
    return checkedLook(state, std::move(look),
                       {SoftmaxEditText::tr("Softmax: add a number"), {}, {}});
}

core::Result<Change> removeOwnLogit(const DocumentState &state, std::size_t index) {
    core::SoftmaxLook look = state.softmax;
    if (index >= look.logits.size())
        return noSuchNumber();
    if (look.logits.size() == 1)
        return core::Error{"softmax needs at least one number", "", ""};
    look.logits.erase(look.logits.begin() + static_cast<std::ptrdiff_t>(index));
    return checkedLook(state, std::move(look),
                       {SoftmaxEditText::tr("Softmax: remove a number"), {}, {}});
}

core::Result<Change> setOwnTimes(const DocumentState &state, float times) {
    core::SoftmaxLook look = state.softmax;
    const EditText words{SoftmaxEditText::tr("Softmax, factor of all numbers"),
                         fullText(look.times), fullText(times)};
    look.times = times;
    return checkedLook(state, std::move(look), words);
}

core::Result<Change> setOwnTemperature(const DocumentState &state, float temperature) {
    core::SoftmaxLook look = state.softmax;
    const EditText words{SoftmaxEditText::tr("Softmax, temperature of custom logits"),
                         fullText(look.temperature), fullText(temperature)};
    look.temperature = temperature;
    return checkedLook(state, std::move(look), words);
}

core::Result<Change> showSoftmaxPart(const DocumentState &state, core::SoftmaxPart part) {
    core::SoftmaxLook look = state.softmax;
    look.part = part;
    return checkedLook(state, std::move(look),
                       {part == core::SoftmaxPart::Row
                            ? SoftmaxEditText::tr("Softmax of a row")
                            : SoftmaxEditText::tr("Spread of dot products"),
                        {},
                        {}});
}

core::Result<Change> setDrawnHeadSize(const DocumentState &state, core::Index headSize) {
    core::SoftmaxLook look = state.softmax;
    const EditText words{SoftmaxEditText::tr("Components of random vectors"),
                         QString::number(look.headSize), QString::number(headSize)};
    look.headSize = headSize;
    look.part = core::SoftmaxPart::Spread;
    return checkedLook(state, std::move(look), words);
}

core::Result<Change> drawAgain(const DocumentState &state) {
    core::SoftmaxLook look = state.softmax;
    const EditText words{SoftmaxEditText::tr("Seed of random vectors"), QString::number(look.seed),
                         QString::number(look.seed + 1)};
    ++look.seed;
    look.part = core::SoftmaxPart::Spread;
    return checkedLook(state, std::move(look), words);
}

} // namespace headlight::ui::edits
