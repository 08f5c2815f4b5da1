/** Runs cases one after another and gathers what they give. A case that cannot run is in the results, with the reason. */
import type { BenchCase, BenchContext, Results } from './types';

export type Gathered = Omit<Results, 'machine' | 'at' | 'commit'>;

/** @param only Ids of the cases to run; the others are said not to have been asked for. null runs all. */
export async function runCases(
  cases: readonly BenchCase[],
  only: readonly string[] | null,
  context: BenchContext,
): Promise<Gathered> {
  const results: Gathered = {
    ratios: {},
    rows: [],
    goals: [],
    checks: [],
    notMeasured: [],
    notes: [],
    meanings: {},
  };
  for (const { id, title, run } of cases) {
    if (only !== null && !only.includes(id)) {
      results.notMeasured.push({ case: id, what: title, why: 'not asked for (--only)' });
      continue;
    }
    context.log(`${id}: ${title}…`);
    const startedAt = performance.now();
    try {
      const found = await run(context);
      const ofCase = <T>(list: readonly T[]): (T & { case: string })[] =>
        list.map((one) => ({ case: id, ...one }));
      for (const { name, value, meaning } of found.ratios) {
        results.ratios[name] = value;
        results.meanings[name] = meaning;
      }
      results.rows.push(...ofCase(found.rows));
      results.goals.push(...ofCase(found.goals));
      results.checks.push(...ofCase(found.checks));
      results.notMeasured.push(...ofCase(found.notMeasured));
      results.notes.push(...found.notes.map((note) => ({ case: id, note })));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      results.notMeasured.push({ case: id, what: title, why: why.split('\n')[0] ?? why });
    }
    context.log(`${id}: took ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }
  return results;
}
