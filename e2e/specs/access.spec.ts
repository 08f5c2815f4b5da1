/** For everyone: axe in both colour schemes and languages, the keyboard alone, a phone, Korean. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, gpuTest as test } from '../support/fixtures';
import { cellAt, type LabPage } from '../support/lab-page';

const SCHEMES = ['light', 'dark'] as const;
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

/** axe's violations, cut to what a person needs to mend them. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page), colorScheme).toEqual([]);
  }
}

/** Everything fits into the width: no sideways scrolling of the page as a whole. */
async function expectNoOverflow(page: Page): Promise<void> {
  // A chart takes its new width a frame or two after the window.
  await expect
    .poll(() =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      }),
    )
    .toBeLessThanOrEqual(0);
}

/** Shows one state of the page after another, in a language, and looks at each. */
async function eachState(
  lab: LabPage,
  lang: 'en' | 'ko',
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const { page } = lab;
  await test.step('failed', async () => {
    await lab.open(`tokens=abc&lang=${lang}`);
    await lab.expectState('failed');
    await look(page);
  });
  await test.step('idle', async () => {
    await lab.open(`tokens=8,16&lang=${lang}`);
    await lab.expectState('idle');
    await look(page);
  });
  await test.step('done', async () => {
    await lab.run();
    await lab.expectState('done');
    await expect(page.locator('canvas').first()).toBeVisible();
    await look(page);
  });
  await test.step('growth', async () => {
    await lab.open(`experiment=growth&device=wasm&prompt=hi&steps=4&lang=${lang}&run=1`);
    await lab.expectState('done');
    await expect(lab.part('growth-table')).toBeVisible();
    await look(page);
  });
}

for (const lang of ['en', 'ko'] as const) {
  test(`${lang}: axe finds nothing, and a phone never scrolls sideways: failed, idle, done, growth`, async ({
    lab,
  }) => {
    await eachState(lab, lang, async (page) => {
      await expectAccessible(page);
      await page.setViewportSize(PHONE);
      await expectNoOverflow(page);
      await page.setViewportSize(DESKTOP);
    });
    expect(await lab.page.evaluate(() => document.documentElement.lang)).toBe(lang);
  });
}

test('axe finds nothing in the other views, in the choice of other models and in the history', async ({
  lab,
  page,
}) => {
  const look = async (): Promise<void> => {
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expectNoOverflow(page);
    await page.setViewportSize(DESKTOP);
  };
  const short = 'model=tiny&device=wasm&tokens=8&run=1';
  for (const [query, table] of [
    [`experiment=dtype&dtype=fp32,bf16,q4&${short}`, 'cells-table'],
    [`experiment=batch&batch=1,2&repeats=2&${short}`, 'repeats-table'],
    [`experiment=gqa&${short}`, 'gqa-table'],
    ['experiment=weights', 'weights-table'],
  ] as const) {
    await test.step(query, async () => {
      await lab.open(query);
      await expect(page.getByTestId(table)).toBeVisible({ timeout: 60_000 });
      if (query !== 'experiment=weights') await lab.expectState('done');
      await look();
    });
  }
  await test.step('other models and history', async () => {
    await page.getByText('Other models').click();
    await page.getByTestId('history').locator('summary').first().click();
    await expect(page.getByTestId('history-table')).toBeVisible();
    await look();
  });
});

test('the keyboard alone: tab to Run, press Enter, read the result; Cancel likewise', async ({
  page,
  lab,
}) => {
  await lab.open('device=wasm&tokens=8,16');
  await expect(lab.part('run')).toBeEnabled();
  const tabTo = async (id: 'run' | 'cancel' | 'export-json'): Promise<void> => {
    for (let presses = 0; presses < 80; presses += 1) {
      if (await lab.part(id).evaluate((node) => node === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`80 presses of Tab do not reach ${id}.`);
  };
  await tabTo('run');
  const outline = await lab.part('run').evaluate((node) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node);
    return { outlineStyle, outlineWidth, boxShadow };
  });
  expect(outline.outlineStyle !== 'none' || outline.boxShadow !== 'none', JSON.stringify(outline)).toBe(true);
  await page.keyboard.press('Enter');
  await lab.expectState('running', 'done');
  await lab.expectState('done');
  expect(cellAt(await lab.record(), 16).ratio).toBe(1);
  await tabTo('export-json');

  await lab.open('experiment=growth&device=wasm&steps=4000&prompt=hi');
  await tabTo('run');
  await page.keyboard.press('Enter');
  await lab.expectState('running');
  await tabTo('cancel');
  await page.keyboard.press('Enter');
  await lab.expectState('done');
  expect((await lab.record()).status).toBe('cancelled');
});

test.describe('a Korean browser', () => {
  test.use({ locale: 'ko-KR' });
  test('gets the page in Korean, and lang=en in a link wins', async ({ page, lab }) => {
    await lab.open();
    await expect(page.locator('html')).toHaveAttribute('lang', 'ko');
    await expect(page.locator('h1')).toContainText(/[가-힣]/);
    await lab.open('lang=en');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.locator('h1')).not.toContainText(/[가-힣]/);
  });
});
