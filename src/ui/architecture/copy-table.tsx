/** Two buttons below a table: the table as Markdown and as CSV, into the clipboard. */
import { useUi } from '../context';
import { useCopy, useFlash } from '../hooks';
import { tableCsv, tableMarkdown, type TableText } from './table-text';

/** @param title What the table is called, so that the buttons of several tables have different names. */
export function CopyTable({ title, table }: { title: string; table: TableText }) {
  const { tr } = useUi<'architecture'>();
  return (
    <p class="buttons copy-table">
      <CopyButton label={tr('arch.copyMarkdown')} title={title} text={() => tableMarkdown(table)} />
      <CopyButton label={tr('arch.copyCsv')} title={title} text={() => tableCsv(table)} />
    </p>
  );
}

function CopyButton({ label, title, text }: { label: string; title: string; text: () => string }) {
  const { tr } = useUi<'architecture'>();
  const copy = useCopy();
  const [copied, flash] = useFlash(1500);
  return (
    <button
      type="button"
      class="button button-quiet"
      aria-label={tr('arch.copyTable', { button: label, table: title })}
      onClick={() => {
        void copy(text()).then((done) => {
          if (done) flash();
        });
      }}
    >
      {copied ? tr('copy.done') : label}
    </button>
  );
}
