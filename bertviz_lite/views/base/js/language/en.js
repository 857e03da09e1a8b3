// What every view says, in English.

export const COMMON_EN = {
  close: "Close",
  enlarge: "Present",
  leave: "Leave",
  keys: "Keys",
  keys_button: "Keys ",
  these_keys: "these keys",
  take_away: "Take away",
  picture_as: "Picture ({format})",
  numbers_csv: "Numbers (CSV)",
  saved_as: "Saved as {name}.",
  link_label: "Link",
  link_to_shown: "Link to what is shown",
  link_copied: "The link is copied; the page’s address is the same.",
  link_is: "This is the link; the page’s address is the same.",
  picture_too_large: "The picture is too large.",
  model_running: "the model is running …",
  typing_off:
    "Typing is off: this page was saved without Python. What it was saved with is here with all its numbers; " +
    "open the notebook to try your own. {why}",
  undo: "Undo",
  examples: "Examples",
  as_saved: "as it was saved",
  your_own: "your own",
  who_model: "model",
  who_tokenizer: "tokenizer",
  python_gone_page:
    "Python is gone: the {who} in this page answers in its place. Run this cell again to go on with Python.",
  python_busy_page: "Python is busy with another cell, or has stopped: the {who} in this page answers meanwhile.",
  python_silent: "Python has not answered yet: it is busy with another cell, or has stopped.",
  python_lost: "Python is gone: it was started anew, or stopped. Run this cell again.",
  cannot_run: "The model cannot be run in this page: {why}",
  saved_without_model: "the notebook was saved without it.",
  gone_before_sent: "Python was gone before it had sent it.",
  comma: ", ",
  saved_without: "This page was saved without {name}.",
};
