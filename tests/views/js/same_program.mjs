// Whether two files hold the same program: TypeScript reads both and prints them without comments.
// node same_program.mjs FILE FILE [FILE FILE...] prints a line for each two: true or false, and how long the first is.
import { readFileSync } from "node:fs";
import typescript from "typescript";

const printer = typescript.createPrinter({ removeComments: true });
/** @param {string} file */
const printed = (file) => {
  const text = readFileSync(file, "utf-8");
  return printer.printFile(typescript.createSourceFile(file, text, typescript.ScriptTarget.ES2022));
};
const files = process.argv.slice(2);
for (let i = 0; i < files.length; i += 2) {
  const [first, second] = [printed(files[i]), printed(files[i + 1])];
  console.log(first === second, first.length);
}
