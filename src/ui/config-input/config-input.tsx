/**
 * Which model: pasted, a file or a drop, from the catalogue, from the hub, or by hand. Small, since its first view is part of
 * the first paint; what reads and what is chosen comes when it is used.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { CATALOG } from '../../model/catalog';
import type { Fault } from '../../protocol/faults';
import { useUi } from '../context';
import { lazyPart } from '../lazy-part';
import type { HandPrefill, InputModel, ReadModel, WayIn } from './input-model';

export type { InputModel } from './input-model';

const WAYS = ['paste', 'catalogue', 'hub', 'hand'] as const;
type Way = (typeof WAYS)[number];

/** A config.json has kilobytes; what is larger is some other file and is not read. */
const MAX_FILE_BYTES = 4_000_000;

const Catalogue = lazyPart(async () => (await import('./catalogue-panel')).CataloguePanel, 'input');
const Hub = lazyPart(async () => (await import('./hub-panel')).HubPanel, 'input');
const ByHand = lazyPart(async () => (await import('./hand-panel')).HandPanel, 'input');
const NotJson = lazyPart(async () => (await import('./not-json')).NotJson, 'input');
const ReadNotes = lazyPart(async () => (await import('./read-notes')).ReadNotes, 'input');

interface Props {
  onModel: (model: InputModel) => void;
  /** What was shown is no longer what is in the field: emptied, or not readable. */
  onClear?: () => void;
  /** Where there are several on one page. */
  idPrefix?: string;
  /** What is made of the model; stands below what was read. */
  children?: ComponentChildren;
}

export function ConfigInput({ onModel, onClear, idPrefix = 'config', children }: Props) {
  const { tr, faultSentence } = useUi();
  const way = useSignal<Way>('paste');
  const text = useSignal('');
  const model = useSignal<InputModel | null>(null);
  const problem = useSignal<{ fault: Fault; prefill: HandPrefill | null; text?: string } | null>(null);
  const hubId = useSignal('');
  const prefill = useSignal<HandPrefill | null>(null);
  const over = useSignal(false);
  /** The newest reading; an older one that ends later is not shown. */
  const reading = useRef(0);

  const clear = () => {
    reading.current += 1;
    problem.value = null;
    model.value = null;
    onClear?.();
  };
  /** The tab; what was wrong under another one is not said any more. */
  const goTo = (to: Way) => {
    way.value = to;
    problem.value = null;
  };
  const take = (read: ReadModel, content = '') => {
    reading.current += 1;
    if ('fault' in read) {
      clear();
      problem.value = { ...read, text: content };
      return;
    }
    problem.value = null;
    model.value = read.model;
    onModel(read.model);
  };
  const readText = async (content: string, from: WayIn) => {
    if (content.trim() === '') {
      take({ fault: { code: 'config-empty', params: {} }, prefill: null });
      return;
    }
    const number = ++reading.current;
    try {
      const { readModelText } = await import('./read-model');
      if (number === reading.current) take(readModelText(content, from), content);
    } catch {
      problem.value = { fault: { code: 'page-outdated', params: {} }, prefill: null };
    }
  };
  const readFile = async (file: File) => {
    way.value = 'paste';
    if (file.size > MAX_FILE_BYTES) {
      const params = { characters: file.size, limit: MAX_FILE_BYTES };
      take({ fault: { code: 'config-too-long', params }, prefill: null });
      return;
    }
    text.value = await file.text();
    await readText(text.value, 'file');
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    over.value = false;
    const file = event.dataTransfer?.files[0];
    const dropped = event.dataTransfer?.getData('text/plain') ?? '';
    if (file !== undefined) void readFile(file);
    else if (dropped !== '') {
      way.value = 'paste';
      text.value = dropped;
      void readText(dropped, 'paste');
    }
  };
  const problemText = ({ fault, prefill: known }: { fault: Fault; prefill: HandPrefill | null }): string => {
    const sentence = faultSentence(fault);
    const button = `${tr('calc.byHand')}.`;
    // The button below says the same words.
    return known !== null && sentence.endsWith(button) ? sentence.slice(0, -button.length).trim() : sentence;
  };
  const byHand = (known: HandPrefill | null) => {
    prefill.value = known;
    goTo('hand');
  };

  return (
    <div
      class={over.value ? 'config-input is-over' : 'config-input'}
      data-testid={`${idPrefix}-drop`}
      onDragOver={(event) => {
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) over.value = false;
      }}
      onDrop={onDrop}
    >
      {over.value && <p class="config-over">{tr('calc.drop')}</p>}
      <div class="segments" role="group" aria-label={tr('calc.ways')}>
        {WAYS.map((name) => (
          <button
            key={name}
            type="button"
            class="segment"
            aria-pressed={way.value === name}
            onClick={() => {
              goTo(name);
            }}
          >
            {tr(`calc.way.${name}`)}
          </button>
        ))}
      </div>
      {way.value === 'paste' && (
        <Paste
          idPrefix={idPrefix}
          text={text.value}
          onText={(typed) => {
            text.value = typed;
            // A change of what is shown waits for Compute; an emptied field clears at once.
            if (typed.trim() === '') clear();
          }}
          onRead={(content) => void readText(content, 'paste')}
          onFile={(file) => void readFile(file)}
        />
      )}
      {way.value === 'catalogue' && (
        <Catalogue idPrefix={idPrefix} isChosen={(id) => id === model.value?.id} onRead={take} />
      )}
      {way.value === 'hub' && (
        <Hub
          idPrefix={idPrefix}
          start={hubId.value}
          onAsk={() => {
            problem.value = null;
          }}
          onRead={take}
        />
      )}
      {way.value === 'hand' && <ByHand idPrefix={idPrefix} prefill={prefill.value} onRead={take} />}
      <div class="config-result" data-testid={`${idPrefix}-result`}>
        {problem.value !== null && (
          <div class="message message-error" role="alert">
            {problem.value.fault.code === 'config-not-json' ? (
              <NotJson
                text={problem.value.text ?? ''}
                onHub={(id) => {
                  hubId.value = id;
                  goTo('hub');
                }}
              />
            ) : (
              <p>{problemText(problem.value)}</p>
            )}
            {problem.value.prefill !== null && (
              <p>
                <button
                  type="button"
                  class="button"
                  onClick={() => {
                    byHand(problem.value?.prefill ?? null);
                  }}
                >
                  {tr('calc.byHand')}
                </button>
              </p>
            )}
          </div>
        )}
        {model.value !== null && <ReadNotes model={model.value} onByHand={byHand} />}
        {model.value !== null && children}
      </div>
    </div>
  );
}

