/** A model from a local folder: chosen with the file picker or dropped on the page, put under the hub's paths. */
import { LabError } from '../../protocol/faults';
import type { HubFile } from './listing';
import { isModelFile } from './variants';

/** A file with its path as the browser tells it: below the folder that was chosen, that folder included. */
export interface LocalFile {
  path: string;
  file: Blob;
}

export interface LocalModel {
  /** Name of the folder that holds config.json, for the id `local:<folder>`. */
  folder: string;
  /** By path inside the repository: config.json, onnx/model.onnx, … */
  files: Map<string, Blob>;
  /** The same as a file list, for `variantsOf`. */
  listing: HubFile[];
}

/** A folder of models, not one model: more is not looked at. */
const MAX_FILES = 5000;
const MAX_NAME = 100;

/** The files of `<input type="file">`, with or without `webkitdirectory`. */
export function pickedFiles(files: Iterable<File>): LocalFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/**
 * The files of dropped items, folders walked through (`DataTransferItem.webkitGetAsEntry`, called by the page while the drop
 * event lasts). Hidden files and folders are passed over.
 * @throws DOMException when the browser cannot read one.
 */
export async function droppedFiles(entries: Iterable<FileSystemEntry>): Promise<LocalFile[]> {
  const found: LocalFile[] = [];
  const waiting = [...entries];
  for (let entry = waiting.pop(); entry !== undefined && found.length < MAX_FILES; entry = waiting.pop()) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory) {
      waiting.push(...(await children(entry as FileSystemDirectoryEntry)));
    } else {
      found.push({
        path: entry.fullPath.replace(/^\/+/, ''),
        file: await fileOf(entry as FileSystemFileEntry),
      });
    }
  }
  return found;
}

/**
 * Finds the model in the files of a folder: config.json beside the ONNX files or above their folder `onnx`. Folders around
 * it are stripped, and ONNX files beside config.json are put under `onnx/`.
 * @throws LabError local-no-config, local-several, local-no-onnx.
 */
export function localModel(given: readonly LocalFile[]): LocalModel {
  const shown = given.filter(({ path }) => !path.split('/').some((part) => part.startsWith('.')));
  const root = rootOf(shown);
  const files = new Map<string, Blob>();
  for (const { path, file } of shown) {
    if (!path.startsWith(root)) continue;
    const inside = path.slice(root.length);
    if (!inside.includes('/') && !isModelFile(inside)) files.set(inside, file);
    if (inside.startsWith('onnx/')) files.set(inside, file);
  }
  for (const { path, file } of shown) {
    const inside = path.startsWith(root) ? path.slice(root.length) : '';
    const place = `onnx/${inside}`;
    if (isModelFile(inside) && !inside.includes('/') && !files.has(place)) files.set(place, file);
  }
  const folder = (root.split('/').at(-2) ?? 'files').slice(0, MAX_NAME);
  if (![...files.keys()].some((path) => path.endsWith('.onnx'))) {
    throw new LabError('local-no-onnx', { folder });
  }
  const listing = [...files].map(([path, file]) => ({ path, bytes: file.size }));
  return { folder, files, listing };
}

/** The folder of the config.json that is nearest to the top, with a slash at its end; empty for bare files. */
function rootOf(files: readonly LocalFile[]): string {
  const roots = files
    .map(({ path }) => /^(.*\/)?config\.json$/.exec(path))
    .flatMap((match) => (match ? [match[1] ?? ''] : []));
  const depth = (root: string): number => root.split('/').length;
  const top = Math.min(...roots.map(depth));
  const [root, ...others] = roots.filter((candidate) => depth(candidate) === top);
  if (root === undefined) {
    const folder = (files[0]?.path.split('/').slice(0, -1)[0] ?? 'files').slice(0, MAX_NAME);
    throw new LabError('local-no-config', { folder });
  }
  if (others.length > 0) {
    // Browsers give files in any order.
    const folders = [root, ...others]
      .map((name) => name.replace(/\/$/, ''))
      .sort()
      .slice(0, 5);
    throw new LabError('local-several', { folders: folders.join(', ') });
  }
  return root;
}

/** All entries of a folder; browsers give a hundred at a time. */
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0 || all.length > MAX_FILES) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });
}
