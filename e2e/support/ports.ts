/** Fixed ports of the test suite, away from those of `npm start` (4173) and `npm run dev` (5173). */

/** KVLAB_TEST_PORT moves them, for two checkouts on one machine. */
export const TEST_PORT = Number(process.env['KVLAB_TEST_PORT'] ?? 4273);
/** A second server, for a build with another base. */
export const SECOND_PORT = TEST_PORT + 1;
