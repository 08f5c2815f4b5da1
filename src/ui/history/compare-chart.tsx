/** The chart of several records: one Chart.js instance on its canvas, destroyed with the component. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { NamedRecord } from '../../charts/compare-chart';
import type { ComparedLevel } from '../../record/compare-many';
import { useUi } from '../context';
import type { DrawnComparison } from './draw-compare';

export function CompareChart({ records, level }: { records: NamedRecord[]; level: ComparedLevel }) {
  const { tr, language, theme } = useUi<'report' | 'history'>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<DrawnComparison | null>(null);
  const failed = useSignal(false);
  const shownTheme = theme.value;
  const title = tr('many.chart', { level: tr(`level.${level}.long`) });
  /** What is drawn next, also when only the colours changed. */
  const latest = useRef({ records, level, language });
  latest.current = { records, level, language };

  const draw = async () => {
    const { drawComparison } = await import('./draw-compare');
    const target = canvas.current;
    if (target === null) return;
    const { records: newest, level: shown, language: lang } = latest.current;
    if (drawn.current === null) drawn.current = drawComparison(target, newest, shown, lang);
    else drawn.current.update(newest, shown, lang);
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
  }, [records, level, language, shownTheme]);

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
      <figcaption>{title}</figcaption>
      {failed.value && <p class="message">{tr('chart.failed')}</p>}
      <div class={failed.value ? 'chart-box visually-hidden' : 'chart-box'}>
        <canvas ref={canvas} role="img" aria-label={tr('chart.alt', { title, table: tr('many.points') })} />
      </div>
    </figure>
  );
}
