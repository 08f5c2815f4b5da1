/** Whether an answer is what was asked for. Single-page servers answer every path with index.html; that must never be stored. */
import { LabError } from '../../protocol/faults';

/** Bytes that are looked at. */
const HEAD_BYTES = 256;
/** Longest JSON that is read to see whether it is JSON; tokenizers have tens of megabytes. */
const MAX_JSON_BYTES = 100_000_000;

/**
 * Refuses an answer by its content type: HTML is never a file of a model.
 * @throws LabError hub-wrong-type.
 */
export function checkType(response: Response, file: string): void {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'text/html' || type === 'application/xhtml+xml') throw wrongType(file, 'HTML');
}

/**
 * Refuses a file by its first bytes: a page, or a Git LFS pointer in place of the file. Weights outside the ONNX file may
 * begin with any byte, so that only a whole HTML tag counts there.
 * @throws LabError hub-wrong-type.
 */
export async function checkHead(file: string, content: Blob): Promise<void> {
  const head = (await content.slice(0, HEAD_BYTES).text()).trimStart().toLowerCase();
  const strict = /\.(json|onnx)$/.test(file);
  if (/^<(!doctype\s+html|html|head|body)/.test(head) || (strict && head.startsWith('<'))) {
    throw wrongType(file, 'HTML');
  }
  if (head.startsWith('version https://git-lfs')) throw wrongType(file, 'a Git LFS pointer');
}

/** Refuses a .json file that is none. @throws LabError hub-wrong-type. */
export async function checkJson(file: string, content: Blob): Promise<void> {
  if (!file.endsWith('.json') || content.size > MAX_JSON_BYTES) return;
  try {
    JSON.parse(await content.text());
  } catch {
    throw wrongType(file, 'text that is not JSON');
  }
}

function wrongType(file: string, found: string): LabError {
  return new LabError('hub-wrong-type', { file, found });
}
