// What a pretrained model reads, made of a person's text.
#include "core/formats/pretrained/pretrained_folder.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// A sentence in which attention has something to find: what is "it"?
constexpr std::string_view kFirstText =
    "The animal did not cross the street because it was too tired.";
constexpr Index kFirstIds = 8;

Result<Input> inputOfText(const PretrainedFolder &folder, std::string_view text,
                          const std::stop_token &stop) {
    const Model &model = folder.model;
    if (!model.hasEncoder()) {
        auto tokens = tokenized(folder, Stack::Only, text, stop);
        return tokens ? inputOf(folder, *std::move(tokens)) : Result<Input>(tokens.error());
    }
    auto source = tokenized(folder, Stack::Encoder, text, stop);
    if (!source)
        return source.error();
    auto target = tokenized(folder, Stack::Decoder, "", stop);
    if (!target)
        return target.error();
    return inputOf(folder, *std::move(target), *std::move(source));
}

/// The first words of a vocabulary, as many as there are.
TokenizedText firstTokens(const Model &model, Stack stack, Index most) {
    const Vocabulary *vocabulary = model.vocabularyOf(stack);
    TokenizedText text;
    for (Index id = 0; vocabulary && id < std::min(most, vocabulary->size()); ++id)
        text.tokens.push_back(vocabulary->token(id));
    return text;
}

} // namespace

Result<TokenizedText> tokenized(const PretrainedFolder &folder, Stack stack, std::string_view text,
                                std::stop_token stop) {
    const Tokenizer *tokenizer = folder.tokenizerOf(stack);
    if (!tokenizer)
        return Error{"the folder has no tokenizer", folder.path, "give the ids of its tokens"};
    const Vocabulary &vocabulary = *folder.model.vocabularyOf(stack);
    const bool isDecoder = stack == Stack::Decoder;
    Result<std::vector<Token>> tokens =
        tokenizer->encode(text, isDecoder ? SpecialTokens::LeftOut : SpecialTokens::Added, stop);
    if (!tokens)
        return tokens.error();
    TokenizedText made{{}, std::string(text), false};
    if (isDecoder && folder.decoderStart && *folder.decoderStart < vocabulary.size())
        made.tokens.push_back(vocabulary.token(*folder.decoderStart));
    for (Token &token : *tokens) {
        const Index id = token.id.value_or(0);
        if (id >= vocabulary.size())
            return Error{
                {"its tokenizer makes the token %1, and the model has %2", id, vocabulary.size()},
                folder.path,
                "look whether the tokenizer belongs to this model"};
        Token known = vocabulary.token(id);
        known.span = token.span;
        made.tokens.push_back(std::move(known));
    }
    return made;
}

Result<Input> inputOf(const PretrainedFolder &folder, TokenizedText text,
                      std::optional<TokenizedText> source) {
    Input input;
    Result<BatchPointer> batch = Batch::create({std::move(text)});
    if (!batch)
        return batch.error();
    input.batch = *std::move(batch);
    if (source) {
        Result<BatchPointer> second = Batch::create({*std::move(source)});
        if (!second)
            return second.error();
        input.source = *std::move(second);
    }
    input.masks = folder.masks;
    input.encoderMasks = folder.encoderMasks;
    input.crossMasks = folder.crossMasks;
    return input;
}

Result<Input> firstInput(const PretrainedFolder &folder, std::stop_token stop) {
    const Model &model = folder.model;
    if (folder.tokenizer)
        if (auto input = inputOfText(folder, kFirstText, stop); input || isCancelled(input.error()))
            return input;
    if (!model.hasEncoder())
        return inputOf(folder, firstTokens(model, Stack::Only, kFirstIds));
    TokenizedText target = firstTokens(model, Stack::Decoder, 1);
    if (const Vocabulary *words = model.vocabularyOf(Stack::Decoder);
        words && folder.decoderStart && *folder.decoderStart < words->size())
        target.tokens = {words->token(*folder.decoderStart)};
    return inputOf(folder, std::move(target), firstTokens(model, Stack::Encoder, kFirstIds));
}

} // namespace headlight::core
