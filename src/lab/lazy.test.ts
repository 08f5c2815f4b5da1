/** What happens when the code of a run is gone from the server. */
import { beforeEach, expect, it, vi } from 'vitest';
import { defaultRecipe } from '../protocol/recipe';
import { fakeDeps, SWIFTSHADER } from './testing';

beforeEach(() => {
  vi.resetModules();
  vi.doMock('./run', () => {
    throw new Error('Failed to fetch dynamically imported module');
  });
});

it.each([
  [true, 'page-outdated'],
  [false, 'page-offline'],
])(
  'a run whose code cannot be fetched fails before it begins (server answers: %s): %s',
  async (reachable, code) => {
    const { runLazily } = await import('./lazy');
    const { deps, page, workers } = fakeDeps();
    page.reachable = reachable;
    const result = await runLazily(deps, {
      recipe: defaultRecipe(),
      url: 'https://lab.example/kv/',
      probe: SWIFTSHADER,
      signal: new AbortController().signal,
      agree: () => Promise.resolve(true),
      onNotice: () => undefined,
      onChange: () => undefined,
      onAlive: () => undefined,
    });
    expect(result).toMatchObject({
      begun: false,
      record: { status: 'failed', createdAt: '2026-10-01T12:00:00.000Z', cells: [], faults: [{ code }] },
      state: { status: 'failed', fault: { code } },
    });
    expect(workers.made).toHaveLength(0);
  },
);
