/** What ONNX Runtime said, as one line of a record. */

const ANSI_COLOUR = new RegExp(String.raw`\u001b?\[[\d;]*m`, 'g');
const MOST_CHARACTERS = 300;

export function messageOf(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).replace(ANSI_COLOUR, '');
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}
