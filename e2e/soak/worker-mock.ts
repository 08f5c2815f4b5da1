/** What goes wrong in a run of the soak, and the code that does it inside the measuring worker. */
import type { Phase } from '../../src/protocol/messages';

/** Where the soak's workers and page talk to each other. */
export const CHANNEL = 'kvlab-soak';

/**
 * When it happens: at the `reports`-th report of a phase (1 is the first), or so many calls of the GPU later. `release` begins
 * with the last check's report, since the worker tells of it only when it is over.
 */
export interface Moment {
  phase: Phase;
  reports: number;
  /** Calls that make or destroy a buffer or submit work; 0 acts at the report itself. */
  calls: number;
}

export type MomentKind = 'cancel' | 'destroy' | 'out-of-memory' | 'validation' | 'crash' | 'mismatch';

/** `refuse`: the adapter gives no device. The others happen at a moment. */
export type Disturbance = { kind: 'refuse' } | { kind: MomentKind; at: Moment };

/** What a worker tells the page: that it has done what it was to do. */
export interface Fired {
  kind: Disturbance['kind'];
}

/** Runs first in a worker; it is sent there as text, so it uses nothing from outside itself. */
export function disturb(arg: { disturbance: Disturbance; channel: string }): void {
  const { disturbance } = arg;
  const channel = new BroadcastChannel(arg.channel);
  const fired = (): void => {
    channel.postMessage({ kind: disturbance.kind } satisfies Fired);
  };
  const { prototype } = GPUAdapter;
  if (disturbance.kind === 'refuse') {
    prototype.requestDevice = () => {
      fired();
      return Promise.reject(new DOMException('refused by the soak', 'OperationError'));
    };
    return;
  }

  const { kind, at } = disturbance;
  let device: GPUDevice | null = null;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its adapter below
  const request = prototype.requestDevice;
  prototype.requestDevice = async function (descriptor) {
    device = await request.call(this, descriptor);
    return device;
  };

  const act = (): void => {
    fired();
    switch (kind) {
      case 'cancel':
        // The page's end of the channel presses Cancel.
        return;
      case 'destroy':
        device?.destroy();
        return;
      case 'crash':
        // At once: on WASM a worker may not come to its timers before it is done.
        reportError(new Error('crashed by the soak'));
        return;
      case 'mismatch': {
        // A graph that loses a token: the worker reads the tokens of [batch, heads, tokens, dim] with `at(-2)`.
        const original = Array.prototype.at;
        Array.prototype.at = function (this: unknown[], index: number): unknown {
          const value: unknown = original.call(this, index);
          return this.length === 4 && index === -2 && typeof value === 'number' ? value - 1 : value;
        };
        return;
      }
      case 'out-of-memory':
      case 'validation': {
        const error =
          kind === 'validation'
            ? new GPUValidationError('by the soak')
            : new GPUOutOfMemoryError('by the soak');
        device?.dispatchEvent(new GPUUncapturedErrorEvent('uncapturederror', { error, cancelable: true }));
      }
    }
  };

  let reports = at.reports;
  /** Calls that are left; null until the report was posted. */
  let calls: number | null = null;
  const called = (): void => {
    if (calls === null || calls < 1) return;
    calls -= 1;
    if (calls === 0) act();
  };
  const scope = globalThis as unknown as {
    postMessage: (message: { type: string; phase?: string; check?: { name: string } }) => void;
  };
  const post = scope.postMessage.bind(globalThis);
  scope.postMessage = (message) => {
    post(message);
    const phase =
      message.type === 'check' && message.check?.name === 'cache-used' ? 'release' : (message.phase ?? '');
    if (phase !== at.phase) return;
    reports -= 1;
    if (reports !== 0) return;
    calls = at.calls;
    if (calls === 0) act();
  };
  /* eslint-disable @typescript-eslint/unbound-method -- called with their objects below */
  const { createBuffer } = GPUDevice.prototype;
  const { submit } = GPUQueue.prototype;
  const { destroy } = GPUBuffer.prototype;
  /* eslint-enable @typescript-eslint/unbound-method */
  GPUDevice.prototype.createBuffer = function (...parameters) {
    called();
    return createBuffer.apply(this, parameters);
  };
  GPUQueue.prototype.submit = function (...parameters) {
    called();
    submit.apply(this, parameters);
  };
  GPUBuffer.prototype.destroy = function () {
    called();
    destroy.call(this);
  };
}
