import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * Which folder of src/ may import which (design: geometry ← protocol ← {experiments, record, model, charts}
 * ← {worker | lab} ← ui ← main). Every arrow that is not named here is refused, with the reason.
 */
const FOLDERS = [
  'geometry',
  'redundancy',
  'paging',
  'serving',
  'protocol',
  'experiments',
  'record',
  'model',
  'charts',
  'i18n',
  'worker',
  'lab',
  'ui',
  'cli',
];
const MAY_IMPORT = {
  geometry: [[], 'geometry is the bottom: config.json in, bytes out, nothing else'],
  redundancy: [[], 'redundancy is numerics over typed arrays; it knows nothing of ours'],
  paging: [[], 'paging is block numbers; it knows no memory and nothing of ours'],
  serving: [
    ['paging'],
    'serving is a simulation of requests and allocators; it knows no memory, record or page',
  ],
  protocol: [
    ['geometry', 'redundancy'],
    'protocol is the language between page and worker; it knows only geometry and the types of the numerics',
  ],
  experiments: [['geometry', 'redundancy', 'protocol'], 'an experiment is a pure plan and a pure summary'],
  record: [['geometry', 'redundancy', 'protocol'], 'links and files are pure functions of records'],
  model: [['geometry', 'protocol'], 'a model source knows nothing of runs, views or runtimes'],
  charts: [['geometry', 'redundancy', 'protocol'], 'a chart is a pure function of records'],
  i18n: [['protocol'], 'catalogs hold strings; only fault codes come from protocol'],
  worker: [
    ['geometry', 'redundancy', 'paging', 'serving', 'protocol', 'experiments', 'model'],
    'the worker never imports the page',
  ],
  lab: [
    ['geometry', 'redundancy', 'protocol', 'experiments', 'record', 'model', 'i18n'],
    'the page side never imports the worker, only its URL',
  ],
  ui: [
    [
      'geometry',
      'redundancy',
      'serving',
      'protocol',
      'experiments',
      'record',
      'model',
      'charts',
      'i18n',
      'lab',
    ],
    'views read records and the store; they never run models',
  ],
  cli: [['geometry', 'protocol'], 'the command line prints what geometry says; it runs without a browser'],
};
const RUNTIME = ['@huggingface/transformers', 'onnxruntime-web', 'onnxruntime-web/*', 'onnxruntime-common'];
const PURE = ['geometry', 'redundancy', 'paging', 'serving', 'protocol', 'experiments', 'record', 'charts'];
const BROWSER_GLOBALS = [
  'window',
  'document',
  'location',
  'localStorage',
  'sessionStorage',
  'navigator',
  'self',
  'postMessage',
];

const folderRules = Object.entries(MAY_IMPORT).map(([folder, [allowed, reason]]) => ({
  files: [`src/${folder}/**/*.{ts,tsx}`],
  ignores: ['src/**/*.test.ts', 'src/**/*.browser-test.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: FOLDERS.filter((other) => other !== folder && !allowed.includes(other)).flatMap(
              (other) => [`../${other}/*`, `../../${other}/*`],
            ),
            message: `src/${folder} may not import this: ${reason} (shared design, "Layout and direction").`,
          },
          {
            group: RUNTIME,
            message:
              'Only src/worker/runtime.ts, ort-build.ts, matmul.ts and probes/ import transformers.js or onnxruntime, so that the first paint loads neither.',
          },
        ],
      },
    ],
    ...(PURE.includes(folder)
      ? {
          'no-restricted-globals': [
            'error',
            ...BROWSER_GLOBALS.map((name) => ({
              name,
              message: `src/${folder} is pure: it runs in Node, without DOM or worker.`,
            })),
          ],
        }
      : {}),
  },
}));

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'test-results', 'playwright-report', '.cache'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './tsconfig.worker.json', './tsconfig.node.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
  { files: ['src/worker/*.js'], languageOptions: { globals: { URL: 'readonly' } } },
  ...folderRules,
  {
    files: [
      'src/worker/runtime.ts',
      'src/worker/ort-build.ts',
      'src/worker/matmul.ts',
      'src/worker/probes/*.ts',
    ],
    rules: { 'no-restricted-imports': 'off' },
  },
);
