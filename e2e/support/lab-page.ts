/** The page as a person and a script use it: one object for all specs. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Cell, Growth, LabRecord } from '../../src/protocol/record';
import type {} from './headless';

/** What `<html data-lab>` says. */
export type LabState = 'idle' | 'running' | 'done' | 'failed';

/** The test ids of the page's parts. */
export type TestId =
  | 'run'
  | 'cancel'
  | 'verdict'
  | 'cells-table'
  | 'growth-table'
  | 'checks'
  | 'environment'
  | 'notices'
  | 'model-picker'
  | 'copy-link'
  | 'copy-results-link'
  | 'export-json'
  | 'import-json'
  | 'copy-markdown'
  | 'export-csv'
  | 'comparison'
  | 'config-input'
  | 'config-result'
  | 'capacity'
  | 'documents'
  | 'pairs-table'
  | 'heat-map'
  | 'check-method'
  | 'progress';

const RUN_TIMEOUT_MS = 100_000;

export class LabPage {
  constructor(readonly page: Page) {}

  part(id: TestId): Locator {
    return this.page.getByTestId(id);
  }

  /** Opens the page with a query (no `?`) and perhaps a hash, and waits until it is there. */
  async open(query = '', { path = '/', hash = '' } = {}): Promise<void> {
    await this.page.goto(`${path}${query === '' ? '' : `?${query}`}${hash}`);
    // The planner chooses its models in a place of its own.
    await expect(this.part('model-picker').or(this.part('capacity'))).toBeVisible();
  }

  async state(): Promise<LabState | undefined> {
    return (await this.page.evaluate(() => document.documentElement.dataset['lab'])) as LabState | undefined;
  }

  async expectState(...states: LabState[]): Promise<void> {
    await expect
      .poll(() => this.state(), {
        timeout: RUN_TIMEOUT_MS,
        message: `data-lab becomes ${states.join(' or ')}`,
      })
      .toMatch(new RegExp(`^(${states.join('|')})$`));
  }

  /** Presses Run once it can be pressed. */
  async run(): Promise<void> {
    await expect(this.part('run')).toBeEnabled();
    await this.part('run').click();
  }

  /** Waits for the end of a run, good or bad. */
  async waitEnd(): Promise<void> {
    await this.expectState('done', 'failed');
  }

  /** Gives the page a file to import. */
  async importFile(text: string, name = 'record.json'): Promise<void> {
    const [chooser] = await Promise.all([
      this.page.waitForEvent('filechooser'),
      this.part('import-json').click(),
    ]);
    // A path, since a large buffer does not go over the wire.
    const path = join(mkdtempSync(join(tmpdir(), 'kvlab-import-')), name);
    writeFileSync(path, text);
    await chooser.setFiles(path);
  }

  /** Presses a copy button and returns what is in the clipboard then. */
  async copied(button: 'copy-link' | 'copy-results-link' | 'copy-markdown'): Promise<string> {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.page.evaluate(() => navigator.clipboard.writeText(''));
    await this.part(button).click();
    const read = (): Promise<string> => this.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(read).not.toBe('');
    return await read();
  }

  /** Presses an export button and returns the file's text. */
  async exported(button: 'export-json' | 'export-csv'): Promise<string> {
    const [file] = await Promise.all([this.page.waitForEvent('download'), this.part(button).click()]);
    return readFileSync(await file.path(), 'utf8');
  }

  /** The record that the page holds. @throws Error when it holds none. */
  async record(): Promise<LabRecord> {
    const record = await this.page.evaluate(() => window.kvlab.record());
    if (record === null) throw new Error('The page holds no record.');
    return record;
  }

  /** Opens the page, presses Run, waits for `done` and returns the record. */
  async measure(query = ''): Promise<LabRecord> {
    await this.open(query);
    await this.run();
    await this.expectState('running', 'done');
    await this.waitEnd();
    const record = await this.record();
    expect(await this.state(), JSON.stringify(record.faults)).toBe('done');
    return record;
  }
}

/** The cell of a record at so many tokens (of a model, when there are several). @throws Error when there is none. */
export function cellAt(record: LabRecord, tokens: number, model?: string): Cell {
  const cell = record.cells.find(
    (one) => one.tokens === tokens && (model === undefined || one.model === model),
  );
  if (cell === undefined) throw new Error(`No cell at ${tokens} tokens in ${JSON.stringify(record.cells)}.`);
  return cell;
}

/** The growth of a record's first model. @throws Error when there is none. */
export function growthOf(record: LabRecord): Growth {
  const [growth] = record.growth;
  if (growth === undefined) throw new Error('The record has no growth.');
  return growth;
}
