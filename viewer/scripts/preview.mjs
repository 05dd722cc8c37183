// node scripts/preview.mjs TRACE.json[.gz] OUT.html: a page like hyloop's, from the last build; its script is not packed.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";

const [trace, out] = process.argv.slice(2);
if (!trace || !out) {
  console.error("Say: node scripts/preview.mjs TRACE.json OUT.html");
  process.exit(2);
}
const built = (name) => readFileSync(new URL(`../../src/hyloop/viewer/static/${name}`, import.meta.url), "utf8");
const given = readFileSync(trace);
const json = given[0] === 0x1f && given[1] === 0x8b ? gunzipSync(given) : given;
const script = built("viewer.js");
const hash = createHash("sha256").update(script).digest("base64");
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:`;
writeFileSync(
  out,
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>hyloop</title>
<style>${built("viewer.css")}</style>
</head>
<body>
<main id="app"></main>
<script type="text/plain" id="hyloop-trace">${gzipSync(json).toString("base64")}</script>
<script>${script}</script>
</body>
</html>
`,
);
