import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The script goes into a page as it is, so nothing in it may look like the end of a script, or a comment, to HTML. */
const fitForHtml: Plugin = {
  name: "fit-for-html",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      const text = file.type === "chunk" ? file.code : String(file.source);
      const found = /<\/script|<\/style|<!--/i.exec(text);
      if (found) this.error(`${file.fileName} contains ${found[0]}, which a page cannot hold.`);
    }
  },
};

// One classic script and one style sheet: hyloop puts both into the pages that it writes.
export default defineConfig({
  plugins: [fitForHtml],
  build: {
    outDir: "../src/hyloop/viewer/static",
    emptyOutDir: false,
    target: "es2022",
    minify: true,
    cssMinify: true,
    reportCompressedSize: false,
    lib: {
      entry: "src/main.ts",
      formats: ["iife"],
      name: "hyloopViewer",
      fileName: () => "viewer.js",
      cssFileName: "viewer",
    },
  },
  test: { environment: "node", include: ["test/**/*.test.ts"] },
});
