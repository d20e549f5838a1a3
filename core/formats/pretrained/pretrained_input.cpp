// Builds the input of a pretrained model from the user's text.
#include "core/formats/pretrained/pretrained_folder.h"

#include "core/cancelled.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// A sentence that a model understands only if its attention resolves "it".
constexpr std::string_view kFirstText =
    "The animal did not cross the street because it was too tired.";
constexpr Index kFirstIds = 8;

Result<Input> inputOfText(const PretrainedFolder &folder, std::string_view text,
                          const std::stop_token &stop) {
    const Model &model = folder.model;
    if (!model.hasEncoder()) {
        auto tokens = tokenized(model, Stack::Main, text, stop);
        return tokens ? inputOf(folder, *std::move(tokens)) : Result<Input>(tokens.error());
    }
    auto source = tokenized(model, Stack::Encoder, text, stop);
    if (!source)
        return source.error();
    auto target = tokenized(model, Stack::Decoder, "", stop);
    if (!target)
        return target.error();
    return inputOf(folder, *std::move(target), *std::move(source));
}

/// Returns the first words of the vocabulary, at most `most`.
TokenizedText firstTokens(const Model &model, Stack stack, Index most) {
    const Vocabulary *vocabulary = model.vocabularyOf(stack);
    TokenizedText text;
    for (Index id = 0; vocabulary && id < std::min(most, vocabulary->size()); ++id)
        text.tokens.push_back(vocabulary->token(id));
    return text;
}

/// Returns the start of every decoder text, or the vocabulary's first word if the model has none.
TokenizedText startOfDecoder(const PretrainedFolder &folder) {
    TokenizedText target = firstTokens(folder.model, Stack::Decoder, 1);
    if (const Vocabulary *words = folder.model.vocabularyOf(Stack::Decoder);
        words && !folder.decoderStart.empty() && folder.decoderStart.front() < words->size()) {
        target.tokens.clear();
        for (const Index id : folder.decoderStart)
            if (id < words->size())
                target.tokens.push_back(words->token(id));
    }
    return target;
}

/// Returns a built-in picture, built-in audio, or the first tokens of the vocabulary.
Result<Input> inputWithoutText(const PretrainedFolder &folder, const std::stop_token &stop) {
    const Model &model = folder.model;
    if (const PicturePatches &patches = model.config.picture; patches.isOn()) {
        const bool isResized =
            !folder.picture || folder.picture->resize != PicturePreparation::Resize::No;
        const Index size = isResized ? 2 * patches.side : patches.side;
        return inputOf(folder, firstPicture(size * patches.rows, size * patches.columns), stop);
    }
    if (folder.sound)
        return inputOf(folder, firstSound(), {}, stop);
    if (!model.hasEncoder())
        return inputOf(folder, firstTokens(model, Stack::Main, kFirstIds));
    return inputOf(folder, startOfDecoder(folder), firstTokens(model, Stack::Encoder, kFirstIds));
}

} // namespace

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

Result<Input> inputOf(const PretrainedFolder &folder, const Picture &picture,
                      const std::stop_token &stop) {
    const PicturePatches &patches = folder.model.config.picture;
    const Result<Picture> prepared =
        preparedPicture(picture, folder.picture.value_or(PicturePreparation{}), patches, stop);
    if (!prepared)
        return prepared.error();
    TokenizedText text;
    for (std::string &name : patchNames(patches))
        text.tokens.push_back({std::move(name), std::nullopt});
    if (folder.model.parameters.main.tokenTypes)
        for (Index token = 0; token < patches.tokens(); ++token)
            text.types.push_back(token < patches.before ? token + 1 : 0);
    Result<Input> input = inputOf(folder, std::move(text));
    if (input)
        input->batch =
            input->batch->withEmbeddings(0, makeParameter(patchEmbeddings(*prepared, patches)));
    return input;
}

Result<Input> inputOf(const PretrainedFolder &folder, const Sound &sound,
                      std::optional<TokenizedText> text, const std::stop_token &stop) try {
    const SoundPreparation preparation = folder.sound.value_or(SoundPreparation{});
    Matrix embeddings = soundEmbeddings(sound, preparation, stop);
    TokenizedText source;
    for (std::string &name : soundNames(preparation))
        source.tokens.push_back({std::move(name), std::nullopt});
    Result<Input> input =
        inputOf(folder, text ? *std::move(text) : startOfDecoder(folder), std::move(source));
    if (input)
        input->source = input->source->withEmbeddings(0, makeParameter(std::move(embeddings)));
    return input;
} catch (const Cancelled &) {
    return cancelled();
}

Result<Computable> firstComputable(const PretrainedFolder &folder, std::stop_token stop) {
    const Model &model = folder.model;
    if (model.reader && !model.config.picture.isOn() && !folder.sound) {
        Result<Input> read = inputOfText(folder, kFirstText, stop);
        if (!read && isCancelled(read.error()))
            return read.error();
        if (read)
            if (Result<Computable> computable = Computable::of(model, *std::move(read)); computable)
                return computable;
    }
    Result<Input> input = inputWithoutText(folder, stop);
    if (!input)
        return input.error();
    return Computable::of(model, *std::move(input));
}

} // namespace headlight::core
