/** Lists of names, written as running text. */

/** The words of a text, at any whitespace. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
