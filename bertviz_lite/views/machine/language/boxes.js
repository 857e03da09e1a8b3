// What the boxes are called and do, in Chinese; in English boxes.py says it. Formulas and modules are the same.

import { spoken } from "../../base/js/language/language.js";

/** @import { Box, Group } from "../js/steps.js" */

/** @typedef {{name: string, what: string, hint?: string, title?: string}} Told */

/** @type {Record<string, Told>} */
export const BOXES_ZH = {
  tokens: { name: "子词和编号", what: "文本被切成词表里的条目，每个条目换成它的编号；两端加上 [CLS] 和 [SEP]。" },
  word: { name: "词元", title: "词元嵌入", what: "每个编号在一张表里取出它的那一行，每个子词有一个向量。" },
  position: { name: "位置", title: "位置嵌入", what: "第二张表给文本里的每个位置一个向量：没有它，顺序就丢失了。" },
  segment: {
    name: "片段",
    title: "片段嵌入（token types）",
    what: "第三张表只有两个向量：第一段文本的词元用一个，第二段的用另一个。",
  },
  sum: { name: "求和", what: "一个词元的三个向量逐分量相加。" },
  norm: {
    name: "LayerNorm",
    title: "嵌入的 LayerNorm",
    what: "每个向量变为均值 0、标准差 1，再用学到的数缩放和平移。",
  },
  query: {
    name: "查询",
    hint: "Q",
    what: "每个词元要找什么：对 x（进入这一层的向量）做线性映射。每个头用其中自己的一部分。",
  },
  key: { name: "键", hint: "K", what: "每个词元凭什么被找到：对同一个向量做另一个线性映射。" },
  weights: {
    name: "注意力权重",
    hint: "softmax(Q·Kᵀ/√{head_size})",
    what: "每个头把每个查询与每个键相比。softmax 把得分变成比例：每行之和为 1。",
  },
  value: { name: "值", hint: "V", what: "每个词元被找到时交出什么：对同一个向量做第三个线性映射。" },
  context: {
    name: "上下文",
    hint: "权重·V",
    what: "取回的结果：对每个词元和每个头，按权重混合所有的值。各个头并排放在一起。",
  },
  projected: { name: "投影", title: "输出投影", hint: "线性", what: "输出投影是一个线性映射，混合各个头取回的内容。" },
  attended: {
    name: "残差与归一化",
    title: "注意力之后的残差与归一化",
    hint: "+ x",
    what: "注意力的结果加到进入这一层的向量上（残差连接），然后做 LayerNorm。",
  },
  up: {
    name: "升维",
    title: "升维，即中间层",
    hint: "线性",
    what: "从这里起每个词元又是单独处理。一个线性映射把它的向量变宽几倍。",
  },
  activated: { name: "GELU", what: "激活函数：负数几乎什么也不剩，大的正数保持不变。" },
  down: { name: "降维", hint: "线性", what: "一个线性映射回到词元向量原来的宽度。" },
  output: {
    name: "残差与归一化",
    title: "前馈之后的残差与归一化",
    hint: "+ 注意结果",
    what: "加到进入前馈网络的向量上，再做 LayerNorm：这是这一层的结果，由下一层读取。",
  },
  transform: {
    name: "变换",
    hint: "线性、GELU、LayerNorm",
    what: "线性、GELU、LayerNorm：把每个向量变成表里写词所用的形式。",
  },
  words: {
    name: "解码器",
    hint: "softmax",
    what: "与表的每一行做点积，再加偏置，得出每个词有多合适；softmax 变成概率。",
  },
  pooler: {
    name: "[CLS]",
    title: "池化层",
    hint: "线性、tanh",
    what: "只取 [CLS] 的向量，经线性映射和 tanh：整段文本一个向量。",
  },
  verdict: {
    name: "分类器",
    title: "NSP 头",
    hint: "线性、softmax",
    what: "由池化后的向量得出两个数：第二段文本接着第一段，或者不接着。",
  },
};

/** @type {Record<string, string>} */
export const GROUPS_ZH = {
  tokens: "子词和编号",
  embeddings: "输入嵌入",
  attention: "多头自注意力",
  feed_forward: "前馈网络",
  encoder: "编码器层",
  lm_head: "LM 头",
  pooler: "池化层",
  nsp_head: "NSP 头",
};

/** @type {Record<string, string>} */
export const CHAPTERS_ZH = {
  "01": "词元",
  "02": "输入嵌入",
  "03": "注意力",
  "04": "一层",
  "07": "池化层",
  "08": "LM 头",
  "09": "NSP 头",
};

/** The boxes of the map in the language of the page. @param {any} model @returns {Box[]} */
export const boxesOf = (model) =>
  model
    .get("_map")
    .boxes.map((/** @type {Box} */ box) => (spoken() === "zh" ? { ...box, title: "", ...BOXES_ZH[box.id] } : box));

/** The groups of the map in the language of the page. @param {any} model @returns {Group[]} */
export const groupsOf = (model) =>
  model
    .get("_map")
    .groups.map((/** @type {Group} */ group) => (spoken() === "zh" ? { ...group, name: GROUPS_ZH[group.id] } : group));

/** What a chapter is about. @param {any} model @param {string} chapter */
export const chapterOf = (model, chapter) => (spoken() === "zh" ? CHAPTERS_ZH : model.get("_map").chapters)[chapter];
