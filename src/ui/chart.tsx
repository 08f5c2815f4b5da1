/**
 * A chart of a record. Chart.js comes when there is something to draw; one instance a canvas, at most one update a
 * frame, destroyed with the component.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { LabRecord } from '../protocol/record';
import { useUi } from './context';
import type { ChartKind, DrawnChart } from './draw-charts';

interface Props {
  kind: ChartKind;
  record: LabRecord;
}

export function Chart({ kind, record }: Props) {
  const { tr, language, theme } = useUi();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<DrawnChart | null>(null);
  const failed = useSignal(false);
  const title = tr(`chart.${kind}`);
  const table = tr(kind === 'length' ? 'table.cells' : 'table.growth');
  // What the next frame draws: the newest props, however many came since the last one.
  const latest = useRef({ record, language });
  latest.current = { record, language };
  const shownTheme = theme.value;

  useEffect(() => {
    let gone = false;
    void import('./draw-charts').then(
      ({ drawChart }) => {
        if (gone || canvas.current === null) return;
        drawn.current = drawChart(canvas.current, kind, latest.current.record, latest.current.language);
      },
      () => {
        failed.value = !gone;
      },
    );
    return () => {
      gone = true;
      drawn.current?.destroy();
      drawn.current = null;
    };
    // A failed load is not tried again; the table has the numbers.
  }, [kind]);

  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      drawn.current?.update(latest.current.record, latest.current.language);
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [record, language, shownTheme]);

  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const print = matchMedia('print');
    const redraw = () => {
      drawn.current?.update(latest.current.record, latest.current.language);
    };
    dark.addEventListener('change', redraw);
    print.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      print.removeEventListener('change', redraw);
    };
  }, []);

  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      {failed.value && <p class="message">{tr('chart.failed')}</p>}
      <div class={failed.value ? 'chart-box visually-hidden' : 'chart-box'}>
        <canvas ref={canvas} role="img" aria-label={tr('chart.alt', { title, table })} />
      </div>
    </figure>
  );
}
