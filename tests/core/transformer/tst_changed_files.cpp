// A model's file is truncated, written, replaced or deleted while it is open. The next pass reports
// this, and results never mix the numbers of two files.
#include "core_test.h"
#include "random_transformers.h"
#include "stored_parameters.h"

#include "core/explain/numpy_script.h"
#include "core/formats/files/file_stamp.h"
#include "core/formats/session/data/session.h"
#include "core/transformer/model/number_sources.h"

#include <chrono>

namespace fs = std::filesystem;

namespace {

/// A model with the query matrix of its second layer in a file.
struct OpenModel {
    explicit OpenModel(const char *folder) : storage(random, freshFolder(folder)) {
        model = drawnDecoder(random, languageConfig(8, 4, 8));
        model.parameters.outputLayer.output = nullptr; // tied to the embeddings
        Parameter &query = model.parameters.main.layers[1].selfAttention.query;
        query = storage.store(*query->toMatrix(), NumberType::F32, Lies::InFile, 0, 0);
        path = storage.files().back();
        // Sets the time back by a second, so that later writes get a different time even on coarse
        // clocks.
        fs::last_write_time(path, fs::last_write_time(path) - std::chrono::seconds(1));
        reopen();
        trace = *forward(model, input);
    }

    void reopen() {
        const auto file = openNumberFile(path.string());
        REQUIRE(file.ok());
        const auto numbers = valueOf(numbersIn(*file, 4, (*file)->file.size - 4));
        Parameter &query = model.parameters.main.layers[1].selfAttention.query;
        query = *ParameterMatrix::create(numbers, query->layout());
    }

    /// Checks that a pass fails with this message, even if the previous trace has all stages.
    void checkRefused(const std::string &what) const {
        for (const TracePointer &before : {TracePointer(), trace}) {
            const auto pass = forward(model, input, before);
            REQUIRE_FALSE(pass.ok());
            CHECK(isChangedFile(pass.error()));
            CHECK(pass.error().what.text().find(what) != std::string::npos);
            CHECK(pass.error().where == path.string());
            CHECK_FALSE(pass.error().remedy.empty());
        }
    }

    Random random{9};
    StoredParameters storage;
    Model model;
    Input input = inputOf({"w1 w2 w3 w4"});
    fs::path path;
    TracePointer trace;
};

/// Storage that changes the model's file when it is read, in the middle of a pass.
class Meddling final : public NumberStorage {
  public:
    Meddling(const Matrix &numbers, std::function<void()> act)
        : m_numbers(
              storageOf(std::vector<float>(numbers.values().begin(), numbers.values().end()))),
          m_act(std::move(act)) {}
    std::uint64_t size() const override { return m_numbers->size(); }
    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        m_act();
        return m_numbers->read(offset, to);
    }

  private:
    StoragePointer m_numbers;
    std::function<void()> m_act;
};

void meddle(OpenModel &open, std::function<void()> act) {
    Parameter &first = open.model.parameters.main.layers[0].selfAttention.query;
    const Matrix numbers = *first->toMatrix();
    first = *ParameterMatrix::create(
        std::make_shared<const Meddling>(numbers, std::move(act)),
        {NumberType::F32, numbers.rows(), numbers.columns(), 0, numbers.columns(), 1});
}

} // namespace

TEST_CASE("truncating a file before a pass makes the pass fail") {
    const OpenModel open("cut_before");
    fs::resize_file(open.path, 20);
    open.checkRefused("truncated");
}

TEST_CASE("truncating a file during a pass makes the pass fail, without a signal or NaN") {
    OpenModel open("cut_within");
    bool isCut = false;
    meddle(open, [&] {
        isCut = true;
        fs::resize_file(open.path, 20);
    });
    const auto pass = forward(open.model, open.input);
    CHECK(isCut);
    REQUIRE_FALSE(pass.ok());
    CHECK(isChangedFile(pass.error()));
    CHECK(pass.error().what.text().find("layers.1.self_attention.query") != std::string::npos);
    CHECK(pass.error().where == open.path.string());
}

TEST_CASE("numbers that are written during a pass are not taken for the model's") {
    OpenModel open("written_within");
    const std::string whole = contentOf(open.path);
    meddle(open, [&] { put(open.path, std::string(whole.size(), 'x')); });
    const auto pass = forward(open.model, open.input);
    REQUIRE_FALSE(pass.ok());
    CHECK(isChangedFile(pass.error()));
}

TEST_CASE("a rewritten file is reported, even with the same numbers") {
    const OpenModel open("written");
    put(open.path, contentOf(open.path));
    open.checkRefused("changed");
    const Parameter &query = open.model.parameters.main.layers[1].selfAttention.query;
    CHECK_FALSE(query->number(0, 0)); // the other file's number is not shown
    CHECK_FALSE(query->read(query->whole()).ok());
}

TEST_CASE("another file under the same name is reported, and the open one can still be read") {
    const OpenModel open("replaced");
    const fs::path other = open.path.parent_path() / "other";
    put(other, contentOf(open.path));
    fs::rename(other, open.path);
    open.checkRefused("replaced");
    const Parameter &query = open.model.parameters.main.layers[1].selfAttention.query;
    CHECK(query->number(0, 0));
}

TEST_CASE("a deleted or moved file is reported, and works again once it is back") {
    const OpenModel open("gone");
    const fs::path away = open.path.parent_path() / "away";
    fs::rename(open.path, away);
    open.checkRefused("deleted or moved");
    fs::rename(away, open.path);
    CHECK(forward(open.model, open.input, open.trace).ok());
}

TEST_CASE("a script is not copied with numbers that cannot be read") {
    const OpenModel open("script");
    Selection query;
    query.stage = Stage::Query;
    query.layer = 1;
    query.query = query.dimension = 0;
    REQUIRE(numpyScript(*open.trace, query).ok());
    fs::resize_file(open.path, 20);
    const auto script = numpyScript(*open.trace, query);
    REQUIRE_FALSE(script.ok());
    CHECK(isChangedFile(script.error()));
}

TEST_CASE("the user's edits are saved in a session, even if the file can no longer be read") {
    const OpenModel open("edited");
    Session base;
    base.model = open.model;
    base.input = open.input;
    Model edited = open.model;
    Parameter &query = edited.parameters.main.layers[1].selfAttention.query;
    query = withCells(query, {{2, 3, 0.5f}});
    fs::resize_file(open.path, 20);
    const StatePatch patch = differenceOf(base, edited, open.input);
    REQUIRE(patch.parameters.size() == 1);
    CHECK(patch.parameters[0].whole == nullptr);
    REQUIRE(patch.parameters[0].cells.size() == 1);
    CHECK(patch.parameters[0].cells[0].value == 0.5f);
}
