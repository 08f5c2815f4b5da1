/** What the charts' tests share: colours and words that tell where each of them went. */
import type { ChartText, ChartTheme } from './chart-text';

export const theme: ChartTheme = {
  levels: { formula: '#111111', used: '#555555', tensor: '#222222', resident: '#333333', device: '#444444' },
  ink: '#555555',
  grid: '#666666',
  background: '#777777',
};

export const text: ChartText = {
  levels: { formula: 'formula', used: 'used', tensor: 'tensor', resident: 'resident', device: 'device' },
  tokens: 'tokens',
  bytes: 'bytes',
  deltaUsed: 'used per step',
  deltaTensor: 'tensor per step',
  deltaResident: 'resident per step',
  bytesPerStep: 'bytes per step',
  modelName: (id) => id,
  formatInteger: String,
  formatBytes: String,
};
