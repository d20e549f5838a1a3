// Reads a model's parameters from the tensors of its files, based on tables of tensor names.
#pragma once

#include "core/formats/pretrained/family/tensor_source.h"
#include "core/formats/warning.h"
#include "core/operations/mask_layers.h"
#include "core/transformer/model/config.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/model/parameter_matrix.h"

#include <array>
#include <optional>
#include <set>
#include <span>

namespace headlight::core {

/// The model that a family reads from a folder. Its sizes determine the shapes of all tensors: see
/// parameter_table.h.
struct FamilyModel {
    Config config{};
    ModelParameters parameters{};      ///< filled from tables; `layers` must already have an
                                       ///< entry for each layer with its own tensors
    Index vocabulary = 0;              ///< V, the number of rows of the embeddings
    Index positions = 0;               ///< number of rows of learned positions
    Index encoderPositions = 0;        ///< as `positions`, for the encoder; 0: the same number
    Index tokenTypes = 0;              ///< number of rows of token types
    MaskLayers masks{};                ///< masks of the only stack or the decoder
    MaskLayers encoderMasks{};         ///< masks of the encoder, if there is a decoder
    MaskLayers crossMasks{};           ///< masks of the cross-attention
    std::vector<Index> decoderStart{}; ///< token ids at the start of every decoder text
    /// For Projection: the logarithm of the number that multiplies the cosine of a text and a
    /// picture (CLIP).
    std::optional<float> logitScale{};
};

/// Orientation of a weight matrix in the file.
enum class MatrixLayout {
    OutIn, ///< [out, in], as in torch.nn.Linear
    InOut, ///< [in, out], as in GPT-2's Conv1D; embeddings [V, E], positions [P, E], …
};

/// Parameters that are stored in one tensor, with their columns side by side, such as Q·K·V. Most
/// tensors have just one parameter.
struct FusedParameters {
    std::array<ParameterKind, 3> kinds{};
    std::size_t count = 1;
    // NOLINTNEXTLINE: a table row can be just the kind
    constexpr FusedParameters(ParameterKind one) : kinds{one} {}
    constexpr FusedParameters(ParameterKind a, ParameterKind b) : kinds{a, b}, count(2) {}
    constexpr FusedParameters(ParameterKind a, ParameterKind b, ParameterKind c)
        : kinds{a, b, c}, count(3) {}
};

/// Order of the rows of an [out, in] tensor of queries, keys or values, and of its bias.
enum class HeadRows {
    Joined, ///< head after head; in a fused tensor all queries, then all keys, then all values
    /// Fused by group: the group's queries, its key and its value, as in GPT-NeoX and Falcon.
    PerGroup,
    /// Rotary dimensions 2i and 2i + 1 form a pair, as in GPT-J. They are read as i and i +
    /// width/2, which does not change the scores. Layers that do not rotate keep their order.
    NeighbourPairs,
    // Latent attention (DeepSeek-V3). The rotated dimensions of a head's query are last in the
    // file, but first in the model. With RotatedLastPairs, they are stored like NeighbourPairs.
    RotatedLast,
    RotatedLastPairs,
    SharedKeyPairs, ///< fused: a short vector, then a shared key with NeighbourPairs
    KeyAndValue,    ///< fused: each head's own key and its value
};

struct TensorRow {
    /// Name with or without the family's prefix, because files have both. {} is the layer. {e} is
    /// the expert; the tensors of all experts become one parameter. Alternative names are separated
    /// by |. A norm's weight and bias may also be called gamma and beta.
    std::string_view name;
    FusedParameters parts;
    Stack stack = Stack::Main; ///< Encoder only in an encoder-decoder
    Block block = Block::SelfAttention;
    HeadRows heads = HeadRows::Joined;
};

// Abbreviations for the tables of encoder-decoders.
inline constexpr Stack kOfEncoder = Stack::Encoder;
inline constexpr Block kAcross = Block::CrossAttention;

/// The matrices or the biases of all experts in one tensor, as in GPT-OSS. A matrix is [N, in,
/// out]. As MXFP4 (tensor/mxfp4.h), it is NAME_blocks [N, out, in / 32, 16] and NAME_scales [N,
/// out, in / 32]. A bias is [N, out]. The columns of several parts are interleaved. In a matrix of
/// plain numbers they may be side by side instead, as in Llama 4.
struct StackedRow {
    std::string_view name; ///< as in TensorRow
    FusedParameters parts;
    bool areSideBySide = false;
};

enum class Presence { All, Optional };

class FamilyTensors {
  public:
    FamilyTensors(const TensorSource &source, std::string_view prefix);

