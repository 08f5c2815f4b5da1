/** Starts the measuring worker. */
import type { WorkerLike } from './lab-client';

/** The measuring worker of this page. The URL stays inside `new Worker(…)`: only so does Vite make a file of it. */
export function spawnLabWorker(): WorkerLike {
  return new Worker(new URL('../worker/lab.worker.ts', import.meta.url), {
    type: 'module',
    name: 'kv-cache-lab',
  });
}
