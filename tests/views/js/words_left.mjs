// Sentences and names in a view's modules that stand outside its tables: for test_language.py.
// node words_left.mjs FILE... prints one line for each.
import { readFile } from "node:fs/promises";
import typescript from "typescript";

/** Attributes, and properties that become ones, that a reader sees or hears. */
const SPOKEN = ["aria-label", "aria-valuetext", "title", "label", "summary", "placeholder"];
/** What puts text into the page: the place of the first argument that is text. */
const WRITERS = { element: 2, setText: 1, replaceChildren: 0, append: 0, tick: 0, slide: 0, choice: 0, makeSwitch: 1 };

const isWord = (text) => /\p{Ll}{3}/u.test(text);
const isSentence = (text) => /\p{Ll}{2,}[,:;.]? \p{L}{2,}/u.test(text) && !/bvl-|[{}<>=]|=>/.test(text);

/** @param {any} node @returns {string | null} what it says; a value within it is a space */
function textOf(node) {
  if (typescript.isStringLiteralLike(node)) return node.text;
  if (!typescript.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(" ");
}

/** Whether a string reaches the reader by where it stands. @param {any} node */
function isWritten(node) {
  const { parent } = node;
  if (typescript.isConditionalExpression(parent) && parent.condition !== node) return isWritten(parent);
  if (typescript.isPropertyAssignment(parent)) {
    return parent.initializer === node && SPOKEN.includes(parent.name.text ?? parent.name.getText());
  }
  if (!typescript.isCallExpression(parent)) return false;
  const name = parent.expression.name?.text ?? parent.expression.getText();
  return Object.hasOwn(WRITERS, name) && parent.arguments.indexOf(node) >= WRITERS[name];
}

for (const file of process.argv.slice(2)) {
  const source = await readFile(file, "utf8");
  const tree = typescript.createSourceFile(file, source, typescript.ScriptTarget.ES2022, true);
  const visit = (/** @type {any} */ node) => {
    const text = typescript.isImportDeclaration(node) ? null : textOf(node);
    if (text !== null && ((isWritten(node) && isWord(text)) || isSentence(text))) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      console.log(`${file}:${line + 1}: ${text}`);
    }
    typescript.forEachChild(node, visit);
  };
  visit(tree);
}
