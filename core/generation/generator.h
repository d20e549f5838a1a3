// Text, token by token: what a causal language model, or an encoder-decoder's decoder, writes on.
#pragma once

#include "core/analysis/top_tokens.h"
#include "core/generation/choose_token.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

struct GenerationOptions {
    Index sequence = 0; ///< of the batch: the text that is continued
    Index maximum = 20; ///< tokens
    Sampling sampling{};
    /// The token after which nothing more is generated, such as that of endTokenOf(); none: only
    /// the maximum ends it.
    std::optional<Index> end{};
    std::size_t likeliest = 0; ///< how many of the most probable words come with each token
};

struct GeneratedToken {
    Index id = 0;
    std::string text;      ///< its word in the vocabulary
    float probability = 0; ///< the model's own, whatever temperature and top-k are
    float chance = 1;      ///< with which it was drawn
    bool isEnd = false;
    std::vector<TopToken> likeliest; ///< as many as were asked for
};

/// Appends tokens to one sequence of an input, each as it is asked for.
///
/// Every token is read by forward() with the trace before it, of which only keys, values and what
/// the output layer reads are kept. Where no query sees what comes after it (causal masks before
/// softmax, −∞ for hidden scores) that is one row a step; an encoder and the keys that are made of
/// its output are made once. Other models give the same tokens as well, from a whole pass for each.
/// The tokens are those that passes from scratch would give, to the last bit.
///
/// The sequence is continued as if it were alone in its batch, so batch norm normalises it by
/// itself. Its padding is left out, [PAD] is never chosen, and a new token has the last one's token
/// type.
class Generator {
  public:
    /// `before`: a trace of the same text, whose keys and values are taken over; may be null.
    /// Errors: a model that does not predict the next word, a sequence that does not exist or has
    /// vectors of its own, options that mean nothing, and those of fits().
    static Result<Generator> create(Model model, const Input &input, GenerationOptions options,
                                    TracePointer before = nullptr);

    /// The next token; none after the end token, or after as many as there may be. "cancelled" once
    /// `stop` is requested, which is looked at every few milliseconds: asked again, it is the same
    /// token. Other errors: as forward(), where the text has become too long for the model.
    Result<std::optional<GeneratedToken>> next(std::stop_token stop = {});

    /// The text so far, alone in its batch.
    const Input &input() const { return m_input; }
    /// Of the tokens that are generated.
    const VocabularyPointer &vocabulary() const { return m_model.vocabulary; }
    /// How many tokens were generated.
    Index count() const { return m_count; }
    /// What was kept of the last pass; null before the first token.
    const TracePointer &trace() const { return m_trace; }
    /// How many numbers the last token took to make, but for scores and weights.
    Index numbersMade() const { return m_numbersMade; }

  private:
    Generator(Model model, Input input, GenerationOptions options, TracePointer before);

    Model m_model;
    Input m_input;
    GenerationOptions m_options;
    TracePointer m_trace;
    std::vector<StageId> m_kept;
    Index m_count = 0;
    Index m_numbersMade = 0;
    bool m_hasEnded = false;
};

} // namespace headlight::core
