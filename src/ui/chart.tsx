/**
 * A chart. Chart.js comes when there is something to draw; one instance a canvas, at most one update a
 * frame, destroyed with the component.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useUi } from './context';
import type { ChartInput, ChartKind, DrawnChart } from './draw-charts';

export interface ChartProps<Kind extends ChartKind> {
  kind: Kind;
  /** What is drawn: a record, or what the kind of chart takes instead. */
  input: ChartInput[Kind];
  title: string;
  /** No caption, since what is around the chart says the same. */
  hideCaption?: boolean;
  /** The title of the table that has the chart's numbers. */
  table: string;
}

export function Chart<Kind extends ChartKind>({
  kind,
  input,
  title,
  hideCaption = false,
  table,
}: ChartProps<Kind>) {
  const { tr, language, theme } = useUi<'report'>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<DrawnChart<ChartInput[Kind]> | null>(null);
  const failed = useSignal(false);
  // What the next frame draws: the newest props, however many came since the last one.
  const latest = useRef({ input, language });
  latest.current = { input, language };
  const shownTheme = theme.value;
  /** Draws, and says so when drawing fails: that happens outside of rendering, where no error boundary looks. */
  const attempt = (draw: () => void) => {
    try {
      draw();
    } catch (error) {
      console.error(error);
      failed.value = true;
    }
  };
  const redraw = () => {
    attempt(() => {
      drawn.current?.update(latest.current.input, latest.current.language);
    });
  };

  useEffect(() => {
    let gone = false;
    import('./draw-charts').then(
      ({ drawChart }) => {
        const target = canvas.current;
        if (gone || target === null) return;
        attempt(() => {
          drawn.current = drawChart(target, kind, latest.current.input, latest.current.language);
        });
      },
      () => {
        // The file of an older build is gone: it is not asked for again; the table has the numbers.
        failed.value = !gone;
      },
    );
    return () => {
      gone = true;
      drawn.current?.destroy();
      drawn.current = null;
    };
  }, [kind]);

  useEffect(() => {
    const frame = requestAnimationFrame(redraw);
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [input, language, shownTheme]);

  useEffect(() => {
    const queries = [matchMedia('(prefers-color-scheme: dark)'), matchMedia('print')];
    for (const query of queries) query.addEventListener('change', redraw);
    return () => {
      for (const query of queries) query.removeEventListener('change', redraw);
    };
  }, []);

  return (
    <figure class="chart">
      {!hideCaption && <figcaption>{title}</figcaption>}
      {failed.value && <p class="message">{tr('chart.failed')}</p>}
      <div class={failed.value ? 'chart-box visually-hidden' : 'chart-box'}>
        <canvas ref={canvas} role="img" aria-label={tr('chart.alt', { title, table })} />
      </div>
    </figure>
  );
}
