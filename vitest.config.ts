/** Unit tests: one project in Node, one in a real Chromium for what only a browser has (src/**\/*.browser-test.ts). */
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, mergeConfig } from 'vitest/config';
import { launchOptions } from './e2e/support/chromium.js';
import viteConfig from './vite.config.js';

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'node',
            include: ['src/**/*.test.ts', 'e2e/support/*.test.ts', 'e2e/fake-hub/*.test.ts'],
            environment: 'node',
            // Some tests build whole models; on a busy machine that takes longer than the default 5 s.
            testTimeout: 30_000,
          },
        },
        {
          extends: true,
          test: {
            name: 'browser',
            include: ['src/**/*.browser-test.ts'],
            testTimeout: 60_000,
            browser: {
              enabled: true,
              headless: true,
              screenshotFailures: false,
              provider: playwright({ launchOptions: launchOptions({ swiftshader: true }) }),
              instances: [{ browser: 'chromium' }],
            },
          },
        },
      ],
    },
  }),
);
