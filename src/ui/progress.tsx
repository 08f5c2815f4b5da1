/** What a run is doing, how far it is, how long it will take. Screen readers hear it only now and then. */
import { useEffect, useRef } from 'preact/hooks';
import { findModel } from '../model/catalog';
import { useUi } from './context';

/** ms between two announcements of the same phase. */
const ANNOUNCE_MS = 10_000;

export function Progress() {
  const { tr, store, int, announce } = useUi();
  const { status, phase, model, phaseDone, phaseTotal, progress, etaMs, elapsedMs } = store.run.value;
  const percent = Math.floor(progress * 100);
  const name = model === null ? null : (findModel(model)?.name ?? model);
  const doing =
    status === 'waiting'
      ? tr('run.waiting')
      : [phase === null ? tr('run.running') : tr(`phase.${phase}`), name].filter(Boolean).join(' · ');
  const count = phaseTotal > 1 ? tr('phase.count', { done: int(phaseDone), total: int(phaseTotal) }) : null;
  const estimate = etaMs === null ? null : tr('run.estimate', { time: useDuration(etaMs) });

  const last = useRef({ doing: '', at: 0 });
  useEffect(() => {
    const now = performance.now();
    if (last.current.doing === doing && now - last.current.at < ANNOUNCE_MS) return;
    last.current = { doing, at: now };
    announce(status === 'waiting' ? doing : `${doing}, ${String(percent)} %`);
  });

  return (
    <div class="progress" data-testid="progress">
      <progress
        max={100}
        value={status === 'waiting' ? undefined : percent}
        aria-label={tr('run.progress')}
      />
      <p>
        <strong>{status === 'waiting' ? '' : `${String(percent)} %`}</strong>{' '}
        {[doing, count, estimate, elapsedMs > 0 ? tr('run.elapsed', { time: useDuration(elapsedMs) }) : null]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  );
}

/** A duration in words, to the second: "8 s", "2 min 5 s". */
function useDuration(ms: number): string {
  const { tr } = useUi();
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60
    ? tr('time.seconds', { n: seconds })
    : tr('time.minutes', { m: Math.floor(seconds / 60), s: seconds % 60 });
}
