"""Whisper after the classes of transformers (modeling_whisper.py, feature_extraction_whisper.py): from the samples of
audio to frames of mel bands, two convolutions, and the layers of BART with pre-norm and keys without a bias. The
samples are computed with integers from their positions, so that a test can compute them again."""

import math

import numpy as np

from decoders.pieces import Draw, Numbers, Trace, VOCABULARY, gelu, predict
from encoders import bart

RATE, WINDOW, HOP = 16000, 400, 160


def samples(count):
    n = np.arange(count, dtype=np.int64)
    return ((7 * n * n + 311 * n) % 2001 - 1000) / 32768


def hertz_of(mels):
    """Slaney's scale: 15 mels up to 1000 Hz, then 27 for each factor of 6.4."""
    return np.where(mels < 15, mels * 200 / 3, 1000 * np.exp(np.log(6.4) / 27 * (mels - 15)))


def mel_filters(bands):
    """Returns triangles with the area 1, [frequencies, bands]."""
    edges = hertz_of(np.linspace(0, 15 + 27 * math.log(8) / math.log(6.4), bands + 2))
    frequencies = np.linspace(0, RATE / 2, WINDOW // 2 + 1)[:, None]
    rising = (frequencies - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - frequencies) / (edges[2:] - edges[1:-1])
    return np.maximum(0, np.minimum(rising, falling)) * (2 / (edges[2:] - edges[:-2]))


def log_mel(sound, frames, bands):
    """Returns the frames [frames, bands] of audio, which is cut or padded with silence."""
    sound = sound[:frames * HOP]
    padded = np.pad(np.pad(sound, (0, frames * HOP - len(sound))), WINDOW // 2, mode="reflect")
    window = np.hanning(WINDOW + 1)[:-1]
    power = np.array([np.abs(np.fft.rfft(window * padded[HOP * t:HOP * t + WINDOW])) ** 2 for t in range(frames)])
    logs = np.log10(np.maximum(power @ mel_filters(bands), 1e-10))
    return (np.maximum(logs, logs.max() - 8) + 4) / 4


def convolve(x, kernel, bias, stride):
    """Returns GELU of a convolution over the rows of x, with one row of zeros at both ends. `kernel` is [out, in, 3]."""
    padded = np.pad(x, ((1, 1), (0, 0)))
    windows = np.stack([padded[i:i + 3] for i in range(0, len(x), stride)])  # [rows, 3, in]
    return gelu(np.einsum("tki,oik->to", windows, kernel) + bias)


def neighbours(x, first):
    """Returns every second row from `first` between the rows before and after it, side by side."""
    padded = np.pad(x, ((1, 1), (0, 0)))
    return np.stack([padded[i:i + 3].reshape(-1) for i in range(first, len(x), 2)])


def whisper(seed, count, frames=14, dtype="F32", own_output=False, **fields):
    config = {**bart.common("WhisperForConditionalGeneration", "whisper"), **{
        "activation_function": "gelu", "apply_spec_augment": False, "begin_suppress_tokens": [2, 5], "d_model": 12,
        "decoder_start_token_id": 20, "eos_token_id": 19, "forced_decoder_ids": [[1, 21], [2, 22], [3, 4]],
        "mask_time_prob": 0.05, "max_source_positions": frames // 2, "max_target_positions": 9, "num_mel_bins": 8,
        "pad_token_id": 19, "scale_embedding": False, "suppress_tokens": [], **fields}}
    del config["max_position_embeddings"], config["forced_eos_token_id"], config["num_beams"]
    draw, C, bands = Draw(seed, dtype), config["d_model"], config["num_mel_bins"]
    draw.add("model.encoder.conv1.weight", C, bands, 3, deviation=0.3)
    draw.add("model.encoder.conv1.bias", C, deviation=0.3)
    draw.add("model.encoder.conv2.weight", C, C, 3, deviation=0.3)
    draw.add("model.encoder.conv2.bias", C, deviation=0.3)
    draw.words("model.encoder.embed_positions", C, frames // 2, deviation=0.3)
    draw.words("model.decoder.embed_positions", C, config["max_target_positions"], deviation=0.3)
    words = "model.decoder.embed_tokens"
    bart.tensors_of(draw, config, True, False, False, words=words, key_bias=False)
    if own_output:  # saved although it is tied
        draw.tensors["proj_out.weight"] = draw.tensors[words + ".weight"]
    W, trace = Numbers(draw.tensors), Trace()
    encoder, decoder = trace.under("encoder."), trace.under("decoder.")
    x = log_mel(samples(count), frames, bands)
    encoder.note("embeddings", x.reshape(frames // 2, -1))
    encoder.note("first_neighbours", neighbours(x, 0))
    encoder.note("second_neighbours", neighbours(x, 1))
    x = convolve(x, W["model.encoder.conv1.weight"], W["model.encoder.conv1.bias"], 1)
    encoder.note("first_frame", x[0::2])
    encoder.note("second_frame", x[1::2])
    encoder.note("frame_neighbours", neighbours(x, 0))
    x = convolve(x, W["model.encoder.conv2.weight"], W["model.encoder.conv2.bias"], 2)
    encoder.note("embedding_projected", x)
    memory = bart.layers_of(encoder, W, config, "encoder", x + W["model.encoder.embed_positions.weight"], True)
    ids = [20, 21, 22, 4] + draw.ids(3)
    x = decoder.note("embeddings", W[words + ".weight"][ids])
    x = bart.layers_of(decoder, W, config, "decoder", x + W["model.decoder.embed_positions.weight"][:len(ids)], True,
                       memory)
    predict(trace, x, W[words + ".weight"])
    preparation = {"chunk_length": frames * HOP / RATE if frames * HOP % RATE == 0 else None,
                   "feature_extractor_type": "WhisperFeatureExtractor", "feature_size": bands, "hop_length": HOP,
                   "n_fft": WINDOW, "padding_side": "right", "padding_value": 0.0, "return_attention_mask": False,
                   "sampling_rate": RATE}
    preparation = {name: value for name, value in preparation.items() if value is not None}
    return config, draw.tensors, {"sound": [count], "token_ids": ids}, trace.stages, dtype, preparation


CASES = {
    "whisper": lambda: whisper(341, 1500),
    # Longer than the model's input, other sizes, and another activation in the layers than after the convolutions.
    "whisper-half": lambda: whisper(342, 4000, frames=10, dtype="F16", own_output=True, activation_function="relu",
                                    d_model=18, decoder_layers=1, encoder_layers=1, num_mel_bins=5,
                                    encoder_attention_heads=3),
}
