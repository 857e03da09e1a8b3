// Whether two files hold the same program: TypeScript reads both and prints them without comments.
import { readFileSync } from "node:fs";
import ts from "typescript";

const printer = ts.createPrinter({ removeComments: true });
const [first, second] = process.argv
  .slice(2)
  .map((file) => printer.printFile(ts.createSourceFile(file, readFileSync(file, "utf-8"), ts.ScriptTarget.ES2022)));
console.log(first === second, first.length);
