// Few rules: what TypeScript's strict check does not see, and what no view may do.
const imports = ["ImportNamespaceSpecifier", "ImportDefaultSpecifier", "ExportAllDeclaration", "ExportSpecifier"];

export default [
  {
    files: ["**/*.js", "**/*.mjs"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "max-len": ["error", 120],
      "max-lines": ["error", 500],
      "max-params": ["error", 7],
      "no-shadow": "error",
      "no-unused-expressions": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["bertviz_lite/views/**/*.js"],
    rules: {
      // A token may hold anything: text goes into text nodes, never into markup.
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property })),
        { object: "document", property: "write" },
      ],
      // A view needs no network and leaves nothing behind, but for the language that its reader chose (language.js).
      "no-restricted-globals": ["error", "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "localStorage"],
      // What can be joined to one module: files beside, by name (read_module in views/base).
      "no-restricted-imports": ["error", { patterns: [{ regex: "^[^.]", message: "A view stands on its own." }] }],
      "no-restricted-syntax": [
        "error",
        ...imports.map((selector) => ({ selector, message: "Import and export by name." })),
      ],
    },
  },
];
