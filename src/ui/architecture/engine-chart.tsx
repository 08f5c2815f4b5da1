/** The engines' bytes against length: one Chart.js instance on its canvas, destroyed with the component. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { EngineLine } from '../../charts/engine-chart';
import { useUi } from '../context';
import type { DrawnEngines } from './draw-engines';

export function EngineChart({ lines, table }: { lines: EngineLine[]; table: string }) {
  const { tr, language, theme } = useUi<'architecture' | 'report'>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<DrawnEngines | null>(null);
  const failed = useSignal(false);
  const shownTheme = theme.value;
  const title = tr('arch.chart');
  /** What is drawn next, also when only the colours changed. */
  const latest = useRef({ lines, language });
  latest.current = { lines, language };

  const draw = async () => {
    const { drawEngines } = await import('./draw-engines');
    const target = canvas.current;
    if (target === null) return;
    const { lines: newest, language: lang } = latest.current;
    if (drawn.current === null) drawn.current = drawEngines(target, newest, lang);
    else drawn.current.update(newest, lang);
  };
  const redraw = () => {
    draw().catch((error: unknown) => {
      console.error(error);
      failed.value = true;
    });
  };

  useEffect(() => {
    // The theme is in the page's styles by the next frame.
    const frame = requestAnimationFrame(redraw);
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [lines, language, shownTheme]);

  useEffect(() => {
    const queries = [matchMedia('(prefers-color-scheme: dark)'), matchMedia('print')];
    for (const query of queries) query.addEventListener('change', redraw);
    return () => {
      for (const query of queries) query.removeEventListener('change', redraw);
      drawn.current?.destroy();
      drawn.current = null;
    };
  }, []);

  return (
    <figure class="chart">
      {failed.value && <p class="message">{tr('chart.failed')}</p>}
      <div class={failed.value ? 'chart-box visually-hidden' : 'chart-box'}>
        <canvas ref={canvas} role="img" aria-label={tr('chart.alt', { title, table })} />
      </div>
    </figure>
  );
}
