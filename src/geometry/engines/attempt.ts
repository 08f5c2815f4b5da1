/** An engine's answer, or the sentence with which it refuses. */

export type Attempt<T> = { value: T; refusal: null } | { value: null; refusal: string };

/** Reads a value; a RangeError, by which engines refuse, becomes its sentence. Other errors pass. */
export function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { value: read(), refusal: null };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { value: null, refusal: error.message };
  }
}
