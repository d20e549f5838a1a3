#include "app/commands.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/analysis/cosine_similarity.h"
#include "core/analysis/sentence_vector.h"
#include "core/cancelled.h"
#include "core/format_number.h"
#include "core/formats/fields/words.h"
#include "core/formats/json/text.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "core/transformer/run/forward.h"
#include "ui/text/file_path.h"

namespace headlight::app {

namespace {

using Vector = std::vector<float>;

struct TextVector {
    Vector numbers;
    core::Index tokens = 0;
};

core::Result<core::SentencePooling> poolingOf(const core::PretrainedFolder &folder) {
    if (folder.sentence)
        return *folder.sentence;
    return core::Error{"it is not a folder of sentence-transformers", folder.path,
                       "it should have modules.json"};
}

core::Result<TextVector> vectorOf(const core::PretrainedFolder &folder,
                                  const core::SentencePooling &pooling, const QString &text,
                                  const std::stop_token &stop) {
    auto tokens = core::tokenized(folder.model, core::Stack::Main, text.toStdString(), stop);
    if (!tokens)
        return tokens.error();
    const auto count = static_cast<core::Index>(tokens->tokens.size());
    if (pooling.longest && count > *pooling.longest)
        return core::Error{{"a text has %1 tokens, and sentence-transformers cuts it after %2",
                            count, *pooling.longest},
                           folder.path,
                           "use a shorter text"};
    auto input = core::inputOf(folder, *std::move(tokens));
    if (!input)
        return input.error();
    auto computable = core::Computable::of(folder.model, *std::move(input));
    if (!computable)
        return computable.error();
    const auto trace = core::forward(*computable, nullptr, stop);
    if (!trace)
        return trace.error();
    return TextVector{core::sentenceVector(**trace, 0, pooling), count};
}

std::string number(double value) {
    return core::jsonNumber(static_cast<float>(value));
}

std::string jsonOf(const core::Cosine &cosine, const core::SentencePooling &pooling,
                   const TextVector &first, const TextVector &second) {
    return core::jsonObject(
               {{"cosine", cosine.isDefined ? number(cosine.value) : "null"},
                {"product", number(cosine.product)},
                {"lengths",
                 core::jsonArray({number(cosine.firstLength), number(cosine.secondLength)})},
                {"pooling", core::jsonText(core::wordFor(pooling.pooling))},
                {"unit", pooling.isUnit ? "true" : "false"},
                {"dimensions", std::to_string(first.numbers.size())},
                {"tokens",
                 core::jsonArray({std::to_string(first.tokens), std::to_string(second.tokens)})}}) +
           '\n';
}

} // namespace

int runCosine(const Arguments &arguments, std::stop_token stop) {
    const auto failed = [](const core::Error &error) {
        return core::isCancelled(error) ? kInterrupted : fail(error);
    };
    const auto folder = core::readPretrained(ui::bytesOf(arguments.request.source), stop);
    if (!folder)
        return failed(folder.error());
    const auto pooling = poolingOf(**folder);
    if (!pooling)
        return failed(pooling.error());
    const auto first = vectorOf(**folder, *pooling, *arguments.text, stop);
    if (!first)
        return failed(first.error());
    const auto second = vectorOf(**folder, *pooling, *arguments.pair, stop);
    if (!second)
        return failed(second.error());
    const core::Cosine cosine = core::cosineOf(first->numbers, second->numbers);
    const std::string text =
        cosine.isDefined ? number(cosine.value)
                         : Words::tr("undefined, because a vector has length 0").toStdString();
    return writeOutput(
        "-", arguments.json ? jsonOf(cosine, *pooling, *first, *second) : text + '\n', stop);
}

} // namespace headlight::app
