/** A repository as the hub keeps it: its files as bytes with their hashes, its revisions, and its listing. */
import { createHash } from 'node:crypto';
import type { FakeRepo, FileContent } from './types';

export interface StoredFile {
  repo: StoredRepo;
  path: string;
  bytes: Uint8Array;
  sha256: string;
  /** Large files are in Git LFS and come from the CDN. */
  lfs: boolean;
  /** Its address below `/cdn/`: of this file in this repository, so that a fault finds it. */
  cdnKey: string;
}

export interface StoredRepo extends FakeRepo {
  stored: Map<string, StoredFile>;
}

/** What the hub keeps in Git LFS by its .gitattributes. */
const LFS = /\.(onnx|onnx_data(_\d+)?|safetensors)$/;

export function storeRepo(repo: FakeRepo): StoredRepo {
  const kept: StoredRepo = { ...repo, stored: new Map() };
  for (const [path, content] of repo.files) {
    const bytes = bytesOf(content);
    kept.stored.set(path, {
      repo: kept,
      path,
      bytes,
      sha256: sha256(bytes),
      lfs: LFS.test(path),
      cdnKey: sha256(`${repo.id}/${path}`),
    });
  }
  return kept;
}

/** The commit that a revision names: `main`, the commit itself, or its first 7 digits or more; else null. */
export function resolveRevision(repo: FakeRepo, revision: string): string | null {
  const isCommit = /^[0-9a-f]{7,40}$/.test(revision) && repo.sha.startsWith(revision);
  return revision === 'main' || isCommit ? repo.sha : null;
}

/**
 * The answer of `/api/models/{id}/revision/{revision}`.
 * @param withBlobs Sizes and LFS hashes are only told when asked for (`?blobs=true`).
 * @param bytesAt The bytes of a file as they are served now.
 */
export function listing(
  repo: StoredRepo,
  withBlobs: boolean,
  bytesAt: (file: StoredFile) => Uint8Array,
): Record<string, unknown> {
  const files = [...repo.stored.values()].map((file) => {
    const bytes = bytesAt(file);
    const hash = bytes === file.bytes ? file.sha256 : sha256(bytes);
    return {
      path: file.path,
      size: bytes.length,
      lfs: file.lfs ? { sha256: hash, size: bytes.length } : null,
    };
  });
  const absent = [...(repo.listedOnly ?? [])].map(([path, size]) => ({
    path,
    size,
    lfs: LFS.test(path) ? { sha256: sha256(path), size } : null,
  }));
  const siblings = [...files, ...absent].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    id: repo.id,
    modelId: repo.id,
    sha: repo.sha,
    private: false,
    gated: repo.gated ?? false,
    library_name: 'transformers.js',
    ...(repo.safetensorsTotal === undefined
      ? {}
      : { safetensors: { parameters: { BF16: repo.safetensorsTotal }, total: repo.safetensorsTotal } }),
    siblings: siblings.map(({ path, size, lfs }) => ({
      rfilename: path,
      ...(withBlobs ? { size, ...(lfs ? { lfs: { ...lfs, pointerSize: 134 } } : {}) } : {}),
    })),
  };
}

function bytesOf(content: FileContent): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

function sha256(content: FileContent): string {
  return createHash('sha256').update(content).digest('hex');
}
