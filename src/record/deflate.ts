/** Text to base64url of deflate-raw and back, by the browser's own streams. */

/** Reads a stream to its end; more than `limit` bytes is an Error, at once. */
async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      // Cancelling may itself fail on a stream that is already broken; the limit is the error to tell.
      await reader.cancel().catch(() => undefined);
      throw new Error(`more than ${limit} bytes`);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

// pipeThrough handles the rejection of the writing side itself: a broken stream fails only the read.
const through = (bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream) =>
  new Blob([bytes]).stream().pipeThrough(transform);

/** UTF-8, deflated, in base64url without padding. */
export async function deflateText(text: string): Promise<string> {
  const bytes = await collect(
    through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')),
    Infinity,
  );
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** The text again. @throws Error (or a DOMException of the browser) on anything damaged, or over `limit` inflated bytes. */
export async function inflateText(packed: string, limit: number): Promise<string> {
  const binary = atob(packed.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const inflated = await collect(through(bytes, new DecompressionStream('deflate-raw')), limit);
  return new TextDecoder('utf-8', { fatal: true }).decode(inflated);
}
