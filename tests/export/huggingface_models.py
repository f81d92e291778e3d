#!/usr/bin/env python3
"""Makes small random models of Hugging Face's transformers, saves them, and translates with them.

usage: huggingface_models.py DIRECTORY       exit 77 if packages are missing

DIRECTORY has source.txt and target.txt, to train SentencePiece models on, and texts.txt, to
translate. Gets one directory per model, and cases.json: for each model
  name, directory, source_language, target_language
  source_ids: of each text, with the end mark
  greedy: of each text ids without the end mark, text, and log-probabilities in nats of each id and
          of the end mark
  num_beams, suppresses_unknown: what its generation_config.json says
"""
import json
import os
import random
import sys
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
try:
    import sentencepiece
    import torch
    import transformers
    from transformers import (M2M100Config, M2M100ForConditionalGeneration, M2M100Tokenizer,
                              MarianConfig, MarianMTModel, MarianTokenizer, PegasusConfig,
                              PegasusForConditionalGeneration, PegasusTokenizer)
    from transformers.models.m2m_100.tokenization_m2m_100 import FAIRSEQ_LANGUAGE_CODES
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

LONGEST = 25  # tokens of a translation
SIZES = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2,
         "decoder_attention_heads": 2, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48}


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def train(directory, name, inputs, size, **marks):
    """A SentencePiece model; returns its path and pieces by id."""
    prefix = os.path.join(directory, name)
    sentencepiece.SentencePieceTrainer.train(
        input=[os.path.join(directory, i) for i in inputs], model_prefix=prefix, vocab_size=size,
        character_coverage=0.99, minloglevel=2, hard_vocab_limit=False, **marks)
    processor = sentencepiece.SentencePieceProcessor(model_file=prefix + ".model")
    return prefix + ".model", [processor.id_to_piece(i) for i in range(len(processor))]


def randomize(model, seed):
    """Larger values than initialisation gives, so that translations differ and end."""
    generator = torch.Generator().manual_seed(seed)
    pads = [m.weight for m in model.modules()
            if isinstance(m, torch.nn.Embedding) and m.padding_idx is not None]
    keep = {id(p) for p in model.parameters() if not p.requires_grad}  # tables of positions
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if id(parameter) in keep:
                continue
            noise = torch.randn(parameter.shape, generator=generator)
            if "norm" in name and name.endswith("weight"):
                parameter.copy_(1 + 0.2 * noise)
            elif name.endswith("bias"):
                parameter.copy_(0.05 * noise)
            else:  # so that source, position and last token all matter
                gains = {"q_proj": 0.4, "k_proj": 0.4, "v_proj": 0.25, "out_proj": 0.25, "fc": 0.6}
                gain = [value for key, value in gains.items() if key in name]
                if not gain:  # tables: no token is likelier than others by its norm
                    noise *= parameter.shape[1]**0.5 / noise.norm(dim=1, keepdim=True)
                parameter.copy_((gain[0] if gain else 0.25) * noise)
        for table in pads:
            table[model.config.pad_token_id] = 0
        if hasattr(model, "final_logits_bias"):
            model.final_logits_bias.copy_(
                0.3 * torch.randn(model.final_logits_bias.shape, generator=generator))
            model.final_logits_bias[0, model.config.eos_token_id] += 1


def pieces_file(directory, name, pieces):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({piece: i for i, piece in enumerate(pieces)}, file)
    return path


def joint_list(spms):
    """Pieces of both models in an order of their own, as OPUS-MT has them."""
    pieces = sorted({p for _, all_pieces in spms for p in all_pieces} - {"</s>", "<unk>", "<s>"})
    random.Random(5).shuffle(pieces)
    return ["</s>", "<unk>"] + pieces + ["<pad>"]


def marian(root, name, spms, separate=False, **changes):
    lists = [joint_list(spms)] * 2
    if separate:
        lists = [joint_list(spms[:1]), joint_list(spms[1:])]
    size = max(len(one) for one in lists)
    files = {"vocab": pieces_file(root, name + ".vocab.json", lists[0])}
    if separate:
        files["target_vocab_file"] = pieces_file(root, name + ".target_vocab.json", lists[1])
    tokenizer = MarianTokenizer(source_spm=spms[0][0], target_spm=spms[1][0], source_lang="en",
                                target_lang="de", separate_vocabs=separate, **files)
    pad = len(lists[1]) - 1
    config = MarianConfig(**{
        **SIZES, "vocab_size": size, "decoder_vocab_size": size, "pad_token_id": pad,
        "decoder_start_token_id": pad, "eos_token_id": 0, "forced_eos_token_id": None,
        "activation_function": "relu", "scale_embedding": True, "max_position_embeddings": 64,
        "share_encoder_decoder_embeddings": not separate, "num_beams": 3, "max_length": 60,
        "bad_words_ids": [[pad]], **changes})
    return MarianMTModel(config), tokenizer


