import { el } from "../dom";

/** Hand a file to the browser, which saves it. */
export function download(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The name of a file without its folder and endings, of plain characters only. */
export function stemOf(from: string): string {
  const last = from.split(/[\\/]/).pop() ?? "";
  const stem = last
    .replace(/(\.hif)?\.[a-z]+(\.gz)?$/i, "")
    .replace(/[^\p{L}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return stem.slice(0, 80) || "hypergraph";
}
