/** Fixed ports of the test suite, away from those of `npm start` (4173) and `npm run dev` (5173). */
export const TEST_PORT = 4273;
/** A second server, for the tests that need another path, other headers or a build with a part missing. */
export const SECOND_PORT = 4274;