    /// True if the files have a tensor with one of the names. `names` is written as in TensorRow,
    /// with the layer's number inserted.
    bool has(std::string_view names) const { return !find(names, false).empty(); }
    /// Returns null if there is no such tensor.
    const TensorInfo *tensor(std::string_view names) const;
    /// If a name in a table starts with `usual`, also accepts that name with `other` in place of
    /// `usual`.
    void alsoUnder(std::string_view usual, std::string_view other) {
        m_otherNames.emplace_back(usual, other);
    }
    /// Ignores the tensors whose names match the pattern (matchesGlob()), including the prefix, in
    /// addition to the family's patterns.
    void ignore(std::string pattern) { m_ignored.push_back(std::move(pattern)); }
    /// Adds 1 to all gains of norms that are read later, if the files store gains minus 1, as
    /// Gemma's folders do.
    void addOneToGains() { m_addsOneToGains = !m_source.hasPlainLayout(); }

    /// Reads every parameter of the table that the config requires. Reports tensors that have a
    /// wrong shape or, unless `need` is Optional, are missing. `linear` is the orientation of the
    /// matrices of layers and of the output layer. Biases, norms and embedding tables are never
    /// transposed.
    void read(FamilyModel &model, std::span<const TensorRow> table, Presence need = Presence::All,
              MatrixLayout linear = MatrixLayout::OutIn);
    /// Reads token types whose rows are separate tensors of C numbers. An empty name is a row of
    /// zeros.
    void readTokenTypes(FamilyModel &model, std::span<const std::string_view> rows);
    /// Reads a tensor of a single number; nullopt if it is missing, or after a problem. The number
    /// must be finite and at most `largest`.
    std::optional<float> readNumber(std::string_view name, Index largest);
    /// Reads the parameters of all experts from the table.
    void readStacked(FamilyModel &model, std::span<const StackedRow> table);
    /// The possible names of a tied matrix: the names of the embeddings and of the output matrix.
    struct TiedNames {
        std::string_view embeddings, output;
    };
    /// True if the embeddings are also the output matrix. `declared` is tie_word_embeddings; if it
    /// is missing, they are tied if `otherwise` is true and one of the two tensors is missing. Call
    /// before reading the embeddings, because a library may store the tied matrix only under the
    /// output's name. The embeddings are then read from there.
    bool isTied(std::optional<bool> declared, const TiedNames &names, bool otherwise);

    /// Return the names of the tensors that contain the embeddings and the output matrix, which are
    /// equal if tied; empty: not read yet.
    const std::string &embeddingsTensor() const { return m_embeddings; }
    const std::string &outputTensor() const { return m_isTied ? m_embeddings : m_output; }

    /// True if expert matrices are stored as MXFP4.
    bool hasMxfp4() const { return m_hasMxfp4; }
    /// Returns the problems; each names the file and the tensor.
    const std::vector<Error> &problems() const { return m_problems; }
    /// Returns the tensors that were not requested and do not match any of the patterns.
    std::vector<std::string> unnamed(std::span<const std::string_view> patterns) const;

  private:
    /// Returns the tensor's name in the files; empty if it is missing.
    std::string find(std::string_view names, bool isNorm) const;
    std::string nameFor(const TensorRow &row, std::string_view names) const;
    void readRow(FamilyModel &model, const TensorRow &row, Index layer, Presence need,
                 MatrixLayout linear);
    void readExperts(FamilyModel &model, const TensorRow &row, Index layer);
    void readStackedRow(FamilyModel &model, const StackedRow &row, Index layer);
    /// Returns a storage of the decoded numbers; null after a problem.
    StoragePointer mxfp4Numbers(const std::string &name, Index experts, Index in, Index out);
    /// Returns the bytes of an existing tensor, which must have this type; null after a problem.
    StoragePointer bytesOf(const std::string &name, const Shape &wanted, std::string_view dtype);
    /// Returns the names of the file and the tensor, for messages.
    std::string placeOf(const std::string &name) const;
    void problem(Message what, const std::string &where, Message remedy);
    /// Reports a missing tensor. `names`: its possible names.
    void missing(std::string_view names, const Shape &wanted);
    /// Returns the bytes and the type of an existing tensor; nullopt after a problem. The
    /// tensor may also have the shape `stored`.
    std::optional<std::pair<StoragePointer, NumberType>>
    numbers(const std::string &name, const Shape &wanted, bool isRow, const Shape &stored = {});
    Result<Parameter> parameter(const StoragePointer &bytes, const NumberLayout &layout,
                                bool isGain) const;

    const TensorSource &m_source;
    std::string_view m_prefix;
    std::vector<std::pair<std::string_view, std::string_view>> m_otherNames; ///< see alsoUnder()
    std::string m_wrapper; ///< prefix of all names that was added by a module wrapper
    std::set<std::string, std::less<>> m_known;
    std::vector<std::string> m_ignored;
    std::vector<Error> m_problems;
    bool m_addsOneToGains = false, m_hasMxfp4 = false;
    bool m_isTied = false;
    std::string m_tied;                   ///< name of the output matrix, if it is tied
    std::string m_embeddings, m_output{}; ///< names of the tensors that were read
};

} // namespace headlight::core
