#include "app/silencing.h"

#include "app/standard_streams.h"
#include "app/words.h"
#include "core/analysis/named_word.h"

namespace headlight::app {

namespace {

void showProgress(core::Index made, core::Index all) {
    if (!isTerminal())
        return;
    const QString line = Words::tr("head %1 of %2").arg(made + 1).arg(all);
    sayOnTerminal("\r\x1b[K" + line.toStdString());
}

} // namespace

core::Result<core::Index> tokenNamed(const core::Model &model, const std::string &name) {
    if (const core::Vocabulary *const words = model.vocabularyOf(model.mainStack()))
        if (const std::optional<core::Index> id = core::wordNamed(*words, name))
            return *id;
    return errorOf(Words::tr("the model has no token '%1'").arg(QString::fromStdString(name)),
                   "--token", Words::tr("use a whole token of the vocabulary"));
}

core::Result<std::shared_ptr<const core::AblatedHeads>>
ablatedHeads(core::ComputedHeads &computed, const core::Computable &computable,
             const core::TracePointer &trace, const core::AblationTarget &target,
             const std::stop_token &stop) {
    core::Result<std::shared_ptr<const core::AblatedHeads>> heads =
        computed.effects(computable, trace, target, stop, showProgress);
    if (isTerminal())
        sayOnTerminal("\r\x1b[K");
    return heads;
}

} // namespace headlight::app
