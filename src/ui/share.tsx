/** Links, files and clipboard: what can be taken away from a run, and brought back. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { copyText, download } from '../lab/handout';
import type { LabRecord } from '../protocol/record';
import { useUi } from './context';

export function Share() {
  const { tr, store, announce } = useUi();
  const said = useSignal('');
  /** A text that could not be copied, shown so that it can be copied by hand. */
  const manual = useSignal<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const planner = store.recipe.value.experiment === 'capacity';
  const record = store.record.value;
  /** What is taken away: the record on the page, or the plan as it is now. */
  const taken = async (): Promise<LabRecord | null> => {
    if (!planner) return record;
    const { capacityRecord } = await import('../lab/capacity-run');
    return capacityRecord(store.recipe.value, store.recipeUrl(), new Date().toISOString());
  };

  const say = (message: string) => {
    said.value = message;
    announce(message);
  };
  const give = async (text: string, message: string) => {
    const copied = await copyText(text);
    manual.value = copied ? null : text;
    say(copied ? message : tr('share.manual'));
  };
  /** Exports are made by code that is loaded for it; a failure is said, never swallowed. */
  const attempt = (work: () => Promise<void>) => () => {
    work().catch((error: unknown) => {
      say(error instanceof Error ? error.message : String(error));
    });
  };
  const save = (extension: 'json' | 'csv') => async () => {
    const [{ recordJson, recordCsv }, made] = await Promise.all([import('../record/export'), taken()]);
    if (made === null) return;
    const name = `kv-cache-lab-${made.recipe.experiment}-${made.createdAt.slice(0, 19).replace(/[:T]/g, '-')}.${extension}`;
    if (extension === 'json') download(name, 'application/json', recordJson(made));
    else download(name, 'text/csv', recordCsv(made));
    say(tr('share.saved', { name }));
  };

  return (
    <section class="share" aria-labelledby="share-title">
      <h2 id="share-title">{tr('share.title')}</h2>
      <div class="buttons">
        <button
          type="button"
          class="button"
          data-testid="copy-link"
          onClick={attempt(() => give(store.recipeUrl(), tr('share.copied')))}
        >
          {tr('share.copyLink')}
        </button>
        {(planner || record !== null) && (
          <>
            {!planner && (
              <button
                type="button"
                class="button"
                data-testid="copy-results-link"
                onClick={attempt(async () => {
                  const { url, complete } = await store.resultsUrl();
                  await give(url, tr(complete ? 'share.copied' : 'share.copiedPartial'));
                })}
              >
                {tr('share.copyResults')}
              </button>
            )}
            <button
              type="button"
              class="button"
              data-testid="copy-markdown"
              onClick={attempt(async () => {
                const [{ recordMarkdown }, made] = await Promise.all([import('../record/export'), taken()]);
                if (made !== null) await give(recordMarkdown(made), tr('share.copied'));
              })}
            >
              {tr('share.markdown')}
            </button>
            <button type="button" class="button" data-testid="export-csv" onClick={attempt(save('csv'))}>
              {tr('share.csv')}
            </button>
            <button type="button" class="button" data-testid="export-json" onClick={attempt(save('json'))}>
              {tr('share.exportJson')}
            </button>
          </>
        )}
        <button
          type="button"
          class="button"
          data-testid="import-json"
          onClick={() => {
            input.current?.click();
          }}
        >
          {tr('share.importJson')}
        </button>
        <input
          ref={input}
          class="visually-hidden"
          type="file"
          accept=".json,application/json"
          tabIndex={-1}
          aria-label={tr('share.importJson')}
          onChange={(event) => {
            const field = event.currentTarget;
            const [file] = field.files ?? [];
            if (file !== undefined) void store.importFile(file);
            // So that the same file can be chosen again.
            field.value = '';
          }}
        />
      </div>
      <p class="hint">{said.value}</p>
      {manual.value !== null && (
        <textarea
          class="manual-copy"
          readOnly
          rows={4}
          aria-label={tr('share.manual')}
          value={manual.value}
        />
      )}
    </section>
  );
}
