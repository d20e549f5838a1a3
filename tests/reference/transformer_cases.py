"""The transformers that are written to tests/data/transformer, by file name."""

from make_transformer import CAUSAL, PADDING, cells, make, window

BOTH = ("self_attention", "cross_attention")
LONG, MIDDLE, SHORT = "the cat sat on a mat .", "the cat sat on .", "a mat ."


def norm(kind, place="before", **said):
    return {"kind": kind, "place": place, **said}


def feed_forward(width, activation, gated=False):
    return {"width": width, "activation": activation, "gated": gated}


def language(**said):
    return {"kind": "language", **said}


def classifier(pooling):
    return {"kind": "classifier", "classes": 3, "pooling": pooling}


def masked_language(activation="gelu"):
    return {"kind": "masked_language", "activation": activation, "norm": True}


# --- encoders ----------------------------------------------------------------------------------------------------

def encoder_pre_norm():
    return make(1, MIDDLE, SHORT, masks=[PADDING], positions="sinusoidal", norm=norm("layer", final=True),
                feed_forward=feed_forward(12, "relu"), head=classifier("first"), pooler=True)


def bert(seed, head, **said):
    """Post-norm, with everything that can be added to word vectors."""
    return make(seed, "[CLS] the [MASK] [SEP] mat", "[CLS] cat [SEP]", masks=[PADDING],
                token_types=["00011", "001"], types_known=2, positions="learned",
                norm=norm("layer", "after", epsilon=1e-12, embedding=True), feed_forward=feed_forward(8, "gelu"),
                head=head, **said)


def albert(seed, layers, layer_count, **said):
    """Several layers share their parameters, and embeddings are narrower than the layers."""
    return make(seed, "[CLS] the [MASK] sat [SEP]", token_types=["00011"], types_known=2, layers=layers,
                layer_count=layer_count, embedding_width=4, positions="learned",
                norm=norm("layer", "after", epsilon=1e-12, embedding=True),
                feed_forward=feed_forward(10, "gelu_tanh"), head=masked_language("gelu_tanh"), **said)


def small_encoder(seed, *texts, **said):
    """One layer; everything else is set by the arguments."""
    said = {"layers": 1, "norm": norm("layer"), "feed_forward": feed_forward(6, "gelu"), **said}
    return make(seed, *texts, **said)


def batch_norm(seed, place, layers):
    return make(seed, MIDDLE, SHORT, masks=[PADDING], layers=layers,
                norm=norm("batch", place, final=place == "before", embedding=True), feed_forward=feed_forward(8, "relu"))


# --- decoders ----------------------------------------------------------------------------------------------------

def llama(seed, masks, activation):
    return make(seed, MIDDLE, masks=masks, width=10, heads=4, head_size=4, key_value_heads=2, biases=False,
                positions="rotary", rotary={"base": 10000.0, "width": 0, "scaling": "none"},
                norm=norm("rms", epsilon=1e-6, final=True), feed_forward=feed_forward(10, activation, gated=True),
                head=language())


def rotary(seed, head_size=8, text=LONG, **said):
    """One layer, so that cases differ only in the rotation."""
    return make(seed, text, masks=[CAUSAL], layers=1, width=6, heads=2, head_size=head_size, key_value_heads=1,
                biases=False, positions="rotary", rotary={"base": 10000.0, "width": 0, **said}, norm=norm("rms"))


def bloom(seed, heads, width, layers):
    return make(seed, MIDDLE, masks=[CAUSAL], layers=layers, width=width, heads=heads, positions="alibi",
                norm=norm("layer", final=True, embedding=True), feed_forward=feed_forward(10, "gelu_tanh"),
                head=language(), tied=True)


def gpt2():
    return make(30, MIDDLE, masks=[CAUSAL], positions="learned", norm=norm("layer", final=True),
                feed_forward=feed_forward(12, "gelu_tanh"), head=language(), tied=True,
                loss=["logits", "probabilities"])


