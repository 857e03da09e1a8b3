// What Python and the engine refuse, as a reader is told it. What Python says is in said.js.

export const REFUSED_EN = {
  empty: "{name} is empty: type one.",
  too_many_characters: "{name} has {count} characters, at most {most} are read: shorten it.",
  too_many_to_show: "{name} has {count} characters, at most {most} are shown: shorten it.",
  half_character: "{name} holds half a character, which no tokenizer reads: write it again.",
  too_many_tokens:
    "{name} of {count} tokens, [CLS] and [SEP] included: this model has {positions} positions, so shorten by {excess}.",
  text_too_long: "The sentence has {count} tokens, {model} has {positions} positions: shorten it.",
  not_spelled:
    "“{word}” cannot be spelled with this vocabulary, so the model reads {unknown} (unknown): use another word.",
  only_special: "The sentence has only special tokens: there is nothing to choose from.",
  as_good_as_empty: "The sentence is as good as empty: the tokenizer gives nothing but special tokens.",
  no_mask: "The sentence has no {mask}: {touch|tap|click} a word to hide it.",
  no_word: "Type a word.",
  follow_not_spelled: "“{word}” cannot be spelled with this vocabulary.",
  follow_several: "“{word}” is {count} tokens ({tokens}), and a [MASK] holds one: take one of them.",
  follow_too_many: "{count} words, at most {most} are followed.",
  not_in_vocabulary: "{token} is not in the vocabulary, nor are parts of it. Give another.",
  not_one_token:
    "{token} is not one token of the vocabulary: it falls into {parts}. Give one of these, or another word.",
};

/** What a reader calls what Python calls by a parameter's name. */
export const CALLED_EN = {
  text: "The sentence",
  text_pair: "The second sentence",
  "a pair": "A pair",
};

/** @type {Record<keyof typeof REFUSED_EN, string>} */
export const REFUSED_ZH = {
  empty: "{name}是空的：请输入一句话。",
  too_many_characters: "{name}有 {count} 个字符，最多读 {most} 个：请缩短。",
  too_many_to_show: "{name}有 {count} 个字符，最多显示 {most} 个：请缩短。",
  half_character: "{name}里有半个字符，任何分词器都读不了：请重新输入。",
  too_many_tokens:
    "{name}共 {count} 个词元（含 [CLS] 和 [SEP]）：这个模型只有 {positions} 个位置，请减少 {excess} 个。",
  text_too_long: "文本有 {count} 个词元，{model} 只有 {positions} 个位置：请缩短文本。",
  not_spelled: "这份词表拼不出“{word}”，模型只会读到 {unknown}（未知）：请换一个词。",
  only_special: "文本里只有特殊词元：没有可选的词。",
  as_good_as_empty: "文本等于是空的：分词器只给出特殊词元。",
  no_mask: "句子里没有 {mask}：{touch|点按|点击}一个词，把它遮住。",
  no_word: "请输入一个词。",
  follow_not_spelled: "这份词表拼不出“{word}”。",
  follow_several: "“{word}”是 {count} 个词元（{tokens}），而一个 [MASK] 只放得下一个：请取其中之一。",
  follow_too_many: "有 {count} 个词，最多跟踪 {most} 个。",
  not_in_vocabulary: "词表里没有 {token}，也没有它的组成部分。请换一个。",
  not_one_token: "{token} 在词表里不是一个词元：它会被切成 {parts}。请取其中之一，或者换一个词。",
};

/** @type {Record<keyof typeof CALLED_EN, string>} */
export const CALLED_ZH = {
  text: "句子",
  text_pair: "第二句",
  "a pair": "两句",
};
