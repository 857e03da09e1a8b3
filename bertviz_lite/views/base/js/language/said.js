// What Python and the engine refuse, as they say it: with the names that things have in code.

export const REFUSED_SAID = {
  empty: "{name} is empty: type a sentence.",
  too_many_characters: "{name} has {count} characters, at most {most} are read: shorten it.",
  too_many_to_show: "{name} has {count} characters, at most {most} are shown: shorten it.",
  half_character: "{name} holds half a character, which no tokenizer reads: write it again.",
  too_many_tokens:
    "{name} of {count} tokens, [CLS] and [SEP] included: this model has {positions} positions, so shorten by {excess}.",
  text_too_long: "text has {count} tokens, {model} has {positions} positions: shorten it, or capture it in parts.",
  not_spelled: "“{word}” cannot be spelled with this vocabulary, so the model reads {unknown}: use another word.",
  only_special: "text has only special tokens: there is nothing to choose from.",
  as_good_as_empty: "text is as good as empty: the tokenizer gives nothing but special tokens.",
  no_mask: "text has no {mask}: choose a word to hide it, or write {mask} where the model is to guess.",
  no_word: "follow: type a word.",
  follow_not_spelled: "follow: “{word}” cannot be spelled with this vocabulary.",
  follow_several: "follow: “{word}” is {count} tokens ({tokens}), and a [MASK] holds one: take one of them.",
  follow_too_many: "follow: {count} words, at most {most} are followed.",
  not_in_vocabulary: "{token} is not in the vocabulary, nor are parts of it. Give another.",
  not_one_token:
    "{token} is not one token of the vocabulary: it falls into {parts}. Give one of these, or another word.",
};
