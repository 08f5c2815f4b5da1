/** What the redundancy experiment shows, from records in files: nothing is measured here (redundancy.spec.ts does). */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures';
import type { LabPage } from '../support/lab-page';
import { defaultRedundancy } from '../../src/protocol/redundancy';
import { redundancyRecord, SAMPLE_PAIRS } from '../../src/protocol/redundancy-record.fixture';

const OPEN = 'experiment=redundancy';
const PHONE = { width: 360, height: 740 };
const LAYERS = [3, 7, 11];

async function openRecord(lab: LabPage, record: object, query = OPEN): Promise<void> {
  await lab.open(query);
  await lab.importFile(JSON.stringify(record));
  await expect(lab.part('pairs-table')).toBeVisible();
}

/** axe's violations in a part of the page, in both colour schemes, with everything open. */
async function expectAccessible(page: Page, part: string): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).include(part).analyze();
    expect(
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`)),
      colorScheme,
    ).toEqual([]);
  }
}

/** Every ordered pair: those of the sample, and the ways back a little lower. */
function allPairs() {
  const back = SAMPLE_PAIRS.map((pair) => ({
    ...pair,
    from: pair.to,
    to: pair.from,
    adjacent: false,
    // The mean is worked out anew from them.
    r2: { ...pair.r2, perDocument: pair.r2.perDocument.map((value) => (value ?? 0) - 0.05) },
  }));
  return [...SAMPLE_PAIRS, ...back];
}

test('a record: the sentence, two answers, the chart and its numbers, savings; axe and a phone', async ({
  lab,
  page,
}) => {
  await openRecord(lab, redundancyRecord());
  await expect(lab.part('verdict')).toContainText(
    'K of a layer predicts 34 to 69 % of the next layer’s K; V of a layer predicts 29 to 60 % of the next layer’s V; shuffled tokens predict nothing (-0.22 to -0.01).',
  );
  await expect(page.locator('[data-answer]')).toHaveText(['Yes', 'Hardly']);
  await expect(page.getByTestId('random-weights')).toContainText('not of a language model');
  await expect(page.locator('.report canvas').first()).toBeVisible();
  await expect(lab.part('pairs-table').locator('tbody tr')).toHaveCount(6);
  await expect(lab.part('pairs-table').locator('[data-pair="7→11"][data-kind="K"] td')).toContainText([
    '● K',
    '0.690',
    '0.600 to 0.750',
    '-0.080',
  ]);
  // 3 layers x 1,024 elements x 2 bytes x 32,768 tokens.
  await expect(page.getByTestId('savings-table')).toContainText('201,326,592');
  await expect(page.getByTestId('documents-table')).toContainText('notes');
  await expect(page.getByTestId('correlation-table')).toContainText('0.084');
  await expect(page.getByTestId('noise-floor')).toContainText('bit for bit');
  await expectAccessible(page, 'main');
  await page.setViewportSize(PHONE);
  await expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBeLessThanOrEqual(0);
});

test('a leak comes first and in red, whatever else the record says; halves are labelled as the wrong way', async ({
  lab,
  page,
}) => {
  const [first, ...others] = SAMPLE_PAIRS;
  const shuffled = { mean: 0.01, min: -0.1, max: 0.12, perDocument: [-0.1, 0.12, 0.01, 0.01] };
  const pairs = [{ ...SAMPLE_PAIRS[0], ...first, shuffled }, ...others];
  // The file says that there is none: what follows from its numbers is worked out anew.
  const record = redundancyRecord({ pairs: pairs as typeof others, split: 'halves', leak: true });
  // Results have to be those of their recipe.
  const redundancy = { ...defaultRedundancy(), ...record.recipe.redundancy, split: 'halves' };
  await openRecord(lab, { ...record, recipe: { ...record.recipe, redundancy } });
  const leak = page.getByTestId('leak');
  await expect(leak).toContainText('0.120, K 3→7, English model card');
  await expect(page.locator('.report > :first-child')).toHaveAttribute('data-testid', 'leak');
  await expect(page.getByTestId('wrong-way')).toContainText('768 training tokens for 512 channels');
  await expect(page.locator('[data-answer="notBelieved"]')).toHaveCount(2);
  await expect(page.locator('.verdict')).toHaveClass(/is-bad/);
  await expectAccessible(page, '.red-answers');
  await expectAccessible(page, '[data-testid="leak"]');
});

test('all pairs on demand: a button asks for them, a table shows them, with a switch for K and V', async ({
  lab,
  page,
}) => {
  const record = redundancyRecord();
  await openRecord(lab, record);
  await page.getByTestId('all-pairs').click();
  await expect(page).toHaveURL(/pairs=all/);
  await expect(page.getByRole('status').filter({ hasText: 'press Run' }).first()).toBeAttached();

  const redundancy = { ...record.recipe.redundancy, pairs: 'all' };
  const all = { ...redundancyRecord({ pairs: allPairs() }), recipe: { ...record.recipe, redundancy } };
  await openRecord(lab, all, `${OPEN}&pairs=all`);
  const map = lab.part('heat-map');
  await expect(map.locator('thead th')).toHaveText(['from ↓, to →', ...LAYERS.map(String)]);
  const rows = () => map.locator('tbody tr').allTextContents();
  expect(await rows()).toEqual(['30.340.32', '70.290.69', '110.270.64']);
  // By keyboard: the arrow changes the switch.
  await page.getByRole('radio', { name: 'K', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'V', exact: true })).toBeChecked();
  await expect.poll(rows).toEqual(['30.290.22', '70.240.60', '110.170.55']);
  await expectAccessible(page, '.heat-map');
});

test('checks the method without a GPU: what was planted is found, the leak is caught', async ({
  lab,
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'gpu', { value: undefined });
  });
  await lab.open(OPEN);
  await lab.part('check-method').click();
  await expect(page.getByTestId('method-verdict')).toHaveAttribute('data-pass', 'true');
  await expect(page.getByTestId('method')).toContainText('It is caught.');
  await expect(page.getByTestId('method').locator('tbody tr')).toHaveCount(4);
});

test('documents: too few close Run with a sentence, own texts are added and removed, a link’s are missed', async ({
  lab,
  page,
}) => {
  await lab.open(`${OPEN}&device=wasm`);
  const documents = lab.part('documents');
  const boxes = documents.getByRole('checkbox');
  await expect(boxes).toHaveCount(4);
  await boxes.nth(0).uncheck();
  await expect(lab.part('run')).toBeEnabled();
  await boxes.nth(1).uncheck();
  await expect(lab.part('run')).toBeDisabled();
  await expect(page.locator('#run-obstacle')).toContainText('2 given, at least 3 needed');

  await page.getByTestId('own-text').locator('summary').click();
  await documents.getByLabel('Name').fill('my notes');
  await documents.getByRole('button', { name: 'Add the text' }).click();
  await expect(documents.getByRole('alert')).toContainText('empty');
  await documents.getByLabel('Text', { exact: true }).fill('a text that is far too short');
  await documents.getByRole('button', { name: 'Add the text' }).click();
  await expect(boxes).toHaveCount(5);
  await expect(documents).toContainText('your text, 28 bytes');
  await expect(page).toHaveURL(/documents=python-code,korean-changelog,own:my\+notes/);
  await expect(lab.part('run')).toBeEnabled();
  await documents.getByRole('button', { name: 'Remove my notes' }).click();
  await expect(boxes).toHaveCount(4);
  await expect(lab.part('run')).toBeDisabled();

  await lab.open(`${OPEN}&documents=korean-report,model-card,own:theirs`);
  await expect(documents).toContainText('which no link carries');
  await expectAccessible(page, '[data-testid="documents"]');
});

test('bad numbers close Run until they are mended; one model and one element type', async ({ lab, page }) => {
  await lab.open(`${OPEN}&device=wasm`);
  await page.locator('.settings > summary').click();
  await page.getByLabel('Tokens kept').fill('3');
  await expect(page.locator('#redundancy-keep-error')).toContainText('“Tokens kept”');
  await expect(lab.part('run')).toBeDisabled();
  await page.getByLabel('Tokens kept').fill('64');
  await expect(lab.part('run')).toBeEnabled();
  await expect(page).toHaveURL(/keep=64/);
  await page.getByLabel('Training and test').selectOption('halves');
  await expect(page.locator('#redundancy-split-help')).toContainText('The wrong way');
  await lab.part('model-picker').getByRole('radio', { name: /GPT-2/ }).check();
  await expect(page).toHaveURL(/model=twin:openai-community\/gpt2/);
  await expect(lab.part('model-picker').getByRole('radio', { checked: true })).toHaveCount(1);
});
