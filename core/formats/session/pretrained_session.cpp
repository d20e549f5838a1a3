#include "core/formats/session/pretrained_session.h"

#include "core/cancelled.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/text.h"
#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace headlight::core {

namespace {

namespace fs = std::filesystem;

fs::path absoluteOf(const std::string &path) {
    std::error_code ignored;
    const fs::path whole = fs::absolute(path, ignored).lexically_normal();
    return ignored ? fs::path(path) : whole;
}

std::string modelReference(const PretrainedFolder &pretrained, const std::string &path) {
    ModelReference reference{asUtf8(path), pretrained.hash};
    if (pretrained.expression)
        reference.expression = asUtf8(*pretrained.expression);
    reference.tower = pretrained.tower.value_or(Tower::Texts);
    return written(reference);
}

std::string documentOf(const Session &session) {
    std::vector<JsonMemberText> members{{"headlight", "2"}};
    std::ranges::copy(writtenMembers<SessionHeader>(session), std::back_inserter(members));
    members.push_back(
        {"pretrained",
         modelReference(*session.pretrained, absoluteOf(session.pretrained->path).string())});
    members.push_back({"batch", textOf(*session.input.batch, session.minimumLength)});
    if (session.input.source)
        members.push_back({"source", textOf(*session.input.source, session.sourceMinimumLength)});
    members.push_back({"masks", textOf(session.input.masks)});
    if (session.model.hasEncoder())
        members.push_back({"encoder_masks", textOf(session.input.encoderMasks)});
    if (session.model.hasCrossAttention())
        members.push_back({"cross_masks", textOf(session.input.crossMasks)});
    if (session.view.view)
        members.push_back({"view", jsonObject({{"view", jsonText(*session.view.view)},
                                               {"query", std::to_string(*session.view.query)}})});
    return jsonObject(members, "\n  ") + "\n";
}

} // namespace

Result<Session> sessionOfFolder(const std::string &given, std::stop_token stop,
                                std::optional<std::string> expression, Tower tower) {
    const std::string path =
        given.substr(0, std::max<std::size_t>(1, given.find_last_not_of('/') + 1));
    Result<PretrainedPointer> folder = readPretrained(path, stop, std::move(expression), tower);
    if (!folder)
        return folder.error();
    Session session;
    const fs::path whole = absoluteOf(path);
    session.title = asUtf8((isNoFolder(path) ? whole.stem() : whole.filename()).string());
    session.model = (*folder)->model;
    session.pretrained = *folder;
    session.warnings = (*folder)->warnings;
    if ((*folder)->tower)
        session.warnings.push_back(
            {(*folder)->tower == Tower::Texts
                 ? Message(
                       "it has a model of texts and one of pictures; this is the model of texts, "
                       "and a picture opens the other")
                 : Message("it has a model of texts and one of pictures; this is the model "
                           "of pictures"),
             path, "", ""});
    Result<Computable> first = firstComputable(**folder, std::move(stop));
    if (!first && isCancelled(first.error()))
        return first.error();
    if (!first)
        return Error{first.error().what,
                     first.error().where.empty() ? path : path + ": " + first.error().where,
                     first.error().remedy};
    session.input = first->input();
    session.computable = *std::move(first);
    if (session.model.config.picture.isOn()) { // first shows the attention of [CLS]
        session.view.view = std::string(idOf(View::Text));
        session.view.query = 0;
    }
    session.json = documentOf(session);
    return session;
}

std::string withModelFrom(const Session &session, const std::string &folder) {
    const fs::path path = absoluteOf(session.pretrained->path);
    std::string named =
        folder.empty() ? std::string() : path.lexically_relative(absoluteOf(folder)).string();
    if (named.empty())
        named = path.string();
    return spliced(session.json, {{"pretrained", modelReference(*session.pretrained, named)}});
}

} // namespace headlight::core
