/** Documents: the page's own are fetched once, a person's are checked and named, what is missing or no text is told. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeFault, LabError } from '../protocol/faults';
import {
  addDocument,
  addDocumentFile,
  documentText,
  openDocuments,
  ownDocuments,
  removeDocument,
} from './documents';

const NEVER = new AbortController().signal;
const fetchStub = vi.fn<typeof fetch>();

function file(name: string, bytes: Uint8Array<ArrayBuffer>, size = bytes.length) {
  return { name, size, arrayBuffer: () => Promise.resolve(bytes.buffer) };
}
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function sentenceOf(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof LabError) return describeFault(error.fault);
    throw error;
  }
  return 'nothing was refused';
}

beforeEach(() => {
  vi.stubGlobal('document', { baseURI: 'https://lab.example/kv/index.html' });
  vi.stubGlobal('fetch', fetchStub);
});
afterEach(() => {
  vi.unstubAllGlobals();
  fetchStub.mockReset();
  ownDocuments.value = new Map();
});

describe('an own text', () => {
  it('has the name of its file, and is handed out under it', async () => {
    expect(await addDocumentFile(file('회의록.md', utf8('\uFEFF안녕')))).toBe('own:회의록');
    expect(addDocument('a, b', 'pasted')).toBe('own:a b');
    expect([...ownDocuments.value.values()]).toEqual([
      { name: 'own:회의록', text: '안녕', bytes: 6 },
      { name: 'own:a b', text: 'pasted', bytes: 6 },
    ]);
    expect(await documentText('own:회의록')).toBe('안녕');
    removeDocument('own:회의록');
    expect([...ownDocuments.value.keys()]).toEqual(['own:a b']);
  });

  it('replaces the one of the same name', () => {
    addDocument('notes', 'old');
    addDocument('notes.txt', 'new');
    expect([...ownDocuments.value.values()].map(({ text }) => text)).toEqual(['new']);
  });

  it.each([
    ['latin.txt', new Uint8Array([0x63, 0x61, 0x66, 0xe9]), /“latin” is not text in UTF-8: it has bytes/],
    ['tool.txt', new Uint8Array([0x4d, 0x5a, 0x00, 0x01]), /is not text in UTF-8: it has zero bytes/],
    ['none.txt', utf8(' \n'), /^The text is empty: paste one, or choose a file\.$/],
  ])('%s is refused', async (name, bytes, sentence) => {
    expect(await sentenceOf(() => addDocumentFile(file(name, bytes)))).toMatch(sentence);
    expect(ownDocuments.value.size).toBe(0);
  });

  it('is refused by its size before it is read', async () => {
    const large = {
      ...file('book.txt', utf8('x'), 5_000_001),
      arrayBuffer: () => Promise.reject(new Error('read')),
    };
    expect(await sentenceOf(() => addDocumentFile(large))).toBe(
      'The document “book” has 5,000,001 bytes; at most 5,000,000 are read. Give its first part: only its first tokens are used.',
    );
  });

  it('that a link names and that is not here is told before anything is fetched', async () => {
    expect(await sentenceOf(() => openDocuments(['model-card', 'own:notes'], NEVER))).toMatch(
      /^The document “notes” is not here: a link cannot carry a text of your own/,
    );
    expect(fetchStub).not.toHaveBeenCalled();
  });
});

describe('a text of the page', () => {
  it('is fetched from beside the page, once, and comes with its hash', async () => {
    fetchStub.mockResolvedValue(new Response('abc', { headers: { 'content-type': 'text/plain' } }));
    // NIST's example of SHA-256 for "abc".
    const document = {
      name: 'model-card',
      text: 'abc',
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    };
    expect(await openDocuments(['model-card'], NEVER)).toEqual([document]);
    expect(await openDocuments(['model-card'], NEVER)).toEqual([document]);
    expect(fetchStub.mock.calls.map(([url]) => String(url as URL))).toEqual([
      'https://lab.example/kv/texts/model-card.txt',
    ]);
  });

  it.each([
    ['the server is gone', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['it is not there', () => Promise.resolve(new Response('', { status: 404 }))],
    [
      'the start page comes in its place',
      () => Promise.resolve(new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })),
    ],
  ])('that cannot be fetched is a part of the page that is gone: %s', async (_, answer) => {
    fetchStub.mockImplementation(answer);
    expect(await sentenceOf(() => documentText('python-code'))).toMatch(/^A newer version of this page/);
  });

  it('is not waited for after Cancel', async () => {
    fetchStub.mockImplementation((_, init) => {
      init?.signal?.throwIfAborted();
      return new Promise(() => undefined);
    });
    expect(await sentenceOf(() => documentText('korean-report', AbortSignal.abort()))).toBe('Cancelled.');
  });
});
