#include "tests/ui/document/lesson_tries/try.h"

#include "core/lesson/step_condition.h"
#include "tests/support/opened.h"

#include <algorithm>

namespace headlight::test {

Act inTurn(std::vector<Act> acts) {
    return [acts = std::move(acts)](ui::Document &document) {
        for (const Act &act : acts) {
            act(document);
            if (!settled(document))
                qFatal("it is not computed");
        }
    };
}

Promise holds(const char *conditions) {
    return [conditions](const ui::Document &after, const core::Trace &) {
        const core::Result<bool> result =
            core::conditionHolds(conditions, *after.trace(), after.selection().attention());
        if (!result)
            qWarning("%s", result.error().text().c_str());
        return result && *result;
    };
}

Promise unchanged(std::vector<core::Stage> stages) {
    return [stages = std::move(stages)](const ui::Document &after, const core::Trace &before) {
        return std::ranges::all_of(stages, [&](core::Stage stage) {
            const core::AttentionId attention = after.selection().attention();
            const core::Tensor a = before.stage(stage, attention),
                               b = after.trace()->stage(stage, attention);
            return a.shape() == b.shape() && a.values() == b.values();
        });
    };
}

Promise both(Promise a, Promise b) {
    return
        [a = std::move(a), b = std::move(b)](const ui::Document &after, const core::Trace &before) {
            return a(after, before) && b(after, before);
        };
}

} // namespace headlight::test
