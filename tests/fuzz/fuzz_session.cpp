// Reads arbitrary bytes as a session. Expects an error with a message, or a session that is the
// same after writing and reading. Also writes and reads `new` sessions of its model.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/text.h"
#include "core/formats/session/writing/writer.h"
#include "tests/fuzz/hold.h"

using namespace headlight::core;

namespace {

bool same(const std::vector<JsonMemberText> &a, const std::vector<JsonMemberText> &b) {
    return jsonObject(a) == jsonObject(b);
}

void writtenAndRead(const Session &session) {
    SavedState now = session.now.value_or(SavedState());
    // A view that does not fit is dropped, so it is not written either.
    if (session.warnings.empty())
        hold(writeSession(session, now) == session.json);
    now.set.temperature = 3.25f;
    now.show.head = 0;
    const std::string written = writeSession(session, now);
    const auto again = readSession(written);
    // A temperature may make a step's own state invalid, but nothing else may.
    hold(again.ok() && again->now);
    hold(same(membersOf(again->now->set), membersOf(now.set)));
    hold(same(writtenMembers(again->now->show), writtenMembers(now.show)));
    hold(again->now->birth == now.birth);
    hold((now.training ? headlight::core::written(*now.training) : "") ==
         (again->now->training ? headlight::core::written(*again->now->training) : ""));
    hold(writeSession(*again, now) == written);
    hold(readSession(writeSession(*again, {})).ok());
}

/// True if writing the model is fast. A small file can describe a model that takes minutes to
/// write.
bool isSmall(const Model &model) {
    Index numbers = 0;
    for (const ParameterId &id : allParameters(model.parameters))
        if (const Parameter &parameter = parameterOf(model.parameters, id))
            numbers += parameter->rows() * parameter->columns();
    return numbers < 20000;
}

void writtenAsNew(const Session &session) {
    if (!isSmall(session.model))
        return;
    const auto written = [](const Session &of) {
        return writeNewSession(of, of.model, of.input, of.minimumLength, of.view,
                               of.sourceMinimumLength, of.training.get());
    };
    const std::string first = written(session);
    const auto again = readSession(first);
    hold(again.ok());
    hold((again->training != nullptr) == (session.training != nullptr));
    hold(written(*again) == first);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto session = readSession({reinterpret_cast<const char *>(data), size});
    if (!session) {
        hold(!session.error().what.empty());
        hold(session.error().text().find('\n') == std::string::npos);
        return 0;
    }
    writtenAndRead(*session);
    writtenAsNew(*session);
    return 0;
}
