/** What the numerics refuse, each with what the caller needs to say it. */

/** The job was cancelled between two steps. */
export class CancelledError extends Error {
  override name = 'CancelledError';
  constructor() {
    super('the job was cancelled');
  }
}

/** A value of a layer's keys or values is NaN or infinite. */
export class NotFiniteError extends Error {
  override name = 'NotFiniteError';
  /** @param layer The layer's number. @param document Its place among the documents. */
  constructor(
    readonly layer: number,
    readonly document: number,
    readonly token: number,
    readonly channel: number,
    readonly value: number,
  ) {
    super(`layer ${layer}, document ${document}, token ${token}, channel ${channel} is ${value}`);
  }
}
