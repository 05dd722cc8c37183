/**
 * How many of a list to show where there is room for so many: one more, if that is all that would be left out, since
 * "and 1 more" says less and is no shorter.
 */
export function few(count: number, most: number): number {
  return count === most + 1 ? count : most;
}
