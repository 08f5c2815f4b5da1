/** How far a download is: in all, and file by file. Without a total it says bytes so far, and no percent. */
import { useRef } from 'preact/hooks';
import type { DownloadProgress } from '../../lab/opening';
import { percentOf, remainingMs, type Moment } from './download-progress';
import { useHubUi } from './text';

interface Props {
  download: DownloadProgress | null;
  /** A duration in words. */
  duration: (ms: number) => string;
}

export function Download({ download, duration }: Props) {
  const { hub, tr } = useHubUi();
  const left = useRemaining(download);
  if (download === null) {
    return (
      <>
        <progress aria-label={hub('down.title')} />
        <p>{hub('down.starting')}</p>
      </>
    );
  }
  const { done, total, files } = download;
  const percent = percentOf(done, total);
  const complete = files.filter((file) => isComplete(file)).length;
  const opening = complete === files.length;
  return (
    <>
      <progress max={100} value={percent ?? undefined} aria-label={hub('down.title')} />
      <p>
        {percent !== null && <strong>{percent} % </strong>}
        {[
          hub(opening ? 'down.opening' : 'down.title'),
          <Amount key="amount" done={done} total={total} />,
          left === null || opening ? null : tr('run.estimate', { time: duration(left) }),
        ]
          .filter((part) => part !== null)
          .flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))}
      </p>
      <details class="hub-files">
        <summary>{hub('down.files', { done: complete, total: files.length })}</summary>
        <ul>
          {files.map((file, index) => (
            // Two models have files of the same names, and the order never changes.
            <li key={index}>
              <File file={file} />
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function isComplete({ done, total }: DownloadProgress['files'][number]): boolean {
  return total !== null && done >= total;
}

function Amount({ done, total }: { done: number; total: number | null }) {
  const { hub, size } = useHubUi();
  return (
    <span>
      {total === null
        ? hub('down.soFar', { done: size(done) })
        : hub('down.of', { done: size(Math.min(done, total)), total: size(total) })}
    </span>
  );
}

function File({ file }: { file: DownloadProgress['files'][number] }) {
  const { hub, size } = useHubUi();
  const { path, done, total } = file;
  const percent = percentOf(done, total);
  return (
    <>
      <span class="hub-path">{path}</span>
      {isComplete(file) ? (
        <span>{size(done)}</span>
      ) : done === 0 ? (
        <span class="muted">{hub('down.waits')}</span>
      ) : (
        <Amount done={done} total={total} />
      )}
      <progress
        max={100}
        value={total === 0 ? 100 : done === 0 ? 0 : (percent ?? undefined)}
        aria-label={hub('down.file', { path, state: percent === null ? '' : `${String(percent)} %` })}
      />
    </>
  );
}

/** ms that are probably left, by the speed since the first byte that this download brought. */
function useRemaining(download: DownloadProgress | null): number | null {
  const began = useRef<Moment | null>(null);
  if (download === null) return null;
  const now = { at: performance.now(), done: download.done };
  began.current ??= now;
  return remainingMs(began.current, now, download.total);
}
