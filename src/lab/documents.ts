/** Texts for the redundancy experiment: those of the page are fetched when they are used, a person's own live as long as the page. */
import { signal } from '@preact/signals';
import { LabError } from '../protocol/faults';
import type { DocumentText } from '../protocol/redundancy';
import { documentTitle, isBuiltInDocument, ownDocumentName } from '../protocol/redundancy-options';

/** Bytes of a document that is read at all; some thousand tokens are used. */
const DOCUMENT_LIMIT_BYTES = 5_000_000;

export interface OwnDocument {
  /** `own:<name>`, as in the recipe. */
  name: string;
  text: string;
  /** Of the text in UTF-8. */
  bytes: number;
}

/** By name, in the order in which they were given. */
export const ownDocuments = signal<ReadonlyMap<string, OwnDocument>>(new Map());

/** Texts of the page that were fetched already. */
const fetched = new Map<string, string>();

/**
 * Keeps a text that was pasted, and gives its name in the recipe. The same title again replaces the text of before.
 * @throws LabError document-empty, document-too-large.
 */
export function addDocument(title: string, text: string): string {
  const name = ownDocumentName(title);
  const bytes = new TextEncoder().encode(text).length;
  requireSize(name, bytes);
  if (text.trim() === '') throw new LabError('document-empty');
  ownDocuments.value = new Map([...ownDocuments.value, [name, { name, text, bytes }]]);
  return name;
}

/**
 * Keeps the text of a file (.txt, .md) under the file's name. A byte order mark is no part of it.
 * @throws LabError document-too-large before anything is read; document-empty; document-not-text for what is no UTF-8.
 */
export async function addDocumentFile(file: Pick<File, 'name' | 'size' | 'arrayBuffer'>): Promise<string> {
  const name = ownDocumentName(file.name);
  requireSize(name, file.size);
  return addDocument(file.name, textOf(await file.arrayBuffer(), name));
}

export function removeDocument(name: string): void {
  ownDocuments.value = new Map([...ownDocuments.value].filter(([other]) => other !== name));
}

/**
 * The text of a document by its name in the recipe.
 * @param signal gives the fetching of a text of the page up.
 * @throws LabError document-missing for an own text that is not here, page-outdated for a text of the page that cannot be
 * fetched (whoever shows it asks whether the server answers at all), document-not-text, cancelled.
 */
export async function documentText(name: string, signal?: AbortSignal): Promise<string> {
  const own = ownDocuments.value.get(name);
  if (own !== undefined) return own.text;
  if (!isBuiltInDocument(name)) throw new LabError('document-missing', { name: documentTitle(name) });
  const known = fetched.get(name);
  if (known !== undefined) return known;
  const text = textOf(await fetchText(name, signal), name);
  fetched.set(name, text);
  return text;
}

/**
 * All documents of a recipe with their hashes, in its order; an own text that is missing is told before anything is fetched.
 * @throws LabError as {@link documentText}.
 */
export async function openDocuments(names: readonly string[], signal: AbortSignal): Promise<DocumentText[]> {
  for (const name of names)
    if (!isBuiltInDocument(name) && !ownDocuments.value.has(name))
      throw new LabError('document-missing', { name: documentTitle(name) });
  return await Promise.all(
    names.map(async (name) => {
      const text = await documentText(name, signal);
      return { name, text, sha256: await sha256(text) };
    }),
  );
}

function requireSize(name: string, bytes: number): void {
  if (bytes > DOCUMENT_LIMIT_BYTES)
    throw new LabError('document-too-large', {
      name: documentTitle(name),
      bytes,
      limit: DOCUMENT_LIMIT_BYTES,
    });
}

async function fetchText(name: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  try {
    const answer = await fetch(new URL(`texts/${name}.txt`, document.baseURI), signal ? { signal } : {});
    // A server that answers with its start page for whatever it lacks has not this text.
    const html = answer.headers.get('content-type')?.includes('html') === true;
    if (answer.ok && !html) return await answer.arrayBuffer();
  } catch {
    if (signal?.aborted === true) throw new LabError('cancelled');
    // Else as for any other part of the page that cannot be fetched.
  }
  throw new LabError('page-outdated');
}

function textOf(bytes: ArrayBuffer, name: string): string {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new LabError('document-not-text', {
      name: documentTitle(name),
      detail: 'it has bytes that no UTF-8 has',
    });
  }
  // A picture or a program may by chance be UTF-8; no text has a zero byte.
  if (text.includes('\0'))
    throw new LabError('document-not-text', { name: documentTitle(name), detail: 'it has zero bytes' });
  return text;
}

/** Of the text's UTF-8 bytes, in hexadecimal; null outside secure pages, where browsers compute none. */
async function sha256(text: string): Promise<string | null> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (subtle === undefined) return null;
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
