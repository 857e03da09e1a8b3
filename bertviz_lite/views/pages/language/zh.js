// What a page of several views says itself, in Chinese.

export const PAGES_ZH = {
  cannot_draw: "这个视图无法在这里画出：{why}",
  wide_code: "代码，比页面宽",
  wide_output: "输出，比页面宽",
};
