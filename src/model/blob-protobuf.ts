/** Walks the fields of a protobuf message inside a Blob through a small window, so that what is skipped is never read. */
import { LabError } from '../protocol/faults';

/** One field of a message: a number for the wire types varint and fixed, a range of the file for the rest. */
export interface Field {
  number: number;
  /** The value of a varint (as int64, exact up to 2^53); null for every other wire type. */
  varint: number | null;
  /** Where the content of a length-delimited field begins; null for every other wire type. */
  body: number | null;
  /** Where the next field begins, in bytes from the start of the file. */
  end: number;
}

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 };
/** A tag and a length, ten bytes each at most (protobuf encoding, "Base 128 Varints"). */
const HEAD_BYTES = 20;
const MAX_VARINT_BYTES = 10;
/** After a jump over weights the next few fields are often short; the window grows while reading goes on. */
const FIRST_WINDOW = 4096;
const LAST_WINDOW = 256 * 1024;
/** Longest text that is read: names in real graphs have at most some hundred bytes. */
const MAX_TEXT_BYTES = 4096;
/** Longest list of packed numbers: the dims of one tensor. */
const MAX_PACKED_BYTES = 256;

export class BlobProtobuf {
  readonly size: number;
  private window = new Uint8Array(0);
  private windowStart = 0;
  private windowSize = FIRST_WINDOW;

  /** @param file The name that faults show. */
  constructor(
    private readonly blob: Blob,
    private readonly file: string,
  ) {
    this.size = blob.size;
  }

  /** @throws LabError model-corrupt, always. */
  fail(detail: string): never {
    throw new LabError('model-corrupt', { file: this.file, detail });
  }

  /**
   * Calls `visit` for each field of the message in [start, end), in the file's order.
   * @throws LabError model-corrupt for a field that is none or reaches over the end of its message.
   */
  async walk(start: number, end: number, visit: (field: Field) => Promise<void> | undefined): Promise<void> {
    let at = start;
    while (at < end) {
      // Only what really waits is awaited: a graph has some hundred thousand fields.
      const head = Math.min(HEAD_BYTES, end - at);
      if (!this.covers(at, head)) await this.cover(at, head);
      const field = this.fieldAt(at, end);
      const visited = visit(field);
      if (visited) await visited;
      at = field.end;
    }
  }

  /** The varints of a packed field; a damaged tag can make weights look like one, so a long one is refused unread. */
  async packed({ body, end }: Field): Promise<number[]> {
    if (body === null || end - body > MAX_PACKED_BYTES)
      return this.fail('a list of dimensions in it is too long');
    const values: number[] = [];
    let at = body;
    while (at < end) {
      await this.cover(at, Math.min(MAX_VARINT_BYTES, end - at));
      const { value, next } = this.varintAt(at, end);
      values.push(value);
      at = next;
    }
    return values;
  }

  /** The content of a length-delimited field as text; bytes that are no UTF-8 become U+FFFD. */
  async text({ body, end }: Field): Promise<string> {
    if (body === null) return this.fail('a name in it is a number');
    if (end - body > MAX_TEXT_BYTES) return this.fail(`a name in it is ${end - body} bytes long`);
    await this.cover(body, end - body);
    return new TextDecoder().decode(this.window.subarray(body - this.windowStart, end - this.windowStart));
  }

  /** The field that begins there; the caller has covered its head. */
  private fieldAt(at: number, end: number): Field {
    const tag = this.varintAt(at, end);
    const number = Math.floor(tag.value / 8);
    if (number < 1 || number >= 2 ** 29) return this.fail(`byte ${at} begins no field`);
    const field = { number, varint: null, body: null };
    switch (tag.value % 8) {
      case WIRE.varint: {
        const { value, next } = this.varintAt(tag.next, end);
        return { ...field, varint: value, end: next };
      }
      case WIRE.fixed64:
        return { ...field, end: this.within(tag.next, 8, end) };
      case WIRE.fixed32:
        return { ...field, end: this.within(tag.next, 4, end) };
      case WIRE.bytes: {
        const { value, next } = this.varintAt(tag.next, end);
        return { ...field, body: next, end: this.within(next, value, end) };
      }
      default:
        return this.fail(`byte ${at} begins no field`);
    }
  }

  private within(at: number, length: number, end: number): number {
    if (length >= 0 && at + length <= end) return at + length;
    return at + length > this.size
      ? this.fail(`it ends after ${this.size} bytes, but at least ${at + length} were announced`)
      : this.fail(`the field at byte ${at} is longer than what holds it`);
  }

  /** Reads from the window; the caller has covered the bytes. */
  private varintAt(at: number, end: number): { value: number; next: number } {
    let value = 0;
    for (let i = 0; i < MAX_VARINT_BYTES && at + i < end; i++) {
      const byte = this.window[at + i - this.windowStart] ?? 0;
      // 7 bytes are 49 bits and stay exact; the rare longer ones (negative numbers have 10) go by BigInt.
      if (i === 7) return this.longVarintAt(at, end);
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return { value, next: at + i + 1 };
    }
    return this.fail(`it ends inside the number at byte ${at}`);
  }

  private longVarintAt(at: number, end: number): { value: number; next: number } {
    let value = 0n;
    for (let i = 0; i < MAX_VARINT_BYTES && at + i < end; i++) {
      const byte = this.window[at + i - this.windowStart] ?? 0;
      value |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) return { value: Number(BigInt.asIntN(64, value)), next: at + i + 1 };
    }
    return this.fail(`the number at byte ${at} does not end`);
  }

  private covers(at: number, length: number): boolean {
    return at >= this.windowStart && at + length <= this.windowStart + this.window.length;
  }

  /** Makes the window hold [at, at + length). */
  private async cover(at: number, length: number): Promise<void> {
    if (this.covers(at, length)) return;
    const windowEnd = this.windowStart + this.window.length;
    const goesOn = at >= this.windowStart && at <= windowEnd;
    this.windowSize = goesOn ? Math.min(4 * this.windowSize, LAST_WINDOW) : FIRST_WINDOW;
    const stop = Math.min(this.size, at + Math.max(this.windowSize, length));
    try {
      this.window = new Uint8Array(await this.blob.slice(at, stop).arrayBuffer());
    } catch (error) {
      this.fail(`it cannot be read (${error instanceof Error ? error.message : String(error)})`);
    }
    this.windowStart = at;
    if (this.window.length < length) this.fail(`it ends after ${at + this.window.length} bytes`);
  }
}