def capped(seed):
    """Caps so low that they have an effect."""
    return make(seed, MIDDLE, masks=[CAUSAL], score_cap=0.8, logit_cap=1.25, norm=norm("rms", final=True),
                feed_forward=feed_forward(8, "quick_gelu", gated=True), head=language(), tied=True,
                loss=["logits", "probabilities"])


def gpt_j(seed, **said):
    """Parallel attention and feed-forward network after one norm."""
    return make(seed, MIDDLE, SHORT, **{"masks": [CAUSAL, PADDING], "positions": "rotary", "parallel": True,
                                        "norm": norm("layer", final=True), "head_size": 4,
                                        "rotary": {"base": 100.0, "width": 2, "scaling": "none"},
                                        "feed_forward": feed_forward(8, "gelu_tanh"), "head": language(), **said})


def gemma_2(seed):
    """Norms before and after every part, caps, keys narrower than values, and several heads per key."""
    return make(seed, MIDDLE, SHORT, masks=[CAUSAL, PADDING], heads=4, key_value_heads=2, head_size=2, value_size=3,
                positions="rotary", rotary={"base": 100.0, "width": 0, "scaling": "none"}, biases=False,
                norm=norm("rms", "before_and_output", final=True), score_cap=5.0, logit_cap=3.0, scale_embeddings=True,
                feed_forward=feed_forward(8, "gelu_tanh", gated=True), head=language(), tied=True)


def normed_queries(seed, together, **said):
    """Queries and keys are normalised before they are rotated."""
    return make(seed, MIDDLE, SHORT, **{"masks": [CAUSAL, PADDING], "heads": 4, "key_value_heads": 2, "head_size": 2,
                                        "positions": "rotary", "query_key_norm": together, "biases": False,
                                        "rotary": {"base": 100.0, "width": 0, "scaling": "none"},
                                        "feed_forward": feed_forward(8, "silu", gated=True), **said})


def what_if(seed, **said):
    return make(seed, MIDDLE, SHORT, **{"layers": 1, "width": 6, "masks": [CAUSAL, PADDING], "norm": norm("layer"),
                                        "feed_forward": feed_forward(6, "silu"), **said})


# --- two sequences -----------------------------------------------------------------------------------------------

def translator(seed, layers, **said):
    """Both sides are padded."""
    return make(seed, "[SEP] the cat sat", "[SEP] a mat", source=["a cat", "the mat . [SEP]"], layers=layers,
                encoder_layers=layers, attentions=BOTH, masks=[CAUSAL, PADDING], encoder_masks=[PADDING],
                cross_masks=[PADDING], **said)


def marian():
    return translator(40, 2, positions="sinusoidal", sinusoid_order="halves", scale_embeddings=True, width=6,
                      norm=norm("layer", "after"), feed_forward=feed_forward(6, "silu"), head=language(), tied=True,
                      output_bias=True)


def bart():
    return translator(41, 1, positions="learned", position_offset=2, norm=norm("layer", "after", embedding=True),
                      feed_forward=feed_forward(8, "gelu"), head=language(), tied=True, output_bias=True)


def wide_encoder():
    """The encoder has different heads and a different feed-forward network from the decoder."""
    return translator(62, 1, positions="relative", relative={"buckets": 8, "maximum_distance": 5},
                      encoder={"heads": 3, "head_size": 2, "value_size": 3, "feed_forward_width": 10},
                      norm=norm("rms", final=True), feed_forward=feed_forward(6, "relu"), head=language(), tied=True)


def t5(seed, layers, activation, gated, **said):
    return translator(seed, layers, positions="relative", relative={"buckets": 8, "maximum_distance": 5}, width=6,
                      scale="off", biases=False, norm=norm("rms", epsilon=1e-6, final=True),
                      feed_forward=feed_forward(5, activation, gated), **said)


