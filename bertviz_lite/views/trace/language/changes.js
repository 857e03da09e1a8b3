// What a step changes, in Chinese: Python says it in sentences of these forms (trace/showing/change.py).

import { spoken } from "../../base/js/language/language.js";
import { TRACE_EN } from "./en.js";
import { say } from "./say.js";

/** Forms of a sentence, the more exact before the others; what they say of. @type {[RegExp, string][]} */
export const CHANGES = [
  [/^Nothing comes out that has a shape\.$/, "出来的东西没有形状。"],
  [/^A tensor is made: one number\.$/, "产生一个张量：一个数。"],
  [/^A tensor is made: (.+)\.$/, "产生一个张量：$1。"],
  [/^The shape stays: along (.+) the numbers now add up to 1\.$/, "形状不变：沿 $1 的数现在合计为 1。"],
  [
    /^The shape stays: (.+) is summed away, a new axis as long takes its place\.$/,
    "形状不变：$1 被求和消去，换成一个同样长的新轴。",
  ],
  [/^The shape stays: one number meets every other\.$/, "形状不变：一个数与每个数运算。"],
  [/^The shape stays: (.+) is repeated along (.+)\.$/, "形状不变：$1 沿 $2 重复。"],
  [/^The shape stays: two tensors of it are combined number by number\.$/, "形状不变：两个同形状的张量逐个数运算。"],
  [/^The shape stays; the numbers are now (.+)\.$/, "形状不变；数的类型现在是 $1。"],
  [/^The shape stays\.$/, "形状不变。"],
  [/^(.+) and (.+) change places\.$/, "$1 和 $2 交换位置。"],
  [/^The axes change their order: (.+)\.$/, "各轴换了顺序：$1。"],
  [/^An axis of size 1 is left out\.$/, "去掉一个长度为 1 的轴。"],
  [/^(\d+) axes of size 1 are left out\.$/, "去掉 $1 个长度为 1 的轴。"],
  [/^An axis of size 1 is put in\.$/, "加入一个长度为 1 的轴。"],
  [/^(\d+) axes of size 1 are put in\.$/, "加入 $1 个长度为 1 的轴。"],
  [/^(.+) (?:is|are) gone: only the largest is kept\.$/, "$1 消失：只留下最大的。"],
  [/^(.+) (?:is|are) gone: only the smallest is kept\.$/, "$1 消失：只留下最小的。"],
  [/^(.+) (?:is|are) gone: only the place of the largest is kept\.$/, "$1 消失：只留下最大者的位置。"],
  [/^(.+) (?:is|are) gone: only the length is kept\.$/, "$1 消失：只留下长度。"],
  [/^(.+) (?:is|are) gone: one place of it is kept\.$/, "$1 消失：只留下其中一个位置。"],
  [/^(.+) (?:is|are) gone\.$/, "$1 消失。"],
  [/^(.+) is summed away, (.+) takes its place\.$/, "$1 被求和消去，换成 $2。"],
  [/^(.+) (?:is|are) summed away\.$/, "$1 被求和消去。"],
  [/^(.+) (?:is|are) averaged away\.$/, "$1 被平均消去。"],
  [/^Each id is replaced by a row of the table: (.+) (?:is|are) new\.$/, "每个编号换成表里的一行：$1 是新的。"],
  [/^(.+) (?:is|are) new\.$/, "$1 是新的。"],
  [/^(.+) is split into (.+)\.$/, "$1 拆成 $2。"],
  [/^(.+) are joined into (.+)\.$/, "$1 合成 $2。"],
  [/^(.+) become (.+): the same numbers in other groups\.$/, "$1 变成 $2：同样的数，分组不同。"],
  [/^The axis of size 1 is repeated: (.+)\.$/, "长度为 1 的轴被重复：$1。"],
  [/^Of (.+) only (\d+) are kept: (.+)\.$/, "$1 只留下 $2 个：$3。"],
  [/^(.+) becomes? (.+)\.$/, "$1 变成 $2。"],
];

/** What Python says of a step, in the language of the page; what has none of these forms stays. @param {string} said */
export function changeOf(said) {
  if (spoken() === "en") return said;
  if (said === TRACE_EN.legend) return say("legend");
  const form = CHANGES.find(([pattern]) => pattern.test(said));
  return form ? said.replace(...form).replaceAll(" and ", " 和 ") : said;
}

const FIGURES = /** @type {Record<string, string>} */ ({ min: "最小", mean: "平均", max: "最大", std: "标准差" });

/** What is in a tensor, in the language of the page: "min −1, mean 0". @param {string} said */
export const figuresOf = (said) =>
  spoken() === "en" ? said : said.replace(/\b(?:min|mean|max|std)\b/g, (name) => FIGURES[name]);
