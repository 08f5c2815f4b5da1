/** A worker that answers each task with one message. */

/** What a worker of the bench answers: the result, or what went wrong. */
export type Answer<Result> = { result: Result } | { error: string };

/** @throws Error of what went wrong in the worker. */
export function ask<Result>(worker: Worker, task: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<Answer<Result>>) => {
        if ('error' in data) reject(new Error(data.error));
        else resolve(data.result);
      },
      { once: true },
    );
    worker.addEventListener(
      'error',
      (event) => {
        reject(new Error(event.message));
      },
      { once: true },
    );
    worker.postMessage(task);
  });
}

/** Makes a worker answer every task; what a task is, the worker and its page know. */
export function answer(work: (task: never) => Promise<unknown>): void {
  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    void work(data as never)
      .then(
        (result): Answer<unknown> => ({ result }),
        (error: unknown): Answer<unknown> => ({
          error: error instanceof Error ? error.message : String(error),
        }),
      )
      .then((message) => {
        postMessage(message);
      });
  });
}