def t5_long():
    """A text so long that keys fall into the far buckets."""
    words = "the cat sat on a mat . the cat sat on a mat ."
    return make(44, words, source=[words], layers=1, encoder_layers=1, attentions=BOTH, masks=[CAUSAL], width=3, heads=1,
                positions="relative", relative={"buckets": 8, "maximum_distance": 11}, scale="off", biases=False,
                norm=norm("rms", epsilon=1e-6, final=True))


def two_languages():
    """Pre-norm, different word vectors in the encoder, grouped queries, and a separate output matrix."""
    return translator(45, 1, positions="sinusoidal", norm=norm("layer", final=True), heads=4, head_size=2,
                      key_value_heads=2, feed_forward=feed_forward(8, "relu"), head=language(),
                      own_encoder_embeddings=True)


def second_sequence(seed, attentions, **said):
    return make(seed, "the cat sat", "a mat", source=["a cat", "the mat . on"], attentions=attentions,
                cross_masks=[PADDING], **{"norm": norm("layer"), **said})


def case(function, *arguments, **said):
    return lambda: function(*arguments, **said)


CASES = {
    "encoder_pre_norm_classifier": encoder_pre_norm,
    "bert_masked_language": case(bert, 2, masked_language(), tied=True, output_bias=True),
    "bert_classifier": case(bert, 3, classifier("first"), pooler=True, layers=1),
    "albert_shared_layers": case(albert, 4, 1, 3, tied=True, output_bias=True),
    "albert_groups_own_output": case(albert, 5, 2, 4, loss=["logits", "probabilities"]),
    "classifier_mean": case(small_encoder, 6, MIDDLE, SHORT, masks=[PADDING], head=classifier("mean"), norm=norm(
        "layer", "after", final=True)),
    "classifier_last": case(small_encoder, 7, MIDDLE, SHORT, masks=[CAUSAL, PADDING], head=classifier("last"),
                            pooler=True),
    "batch_norm_pre": case(batch_norm, 8, "before", 2),
    "batch_norm_post": case(batch_norm, 9, "after", 1),
    "residual_without_norms": case(small_encoder, 10, MIDDLE, layers=2, norm=norm("none"),
                                   feed_forward=feed_forward(10, "silu")),
    "relu_without_residual_pre": case(small_encoder, 11, MIDDLE, residual=False,
                                      feed_forward=feed_forward(10, "relu")),
    "without_residual_post": case(small_encoder, 12, MIDDLE, residual=False, norm=norm("rms", "after")),
    "neither_residual_nor_norm": case(small_encoder, 13, MIDDLE, residual=False, norm=norm("none")),
    "wide_heads": case(small_encoder, 14, MIDDLE, heads=3, head_size=4, feed_forward=feed_forward(
        6, "gelu", gated=True)),
    "no_output_matrix": case(small_encoder, 15, MIDDLE, output=False),
    "window_both_ways": case(small_encoder, 16, LONG, masks=[window(2, True)], scale=2.5),
    "row_sees_nothing": case(small_encoder, 17, MIDDLE, masks=[CAUSAL, cells((0, 0, False), (3, 4, True))], layers=2,
                             width=6),
    "alibi_both_ways": case(small_encoder, 18, MIDDLE, SHORT, masks=[PADDING], positions="alibi"),
    "relative_encoder": case(small_encoder, 19, LONG, positions="relative", relative={
        "buckets": 8, "maximum_distance": 5}),
    "sinusoidal_odd_width": case(small_encoder, 20, MIDDLE, width=7, heads=1, positions="sinusoidal",
                                 sinusoid_order="halves", scale_embeddings=True),
    "llama": case(llama, 21, [CAUSAL], "silu"),
    "llama_window_geglu": case(llama, 22, [window(3)], "gelu"),
    "rotary_partial": case(rotary, 23, head_size=6, width=4, scaling="none", base=500.0),
    "rotary_linear": case(rotary, 24, scaling="linear", factor=4.0),
    "rotary_dynamic": case(rotary, 25, scaling="dynamic", factor=2.0, original_length=4),
    "rotary_dynamic_short": case(rotary, 26, scaling="dynamic", factor=2.0, original_length=16),
    "rotary_yarn": case(rotary, 27, scaling="yarn", factor=4.0, original_length=64),
    "rotary_yarn_partial": case(rotary, 28, head_size=10, width=8, scaling="yarn", factor=8.0, original_length=512,
                                beta_fast=16.0, beta_slow=2.0, attention_factor=1.25),
    "rotary_llama3": case(rotary, 29, scaling="llama3", factor=8.0, original_length=128, low_frequency_factor=1.0,
                          high_frequency_factor=4.0),
    "gpt2": gpt2,
    "capped": case(capped, 48),
    "capped_scores_alibi": case(small_encoder, 49, MIDDLE, SHORT, masks=[PADDING], positions="alibi", heads=2,
                                alibi_slopes=[0.75, 0.2], score_cap=1.5, feed_forward=feed_forward(6, "quick_gelu")),
    "squared_relu": case(small_encoder, 50, MIDDLE, feed_forward=feed_forward(8, "squared_relu")),
    "gpt_j": case(gpt_j, 51, shared_norm=True),
    "gpt_neox": case(gpt_j, 52),
    "parallel_without_residual": case(gpt_j, 53, residual=False, norm=norm("rms", "output")),
    "parallel_two_attentions": case(gpt_j, 54, source=[SHORT, MIDDLE], attentions=BOTH, cross_masks=[PADDING],
                                    head={"kind": "none"}, layers=1),
    "gemma_2": case(gemma_2, 55),
    "qwen_3": case(normed_queries, 56, "per_head", norm=norm("rms", final=True)),
    "olmo_2": case(normed_queries, 57, "all_heads", norm=norm("rms", "output", final=True)),
    "normed_queries_layer": case(normed_queries, 58, "all_heads", norm=norm("layer"), biases=True, positions="none"),
    "windows": case(small_encoder, 60, LONG, SHORT, masks=[PADDING], layers=3, windows=[2, 0, 3]),
    "windows_causal": case(gpt_j, 61, windows=[3, 0], layers=3, parallel=False),
    "value_size": case(small_encoder, 59, MIDDLE, SHORT, masks=[PADDING], value_size=5),
    "bloom_three_heads": case(bloom, 31, 3, 6, 1),
    "bloom_four_heads": case(bloom, 32, 4, 8, 2),
    "what_if_temperature": case(what_if, 33, temperature=0.5),
    "what_if_mask_value": case(what_if, 34, mask_value=-1e4, masks=[CAUSAL, PADDING, cells((0, 0, False))]),
    "what_if_mask_after_softmax": case(what_if, 35, mask_after_softmax=True, temperature=2.0),
    "what_if_no_softmax": case(what_if, 36, softmax=False, temperature=2.0),
    "what_if_no_softmax_mask_value": case(what_if, 37, softmax=False, mask_value=-3.0),
    "what_if_no_softmax_mask_after": case(what_if, 38, softmax=False, mask_after_softmax=True,
                                          norm=norm("layer", "after")),
    "wide_encoder": wide_encoder,
    "marian": marian,
    "bart": bart,
    "t5": case(t5, 42, 2, "gelu_tanh", True, head=language(scaled=True), tied=True),
    "t5_first": case(t5, 43, 1, "relu", False, head=language()),
    "t5_long": t5_long,
    "two_languages": two_languages,
    "second_sequence": case(second_sequence, 46, BOTH, layers=1, positions="sinusoidal",
                            feed_forward=feed_forward(6, "relu"), masks=[CAUSAL]),
    "second_sequence_cross_only": case(second_sequence, 47, ("cross_attention",), layers=1, biases=False,
                                       norm=norm("none"), residual=False),
}
