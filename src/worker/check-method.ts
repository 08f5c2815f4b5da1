/** Check `method`: the numerics find what was planted, on the same machine and before anybody believes their answer. */
import type { PassContext } from './run-experiment';
import { makeCheck, say } from '../protocol/checks';
import type { Report } from '../protocol/messages';
import { checkMethod } from '../redundancy/method-check';

export async function* checkMethodHere(context: PassContext): AsyncGenerator<Report> {
  yield context.phase('check', 0, 1);
  const { planted, tolerance, leak, pass: fine } = await checkMethod();
  yield context.phase('check', 1, 1);
  const check = makeCheck('method', context.pass.model, fine, {
    expected: say('method-expected', {
      truths: planted.map(({ truth }) => String(truth)).join(', '),
      tolerance,
    }),
    measured: say('method-found', {
      found: planted.map(({ found }) => found.toFixed(3)).join(', '),
      shuffled: leak.shuffled.toFixed(3),
    }),
  });
  yield { type: 'check', passId: context.pass.id, check };
}
