/** A table that scrolls in its own region, reachable by keyboard, and its cells for bytes that may not have been measured. */
import type { ComponentChildren } from 'preact';
import type { MaybeBytes } from '../protocol/record';
import { useUi } from './context';

interface Props {
  caption: string;
  /** The caption is for screen readers only, since a heading above says the same. */
  hideCaption?: boolean;
  testId?: string;
  head: string[];
  children: ComponentChildren;
  /** Columns (0-based) that hold words; the others hold numbers, set to the right. */
  textColumns?: number[];
}

export function ScrollTable({
  caption,
  hideCaption = false,
  testId,
  head,
  children,
  textColumns = [0],
}: Props) {
  const { tr } = useUi();
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={tr('table.scroll', { title: caption })}>
      <table data-testid={testId}>
        <caption class={hideCaption ? 'visually-hidden' : undefined}>{caption}</caption>
        <thead>
          <tr>
            {head.map((name, column) => (
              <th key={name} scope="col" class={textColumns.includes(column) ? 'text' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Bytes as an exact integer, or "not measured" in words. */
export function BytesCell({
  bytes,
  why,
  signed = false,
}: {
  bytes: MaybeBytes;
  why: string | null;
  signed?: boolean;
}) {
  const { tr, int } = useUi();
  if (bytes === null) {
    return (
      <td class="unmeasured" title={why ?? undefined}>
        {tr('table.notMeasured')}
      </td>
    );
  }
  return <td>{signed && bytes > 0 ? `+${int(bytes)}` : int(bytes)}</td>;
}
