// What a page of several views says itself, in English.

export const PAGES_EN = {
  cannot_draw: "This view cannot be drawn here: {why}",
  wide_code: "Code, wider than the page",
  wide_output: "Output, wider than the page",
};
