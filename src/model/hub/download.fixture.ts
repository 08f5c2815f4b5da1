/** Runs a download against fakes, and tells what came of it. */
import { type Fault, LabError } from '../../protocol/faults';
import { type DownloadProgress, downloadFiles } from './download';
import { COMMIT, type Fakes, HOST } from './fakes.fixture';
import type { HubFile, HubListing } from './listing';

export const MODEL = 'onnx/model_q4.onnx';
export const URL_OF_MODEL = `${HOST}/owner/name/resolve/${COMMIT}/${MODEL}`;

const LISTING: HubListing = {
  repo: 'owner/name',
  asked: 'main',
  revision: COMMIT,
  files: [],
  gated: false,
  parameters: null,
  stored: false,
};

export interface Run {
  texts: Record<string, string>;
  progress: DownloadProgress[];
  notices: Fault[];
}

/** Downloads with parts of 4 bytes, so that ten bytes are three parts. */
export async function run(
  { deps }: Fakes,
  files: HubFile[] = [{ path: MODEL, bytes: 10 }],
  signal = new AbortController().signal,
  partBytes = 4,
): Promise<Run> {
  const progress: DownloadProgress[] = [];
  const notices: Fault[] = [];
  const blobs = await downloadFiles(deps, {
    host: HOST,
    listing: LISTING,
    files,
    signal,
    partBytes,
    onProgress: (state) => progress.push(state),
    onNotice: (notice) => notices.push(notice),
  });
  const texts: Record<string, string> = {};
  for (const [path, blob] of blobs) texts[path] = await blob.text();
  return { texts, progress, notices };
}

export async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error: unknown = await work.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof LabError) return error.fault;
  throw error;
}
