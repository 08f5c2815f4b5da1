/** The simulation: requests wait, come in, grow by one token a step, and leave. Says which rows of the pool are to be written and cleared. */
import type { Span } from './buddy';
import { roomOf, type PoolSize, type Room, type System } from './room';
import type { Request } from './workload';

/** What a step does to the pool, in its order. `owner` is the request's number, from 0. */
export type PoolChange =
  { kind: 'write'; owner: number; span: Span } | { kind: 'clear'; owner: number; span: Span };

/** The pool after a step, in requests and tokens. */
export interface PoolMoment {
  /** Counted from 0. */
  step: number;
  running: number;
  waiting: number;
  /** Tokens that have a row, and rows that were handed out. */
  used: number;
  held: number;
  /** Handed-out rows without a token: will have one before their request leaves; never will. */
  reserved: number;
  wasted: number;
  /** Requests that had to leave to make room so far. */
  preemptions: number;
}

export interface ServingStep extends PoolMoment {
  changes: PoolChange[];
}

interface Running {
  id: number;
  request: Request;
  /** Tokens that have a row. */
  tokens: number;
}

/** One that waits; after a preemption the tokens that it had come back at once, recomputed. */
type Waiting = Running;

/**
 * One system serving all requests, first come first served; all have arrived before the first step, so some wait until the last is in.
 * A step: whoever is complete leaves; each running request gets one token, in the order of arrival; whoever is next and fits comes in
 * with its prompt. Where a pool of blocks has none left for a token, the request that came in last has to leave and waits again, first
 * in the queue; all that it had is computed anew when it comes back (vLLM's recomputation, section 4.5 of the paper), and nobody comes in
 * during such a step.
 */
export class Serving {
  readonly #room: Room;
  readonly #waiting: Waiting[];
  #running: Running[] = [];
  #step = 0;
  #preemptions = 0;

  /** Every request has to fit into the empty pool; one that does not makes `next` throw RangeError. */
  constructor(
    system: System,
    requests: readonly Request[],
    private readonly size: PoolSize,
  ) {
    this.#room = roomOf(system, size);
    this.#waiting = requests.map((request, id) => ({ id, request, tokens: request.prompt }));
  }

  /** Makes one step, the last of which only sees the last request leave; null when all have left. */
  next(): ServingStep | null {
    const changes: PoolChange[] = [];
    if (this.#running.length === 0 && this.#waiting.length === 0) return null;
    this.#leave(changes);
    const before = this.#preemptions;
    this.#grow(changes);
    if (this.#preemptions === before) this.#admit(changes);
    if (this.#running.length === 0 && this.#waiting.length > 0)
      throw new RangeError('the next request does not fit into the empty pool');
    const step = this.#step;
    this.#step += 1;
    return { ...this.#state(step), changes };
  }

  /** Who has which row now: the request's number + 1, 0 where the row has no token. One element a row. */
  owners(): Uint32Array {
    const owners = new Uint32Array(this.size.pool);
    for (const { id, tokens } of this.#running)
      for (let token = 0; token < tokens; token++) owners[this.#room.rowOf(id, token)] = id + 1;
    return owners;
  }

  #leave(changes: PoolChange[]): void {
    for (const one of this.#running.filter(isComplete)) this.#remove(one, changes);
    this.#running = this.#running.filter((one) => !isComplete(one));
  }

  #grow(changes: PoolChange[]): void {
    // Whoever makes room is behind in the order, so its turn has not come yet.
    for (let at = 0; at < this.#running.length; at++) {
      const one = this.#running[at] as Running;
      while (at < this.#running.length && !this.#room.extend(one.id)) this.#preempt(changes);
      if (at === this.#running.length) break;
      const span = { start: this.#room.rowOf(one.id, one.tokens), count: 1 };
      changes.push({ kind: 'write', owner: one.id, span });
      one.tokens += 1;
    }
  }

  #preempt(changes: PoolChange[]): void {
    const last = this.#running.pop();
    if (last === undefined) return;
    this.#remove(last, changes);
    this.#waiting.unshift(last);
    this.#preemptions += 1;
  }

  #admit(changes: PoolChange[]): void {
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined || !this.#room.admit(first.id, first.request, first.tokens)) return;
      this.#waiting.shift();
      this.#running.push(first);
      for (const span of this.#spansOf(first)) changes.push({ kind: 'write', owner: first.id, span });
    }
  }

  #remove(one: Running, changes: PoolChange[]): void {
    for (const span of this.#spansOf(one)) changes.push({ kind: 'clear', owner: one.id, span });
    this.#room.leave(one.id);
  }

  /** The rows of all tokens of a request; neighbours together. */
  #spansOf({ id, tokens }: Running): Span[] {
    const spans: Span[] = [];
    for (let token = 0; token < tokens; token++) {
      const row = this.#room.rowOf(id, token);
      const last = spans.at(-1);
      if (last !== undefined && last.start + last.count === row) last.count += 1;
      else spans.push({ start: row, count: 1 });
    }
    return spans;
  }

  #state(step: number): PoolMoment {
    let [used, held, reserved] = [0, 0, 0];
    for (const { id, request, tokens } of this.#running) {
      const room = this.#room.held(id);
      used += tokens;
      held += room;
      reserved += Math.min(room, request.prompt + request.output) - tokens;
    }
    const [running, waiting] = [this.#running.length, this.#waiting.length];
    const wasted = held - used - reserved;
    return { step, running, waiting, used, held, reserved, wasted, preemptions: this.#preemptions };
  }
}

function isComplete({ request, tokens }: Running): boolean {
  return tokens >= request.prompt + request.output;
}

/** A whole serving by its numbers alone: steps in all, and the most requests that ran at one time. */
export function outlineOf(serving: Serving): { steps: number; mostRunning: number } {
  let [steps, mostRunning] = [0, 0];
  for (let step = serving.next(); step !== null; step = serving.next()) {
    steps += 1;
    mostRunning = Math.max(mostRunning, step.running);
  }
  return { steps, mostRunning };
}

/** At most `count` steps of `steps`, evenly spaced: the middle of each of as many equal parts. */
export function sampleSteps(steps: number, count: number): number[] {
  const parts = Math.min(steps, count);
  return Array.from({ length: parts }, (_, part) => Math.floor(((part + 0.5) * steps) / parts));
}
