// What the labels of pictures run into: `node scripts/clashes.mjs FILE.json`, of which benchmarks/labels.py makes the file.
import { readFileSync } from "node:fs";
import { createServer } from "vite";

const server = await createServer({
  server: { middlewareMode: true, ws: false },
  appType: "custom",
  logLevel: "error",
});
const { clashesOf, laidOut, ROOMS } = await server.ssrLoadModule("/test/clashes.ts");
const documents = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const found = Object.entries(documents).flatMap(([name, hypergraph]) =>
  Object.keys(ROOMS).map((window) => {
    const started = performance.now();
    const { graph, layout } = laidOut({ hypergraph }, window);
    const milliseconds = performance.now() - started;
    return { name, window, mode: layout.mode, n: graph.n, m: graph.m, ...clashesOf(graph, layout), milliseconds };
  }),
);
process.stdout.write(JSON.stringify(found));
await server.close();
