/** Browser tests: the production build, headless Chromium with WebGPU on the software adapter, one test at a time. */
import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/support/chromium';
import { TEST_PORT } from './e2e/support/ports';

const url = `http://localhost:${TEST_PORT}/`;

export default defineConfig({
  testDir: 'e2e/specs',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  // Two cores: a second browser would only make both slower.
  workers: 1,
  fullyParallel: false,
  // A software GPU on two cores is slow at times for reasons outside a test. A test that passes on its second try is reported as
  // flaky, by name, here and in the summary of `npm test`; one that fails twice fails.
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  // SwiftShader compiles each shader on first use, which takes seconds.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: '.cache/reports/e2e.json' }]],
  use: {
    baseURL: url,
    locale: 'en-US',
    launchOptions: launchOptions({ swiftshader: true }),
    screenshot: 'only-on-failure',
    trace: 'off',
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium', viewport: { width: 1280, height: 900 } } }],
  webServer: {
    command: `npx tsx e2e/start.ts --port ${TEST_PORT}`,
    url,
    env: { NO_OPEN: '1' },
    timeout: 180_000,
    reuseExistingServer: false,
    stdout: 'pipe',
  },
});
