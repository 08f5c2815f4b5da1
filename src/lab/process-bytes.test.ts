/** The browser's figure for the whole page: there or not. */
import { expect, it } from 'vitest';
import { processMeter } from './process-bytes';

const performanceWith = (meter?: (this: unknown) => Promise<{ bytes: number }>) =>
  (meter === undefined ? {} : { measureUserAgentSpecificMemory: meter }) as unknown as Performance;

it('gives its bytes, called as the browser’s own method', async () => {
  const performance = performanceWith(function () {
    return this === performance ? Promise.resolve({ bytes: 123 }) : Promise.reject(new TypeError('Illegal'));
  });
  expect(await processMeter({ crossOriginIsolated: true, performance })?.()).toBe(123);
});

it('passes on that the browser refused', async () => {
  const performance = performanceWith(() => Promise.reject(new DOMException('busy', 'SecurityError')));
  await expect(processMeter({ crossOriginIsolated: true, performance })?.()).rejects.toThrow('busy');
});

it('is null without the method, and where the page is not cross-origin isolated', () => {
  const meter = () => Promise.resolve({ bytes: 1 });
  expect(processMeter({ crossOriginIsolated: true, performance: performanceWith() })).toBeNull();
  expect(processMeter({ crossOriginIsolated: false, performance: performanceWith(meter) })).toBeNull();
  expect(processMeter({ performance: performanceWith(meter) })).toBeNull();
});