def pegasus(spm, **changes):
    tokenizer = PegasusTokenizer(spm[0])
    config = PegasusConfig(**{
        **SIZES, "vocab_size": len(tokenizer), "activation_function": "gelu",
        "scale_embedding": True, "max_position_embeddings": 64, "pad_token_id": 0,
        "eos_token_id": 1, "decoder_start_token_id": 0, "forced_eos_token_id": 1,
        "length_penalty": 0.8, "num_beams": 8, "max_length": 64, "bad_words_ids": [[0], [105]],
        **changes})
    return PegasusForConditionalGeneration(config), tokenizer


def m2m100(root, spm, **changes):
    marks = ["<s>", "<pad>", "</s>", "<unk>"]
    pieces = marks + [piece for piece in spm[1] if piece not in marks]
    tokenizer = M2M100Tokenizer(pieces_file(root, "m2m100.vocab.json", pieces), spm[0],
                                src_lang="en", tgt_lang="de", additional_special_tokens=[
                                    f"__{code}__" for code in FAIRSEQ_LANGUAGE_CODES["m2m100"]])
    config = M2M100Config(**{**SIZES, "vocab_size": len(pieces) + 100 + 8, "num_beams": 5,
                             "max_position_embeddings": 64, "max_length": 60, **changes})
    return M2M100ForConditionalGeneration(config), tokenizer


def padded(rows, value):
    width = max(len(row) for row in rows)
    return torch.tensor([row + [value] * (width - len(row)) for row in rows])


def translate(model, tokenizer, sources):
    """Greedily, as one padded batch."""
    config = model.config
    forced = tokenizer.get_lang_id("de") if isinstance(tokenizer, M2M100Tokenizer) else None
    batch = {"input_ids": padded(sources, config.pad_token_id),
             "attention_mask": padded([[1] * len(row) for row in sources], 0)}
    with torch.no_grad():
        generated = model.generate(**batch, num_beams=1, do_sample=False, max_length=None,
                                   max_new_tokens=LONGEST + 1, forced_bos_token_id=forced,
                                   forced_eos_token_id=None)
    rows = []
    for ids in generated.tolist():
        ids = ids[1:] + [config.eos_token_id]
        rows.append(ids[:min(ids.index(config.eos_token_id), LONGEST)])
    inputs = padded([[config.decoder_start_token_id] + row for row in rows], config.pad_token_id)
    with torch.no_grad():
        scores = torch.log_softmax(model(**batch, decoder_input_ids=inputs).logits, dim=-1)
    return [{"ids": ids,
             "text": tokenizer.decode(ids, skip_special_tokens=True,
                                      clean_up_tokenization_spaces=False),
             "log_probabilities": [scores[number, step, token].item()
                                   for step, token in enumerate(ids + [config.eos_token_id])]}
            for number, ids in enumerate(rows)]


def main():
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(1)
    root = sys.argv[1]
    texts = lines(os.path.join(root, "texts.txt"))
    english = train(root, "english", ["source.txt"], 60)
    german = train(root, "german", ["target.txt"], 56)
    both = train(root, "both", ["source.txt", "target.txt"], 90)
    ends = train(root, "ends", ["source.txt", "target.txt"], 80, pad_id=0, eos_id=1, unk_id=2,
                 bos_id=-1)
    spms = [english, german]
    models = {
        "marian_relu": marian(root, "a", spms),
        "marian_swish_separate": marian(root, "b", spms, separate=True,
                                        activation_function="swish", tie_word_embeddings=False),
        "marian_target_tied": marian(root, "c", spms, separate=True, activation_function="gelu",
                                     scale_embedding=False),
        "marian_output_apart": marian(root, "d", [both, both], tie_word_embeddings=False),
        "marian_tuned_start": marian(root, "e", [both, both]),
        "pegasus": pegasus(ends),
        "pegasus_unscaled": pegasus(ends, scale_embedding=False, activation_function="relu"),
        "m2m100": m2m100(root, both),
        "m2m100_output_apart": m2m100(root, both, tie_word_embeddings=False),
    }
    cases = []
    for number, (name, (model, tokenizer)) in enumerate(models.items()):
        model.eval()
        randomize(model, number)
        if name == "marian_tuned_start":  # training moves the row through the output
            with torch.no_grad():
                model.model.shared.weight[model.config.pad_token_id] += 0.3
        directory = os.path.join(root, name)
        is_sharded = name == "m2m100"
        model.save_pretrained(directory, safe_serialization=True,
                              max_shard_size="10KB" if is_sharded else "5GB")
        tokenizer.save_pretrained(directory)
        model = type(model).from_pretrained(directory).eval()
        tokenizer = type(tokenizer).from_pretrained(directory)
        files = sum(file.endswith(".safetensors") for file in os.listdir(directory))
        assert (files > 1) == is_sharded, os.listdir(directory)
        bad_words = model.generation_config.bad_words_ids or []
        sources = [tokenizer(text)["input_ids"] for text in texts]
        cases.append({"name": name, "directory": directory,
                      "source_language": "en" if "m2m" in name else "",
                      "target_language": "de" if "m2m" in name else "",
                      "source_ids": sources,
                      "greedy": translate(model, tokenizer, sources),
                      "num_beams": model.generation_config.num_beams,
                      "suppresses_unknown": [tokenizer.unk_token_id] in bad_words})
    with open(os.path.join(root, "cases.json"), "w", encoding="utf-8") as file:
        json.dump(cases, file)


main()
