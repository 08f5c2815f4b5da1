/** What a chart needs from the page: its colours, and its words and number formats in the page's language. */
import type { Level } from './level-style';

/** Colours as canvas understands them, resolved from the page's custom properties. */
export interface ChartTheme {
  levels: Record<Level, string>;
  ink: string;
  grid: string;
  background: string;
}

export interface ChartText {
  /** Names of the byte levels, such as "tensor bytes". */
  levels: Record<Level, string>;
  /** Title of the axis of tokens in the cache. */
  tokens: string;
  /** Title of the axis of bytes. */
  bytes: string;
  /** Names of the lines of the delta chart, and the title of its axis. */
  deltaUsed: string;
  deltaTensor: string;
  deltaResident: string;
  bytesPerStep: string;
  /** A model's name for the legend; shown only where several are drawn. */
  modelName: (id: string) => string;
  /** Exact integers, as "3,145,728". */
  formatInteger: (value: number) => string;
  /** Bytes rounded to KiB, MiB … (2^10, 2^20 …), as "3 MiB". */
  formatBytes: (bytes: number) => string;
}
