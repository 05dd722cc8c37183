import { defineConfig } from "vitest/config";

// One classic script and one style sheet: hyloop puts both into the pages that it writes.
export default defineConfig({
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
