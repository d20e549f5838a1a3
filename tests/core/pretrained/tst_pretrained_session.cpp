// Sessions of a model folder store the folder's name and the user's changes.
#include "core/formats/session/pretrained_session.h"
#include "core/formats/session/writing/writer.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "pretrained/small_folder.h"

namespace {

Session openedSession(const std::string &folder) {
    return valueOf(sessionOfFolder(folder));
}

/// Returns the session with one changed cell of the query matrix and another text.
Session edited(const Session &session) {
    auto changed = valueOf(withText(session, "3 1 4"));
    Parameter &query = changed.model.parameters.main.layers[0].selfAttention.query;
    query = withCells(query, {{1, 2, 0.25f}});
    return changed;
}

std::string saved(Session session, const Session &now, const std::filesystem::path &where) {
    session.json = withModelFrom(session, where.string());
    return writeSession(session, {0, differenceOf(session, now.model, now.input), {}, {}});
}

} // namespace

TEST_CASE("a saved session finds its folder and has the edits") {
    const auto root = freshFolder("saved");
    const auto folder = root / "models" / "small";
    std::filesystem::create_directories(folder);
    putFolder(folder, smallConfig(), smallTensors());
    const Session session = openedSession(folder.string() + "/");
    CHECK(session.title == "small");
    CHECK(session.input.batch->length() ==
          5); // the first ids of the vocabulary, since there is no tokenizer
    const Session now = edited(session);
    put(root / "kept.headlight", saved(session, now, root));
    CHECK(contentOf(root / "kept.headlight").find("\"folder\": \"models/small\"") !=
          std::string::npos);

    const auto again = valueOf(readSessionFile((root / "kept.headlight").string()));
    CHECK(again.warnings.empty());
    REQUIRE(again.pretrained);
    CHECK(again.pretrained->hash == session.pretrained->hash);
    REQUIRE(again.now);
    const auto state = valueOf(patched(again, again.now->set));
    const Parameter &query = state.model.parameters.main.layers[0].selfAttention.query;
    CHECK((*query)(1, 2) == 0.25f);
    CHECK(query->edits().size() == 1);
    CHECK((*state.input.batch)[0].text == "3 1 4");
    CHECK(traceOf(*again.pretrained, state.input)->batch().length() == 3);
}

TEST_CASE("a missing folder, or one with another model, is reported") {
    const auto root = freshFolder("gone");
    const auto folder = root / "small";
    std::filesystem::create_directories(folder);
    putFolder(folder, smallConfig(), smallTensors());
    const Session session = openedSession(folder.string());
    put(root / "kept.headlight", saved(session, session, root));
    auto tensors = smallTensors();
    std::swap(tensors[0], tensors[1]); // changes their offsets in the file
    putFolder(folder, smallConfig(), tensors);
    const auto other = valueOf(readSessionFile((root / "kept.headlight").string()));
    REQUIRE(other.warnings.size() == 1);
    CHECK(other.warnings[0].where == "pretrained.hash");
    std::filesystem::remove_all(folder);
    const auto gone = readSessionFile((root / "kept.headlight").string());
    REQUIRE(!gone.ok());
    CHECK(gone.error().where.ends_with("kept.headlight: pretrained.folder"));
    const std::string said = gone.error().text();
    CAPTURE(said);
    CHECK(said.find(folder.string()) != std::string::npos); // names the missing folder
    CHECK(said.find("which is not there") != std::string::npos);
    CHECK(said.find("put the model's folder there") != std::string::npos); // explains how to fix it
}

TEST_CASE("a text is read by the folder's tokenizer, even if it replaces another text") {
    const auto folder = trainedModel("stories260k");
    if (folder.empty())
        return;
    const auto changed = valueOf(withText(openedSession(folder.string()), "Lily was happy"));
    const Sequence &sequence = (*changed.input.batch)[0];
    CHECK(sequence[0].text == "<s>");
    CHECK(!sequence[0].span);
    CHECK(sequence.text == "Lily was happy");
    CHECK(!sequence.isSplit);
    std::string read;
    for (const Token &token : sequence.tokens)
        if (token.span)
            read +=
                sequence.text.substr(static_cast<std::size_t>(token.span->begin),
                                     static_cast<std::size_t>(token.span->end - token.span->begin));
    CHECK(read == "Lily was happy");
}