interface PasteProps {
  idPrefix: string;
  text: string;
  onText: (text: string) => void;
  onRead: (text: string) => void;
  onFile: (file: File) => void;
}

function Paste({ idPrefix, text, onText, onRead, onFile }: PasteProps) {
  const { tr } = useUi();
  const file = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRead(text);
      }}
    >
      <p class="hint" id={`${idPrefix}-help`}>
        {tr('calc.help')}
      </p>
      <label for={`${idPrefix}-input`}>{tr('calc.input')}</label>
      <textarea
        ref={area}
        id={`${idPrefix}-input`}
        data-testid={`${idPrefix}-input`}
        rows={8}
        spellcheck={false}
        autocomplete="off"
        aria-describedby={`${idPrefix}-help`}
        placeholder={'{ "num_hidden_layers": 24, "num_attention_heads": 14, … }'}
        value={text}
        onInput={(event) => {
          onText(event.currentTarget.value);
        }}
        onPaste={() => {
          // After the browser has put the pasted text in.
          setTimeout(() => {
            onRead(area.current?.value ?? '');
          });
        }}
      />
      <p class="buttons">
        <button type="submit" class="button">
          {tr('calc.compute')}
        </button>
        <button type="button" class="button" onClick={() => file.current?.click()}>
          {tr('calc.file')}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            const example = CATALOG.find(({ source }) => source === 'twin');
            const filled = JSON.stringify(example?.config ?? {}, null, 2);
            onText(filled);
            onRead(filled);
          }}
        >
          {tr('calc.example')}
        </button>
      </p>
      <input
        ref={file}
        class="visually-hidden"
        type="file"
        accept=".json,.txt,.py,application/json,text/*"
        tabIndex={-1}
        aria-label={tr('calc.file')}
        data-testid={`${idPrefix}-file`}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          if (chosen !== undefined) onFile(chosen);
          // So that the same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
    </form>
  );
}
