// Generates text token by token with a causal language model or the decoder of an encoder-decoder
// model.
#pragma once

#include "core/analysis/top_tokens.h"
#include "core/generation/choose_token.h"
#include "core/generation/written_text.h"
#include "core/transformer/plan/computable.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

struct GenerationOptions {
    Index sequence = 0; ///< sequence of the batch to continue
    Index maximum = 20; ///< maximum number of tokens
    Sampling sampling{};
    /// The token that ends generation, such as endTokenOf(). None: generation ends only at the
    /// maximum.
    std::optional<Index> end{};
    std::size_t likeliest = 0; ///< number of most probable tokens to return with each token
};

struct GeneratedToken {
    Index id = 0;
    std::string text;      ///< the token's text in the vocabulary
    float probability = 0; ///< the model's probability, regardless of temperature and top-k
    float chance = 1;      ///< probability with which it was drawn
    bool isEnd = false;
    std::vector<TopToken> likeliest; ///< most probable tokens, see GenerationOptions::likeliest
};

/// Appends tokens to one sequence of an input, one per call.
///
/// Each token takes a forward() pass that reuses the keys, values and output layer input of the
/// previous trace. If no query sees later tokens (causal masks before softmax, −∞ for hidden
/// scores), a step computes only one row; the encoder and the keys from its output are computed
/// once. Other models need a full pass for each token. In all cases, the tokens are exactly the
/// same as with full passes.
///
/// The sequence is continued as if it were alone in its batch, so batch norm uses only its own
/// statistics. Its padding is removed, [PAD] is never chosen, and a new token gets the last token's
/// token type.
class Generator {
  public:
    /// `before`: a trace of the same text, to reuse its keys and values; may be null. Errors: the
    /// model does not predict the next token, the sequence does not exist or has its own
    /// embeddings, invalid options.
    static Result<Generator> create(const Computable &begun, GenerationOptions options,
                                    TracePointer before = nullptr);

    /// Generates the next token. Returns no value after the end token or the maximum number of
    /// tokens. Returns "cancelled" after `stop` is requested, which is checked every few
    /// milliseconds; the next call then generates the same token. Other errors: those of forward();
    /// the text is too long for the model.
    Result<std::optional<GeneratedToken>> next(std::stop_token stop = {});

    /// Appends a token that the caller has chosen. It does not count as generated.
    void append(Index id);

    /// True if the model has a tokenizer, so that its tokens may be pieces of words.
    bool readsText() const { return m_model.reader != nullptr; }
    /// Returns a stream of the text of all tokens from now on.
    WrittenText writtenText() const { return {m_model, *m_input.batch}; }
    /// Returns the text so far, as a batch of one sequence.
    const Input &input() const { return m_input; }
    /// Returns the vocabulary of the generated tokens.
    const VocabularyPointer &vocabulary() const { return m_model.vocabulary; }
    /// Returns the number of generated tokens.
    Index count() const { return m_count; }
    /// Returns the reusable stages of the last pass; null before the first token.
    const TracePointer &trace() const { return m_trace; }
    /// Returns the number of values computed for the last token, except scores and weights.
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
