import { describe, expect, it } from 'vitest';
import { holds, mostSessions, mostTokens } from './search';

/** The answer by trying one number after the other. */
function byCounting(cost: (tokens: number) => number, room: number, most: number): number {
  let tokens = 0;
  while (tokens < most && cost(tokens + 1) <= room) tokens += 1;
  return tokens;
}

describe('mostTokens', () => {
  const costs: Record<string, (tokens: number) => number> = {
    'a line': (tokens) => 7 * tokens,
    'a line with a fixed part': (tokens) => 1000 + 3 * tokens,
    'a window': (tokens) => 20 * Math.min(tokens, 100) + 2 * tokens,
    'blocks of 16': (tokens) => 50 * Math.ceil(tokens / 16),
    'cells of 256': (tokens) => 900 * Math.ceil(tokens / 256) + 5,
    'one entry for 128 tokens': (tokens) => 30 * Math.floor(tokens / 128) + Math.min(tokens, 64),
    'a reserve that ends': (tokens) => (tokens > 777 ? Infinity : 500),
  };
  it.each(Object.keys(costs))('is what counting gives: %s', (name) => {
    const cost = costs[name];
    if (!cost) throw new Error(name);
    const rooms = [0, 1, 6, 7, 8, 99, 500, 1000, 1003, 1004, 2199, 2200, 2201, 4321, 9999];
    expect(rooms.map((room) => mostTokens(cost, room))).toEqual(
      rooms.map((room) => byCounting(cost, room, 100_000)),
    );
  });

  it('asks few times where the cost is a line', () => {
    let asked = 0;
    const tokens = mostTokens((count) => {
      asked += 1;
      return 147_456 * count;
    }, 69_517_875_200);
    expect(tokens).toBe(471_448);
    expect(asked).toBeLessThan(16);
  });

  it('has no end where the cost stops growing', () => {
    expect(mostTokens((tokens) => Math.min(tokens, 50), 50)).toBe('unbounded');
    expect(mostTokens(() => 0, 0)).toBe('unbounded');
    expect(mostTokens((tokens) => Math.min(tokens, 50), 49)).toBe(49);
  });
});

it('divides the room by sessions', () => {
  expect(mostSessions(10, 99)).toBe(9);
  expect(mostSessions(Infinity, 99)).toBe(0);
  expect(mostSessions(0, 0)).toBe('unbounded');
  expect([holds(9, 10, 99), holds(10, 10, 99), holds(10, 0, 0)]).toEqual([true, false, true]);
});
