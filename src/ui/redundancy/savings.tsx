/** What the ideal bound would save: bytes at two widths and several contexts, the weights beside them, and its caveats. */
import type { RedundancyResult, Savings } from '../../protocol/redundancy';
import { savingsOf } from '../../redundancy/savings';
import { CopyTable } from '../architecture/copy-table';
import { useUi } from '../context';
import { Exact } from '../exact';
import { ScrollTable } from '../table';
import { FoldedTable } from './folded-table';
import { percent, places } from './numbers';
import type { RedundancyTexts } from './words';

/** Contexts that are shown besides the recipe's. */
const CONTEXTS = [8192, 32_768, 131_072] as const;

export function SavingsSection({ result }: { result: RedundancyResult }) {
  const { tr, int, size } = useUi<RedundancyTexts>();
  const { savings, channels, layers } = result;
  if (savings === null) return null;
  const { savedBits, context, weightBytes, weightsFrom, bytesPerTokenF16 } = savings;
  const title = tr('red.save.title');
  return (
    <section class="red-savings" aria-labelledby="red-save-title">
      <h3 id="red-save-title">{title}</h3>
      <p>
        {savedBits > 0 ? tr('red.save.bits', { bits: places(savedBits, 2) }) : tr('red.verdict.savesNothing')}
      </p>
      <p>{tr('red.save.perToken', { bytes: int(bytesPerTokenF16), layers: layers.length })}</p>
      <WidthsTable savings={savings} title={title} />
      <p>
        {tr('red.save.weights')}:{' '}
        {weightBytes === null ? (
          tr('red.save.weightsUnknown', { field: tr('red.weights') })
        ) : (
          <>
            <Exact value={weightBytes} /> {tr('unit.bytes')} ({size(weightBytes)})
            {weightsFrom === 'typed' && `, ${tr('red.save.weightsTyped')}`}
            {savings.savedBytes > 0 &&
              `, ${tr('red.save.times', { n: int(Math.round(weightBytes / savings.savedBytes)) })}`}
          </>
        )}
      </p>
      <ContextsTable
        rows={[...new Set([...CONTEXTS, context])]
          .sort((a, b) => a - b)
          .map((tokens) => savingsOf(channels, tokens, savedBits))}
      />
      <p class="hint">{tr('red.save.caveat')}</p>
    </section>
  );
}

type Amounts = Omit<Savings, 'weightBytes' | 'weightsFrom'>;

function WidthsTable({ savings, title }: { savings: Amounts; title: string }) {
  const { tr, int } = useUi<RedundancyTexts>();
  const { cacheBytesF16, cacheBytes4Bit, savedBytes, shareF16, share4Bit, context } = savings;
  const rows = [
    { name: tr('red.save.f16'), cache: cacheBytesF16, share: shareF16 },
    { name: tr('red.save.4bit'), cache: cacheBytes4Bit, share: share4Bit },
  ];
  const head = [
    tr('red.save.stored'),
    tr('red.save.cache', { tokens: int(context) }),
    tr('red.save.saved'),
    tr('red.save.share'),
  ];
  return (
    <>
      <ScrollTable caption={title} hideCaption testId="savings-table" head={head}>
        {rows.map(({ name, cache, share }) => (
          <tr key={name}>
            <th scope="row" class="text">
              {name}
            </th>
            <td>
              <BytesWithUnit bytes={cache} />
            </td>
            <td>
              <BytesWithUnit bytes={savedBytes} />
            </td>
            <td>{tr('red.percent.one', { max: percent(share) })}</td>
          </tr>
        ))}
      </ScrollTable>
      <CopyTable
        title={title}
        table={{ head, rows: rows.map(({ name, cache, share }) => [name, cache, savedBytes, share]) }}
      />
    </>
  );
}

function ContextsTable({ rows }: { rows: Amounts[] }) {
  const { tr, int } = useUi<RedundancyTexts>();
  return (
    <FoldedTable
      title={tr('red.save.contexts')}
      head={[
        tr('table.tokens'),
        `${tr('red.save.stored')} ${tr('red.save.f16')}`,
        `${tr('red.save.stored')} ${tr('red.save.4bit')}`,
        tr('red.save.saved'),
      ]}
      textColumns={[]}
    >
      {rows.map(({ context, cacheBytesF16, cacheBytes4Bit, savedBytes }) => (
        <tr key={context}>
          <th scope="row">{int(context)}</th>
          <td>
            <BytesWithUnit bytes={cacheBytesF16} />
          </td>
          <td>
            <BytesWithUnit bytes={cacheBytes4Bit} />
          </td>
          <td>
            <BytesWithUnit bytes={savedBytes} />
          </td>
        </tr>
      ))}
    </FoldedTable>
  );
}

/** Rounded bytes first, the exact integer below them. */
function BytesWithUnit({ bytes }: { bytes: number }) {
  const { tr, size } = useUi<RedundancyTexts>();
  return (
    <>
      {size(bytes)}
      <span class="below">
        <Exact value={bytes} /> {tr('unit.bytes')}
      </span>
    </>
  );
}
