// Just enough of Python's tokens to colour a program.

export type Token = {
  text: string;
  role: "plain" | "keyword" | "string" | "comment" | "number" | "decorator" | "name";
};

const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield True False None".split(
    " ",
  ),
);
const PIECE =
  /(?<comment>#.*)|(?<open>[rRbBfFuU]{0,2}(?:"""|'''))|(?<string>[rRbBfFuU]{0,2}(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'))|(?<decorator>@[\w.]+)|(?<word>[^\W\d]\w*)|(?<number>\d[\d_.]*(?:[eE][+-]?\d+)?)|(?<other>[^\w#"'@]+|.)/gu;

/** The tokens of each line. */
export function tokenise(lines: readonly string[]): Token[][] {
  let quote = ""; // of the string that goes on from the line before
  return lines.map((line) => {
    const tokens: Token[] = [];
    let at = 0;
    while (at < line.length) {
      if (quote !== "") {
        const end = line.indexOf(quote, at);
        const stop = end < 0 ? line.length : end + quote.length;
        tokens.push({ text: line.slice(at, stop), role: "string" });
        if (end >= 0) quote = "";
        at = stop;
        continue;
      }
      PIECE.lastIndex = at;
      const match = PIECE.exec(line);
      if (!match) break;
      at = PIECE.lastIndex;
      const groups = match.groups ?? {};
      if (groups.open) quote = groups.open.slice(-3);
      tokens.push({ text: match[0], role: roleOf(groups, tokens) });
    }
    return tokens;
  });
}

function roleOf(groups: { [name: string]: string | undefined }, before: readonly Token[]): Token["role"] {
  if (groups.comment) return "comment";
  if (groups.open || groups.string) return "string";
  if (groups.decorator) return "decorator";
  if (groups.number) return "number";
  if (!groups.word) return "plain";
  if (KEYWORDS.has(groups.word)) return "keyword";
  return before.at(-2)?.text === "def" ? "name" : "plain";
}
