/** What a run is doing, how far it is, how long it will take. Screen readers hear it only now and then. */
import { useEffect, useRef } from 'preact/hooks';
import { isOutside } from '../lab/models';
import { useUi } from './context';
import { lazyPart } from './lazy-part';
import { modelName } from './model-name';

/** ms between two announcements of the same phase. */
const ANNOUNCE_MS = 10_000;

const Download = lazyPart(async () => (await import('./hub/download')).Download);

export function Progress() {
  const { store, announce } = useUi();
  const { status, download, progress, elapsedMs } = store.run.value;
  const doing = useDoing();
  // A download of nothing has no share of it.
  const percent = Number.isFinite(progress) ? Math.floor(Math.min(1, progress) * 100) : 0;
  const measures = status === 'running' && (elapsedMs > 0 || progress > 0);
  const counts = measures || (status === 'downloading' && progress > 0);

  const last = useRef({ doing: '', at: 0 });
  useEffect(() => {
    const now = performance.now();
    if (last.current.doing === doing && now - last.current.at < ANNOUNCE_MS) return;
    last.current = { doing, at: now };
    announce(counts ? `${doing}, ${String(percent)} %` : doing);
  });

  return (
    <div class="progress" data-testid="progress">
      {status === 'downloading' ? (
        <Download download={download} duration={useDuration()} />
      ) : (
        <Bar doing={doing} percent={measures ? percent : null} asks={status === 'asking'} />
      )}
    </div>
  );
}

/** What goes on, in a few words. */
function useDoing(): string {
  const { tr, store } = useUi();
  const { status, phase, model, elapsedMs } = store.run.value;
  if (status === 'waiting' || status === 'asking' || status === 'downloading') return tr(`run.${status}`);
  if (phase === null) {
    const looksUp = elapsedMs === 0 && store.recipe.value.model.some(isOutside);
    return tr(looksUp ? 'run.lookingUp' : 'run.running');
  }
  return [tr(`phase.${phase}`), model === null ? null : modelName(model, tr)].filter(Boolean).join(' · ');
}

/** @param percent Null while there is no measure of how far it is. @param asks There is nothing under way. */
function Bar({ doing, percent, asks }: { doing: string; percent: number | null; asks: boolean }) {
  const { tr, store, int } = useUi();
  const { phaseDone, phaseTotal, etaMs, elapsedMs } = store.run.value;
  const duration = useDuration();
  const count = phaseTotal > 1 ? tr('phase.count', { done: int(phaseDone), total: int(phaseTotal) }) : null;
  const estimate = etaMs === null ? null : tr('run.estimate', { time: duration(etaMs) });
  const elapsed = elapsedMs > 0 ? tr('run.elapsed', { time: duration(elapsedMs) }) : null;
  return (
    <>
      {!asks && <progress max={100} value={percent ?? undefined} aria-label={tr('run.progress')} />}
      <p>
        {percent !== null && <strong>{percent} % </strong>}
        {[doing, count, estimate, elapsed].filter(Boolean).join(' · ')}
      </p>
    </>
  );
}

/** A duration in words, to the second: "8 s", "2 min 5 s". */
function useDuration(): (ms: number) => string {
  const { tr } = useUi();
  return (ms) => {
    const seconds = Math.max(0, Math.round(ms / 1000));
    return seconds < 60
      ? tr('time.seconds', { n: seconds })
      : tr('time.minutes', { m: Math.floor(seconds / 60), s: seconds % 60 });
  };
}
