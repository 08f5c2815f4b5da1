/** The facts of the environment: of the results where there are any, else of what this browser offers now. */
import { adapterName } from './adapter-name';
import { useUi } from './context';
import { FactRows, type Fact } from './fact-rows';
import { choiceText } from './option-field';
import { ScrollTable } from './table';

export function EnvironmentBody() {
  const { tr, store, int } = useUi<'report'>();
  const environment = store.record.value?.environment ?? null;
  const probe = store.probe.value;
  const adapter = environment === null ? probe.adapter : environment.adapter;
  const features = environment?.features ?? probe.features;
  const device = environment?.limits ?? {};
  const offered = environment?.adapterLimits ?? probe.limits;
  const names = [...new Set([...Object.keys(device), ...Object.keys(offered)])].sort();
  const isolated = environment?.crossOriginIsolated ?? probe.crossOriginIsolated;
  const facts: Fact[] = [
    ...(environment === null
      ? []
      : ([
          [tr('env.backend'), choiceText(tr, environment.backend)],
          [tr('env.allocator'), environment.backend === 'wasm' ? tr('env.none') : environment.allocator],
        ] satisfies Fact[])),
    [tr('env.isolated'), tr(isolated ? 'env.yes' : 'env.no')],
    [tr('env.threads'), int(environment?.threads ?? probe.threads)],
    ...(environment === null
      ? ([
          [tr('env.app'), __APP_VERSION__],
          [tr('env.transformers'), __TRANSFORMERS_VERSION__],
          [tr('env.onnxruntime'), __ORT_VERSION__],
        ] satisfies Fact[])
      : ([
          [tr('env.app'), `${environment.app} (${environment.commit.slice(0, 12)})`],
          [tr('env.transformers'), environment.transformers],
          [tr('env.onnxruntime'), environment.onnxruntime],
          ...(environment.runtimeBuild === undefined
            ? []
            : ([[tr('env.runtimeBuild'), environment.runtimeBuild]] satisfies Fact[])),
          [tr('env.browser'), environment.browser],
          [tr('env.os'), environment.os],
        ] satisfies Fact[])),
    [tr('env.features'), features.length === 0 ? tr('env.none') : features.join(', ')],
  ];
  return (
    <>
      <p class="hint">{tr(environment === null ? 'env.now' : 'env.of')}</p>
      <dl class="pairs">
        <div>
          <dt>{tr('env.adapter')}</dt>
          <dd>{adapterName(adapter, tr('env.unnamed'), tr('env.noAdapter'))}</dd>
        </div>
        <FactRows facts={facts} />
      </dl>
      {adapter?.fallback === true && (
        <p class="hint">
          {tr('badge.software.why')} {tr('badge.software.hint')}
        </p>
      )}
      {names.length > 0 && (
        <ScrollTable
          caption={tr('env.limits')}
          head={[tr('env.limit'), tr('env.limitDevice'), tr('env.limitAdapter')]}
        >
          {names.map((name) => (
            <tr key={name}>
              <th scope="row" class="text">
                {name}
              </th>
              <td>{limitText(device[name], int, tr('table.notMeasured'))}</td>
              <td>{limitText(offered[name], int, tr('table.notMeasured'))}</td>
            </tr>
          ))}
        </ScrollTable>
      )}
    </>
  );
}

function limitText(limit: number | undefined, int: (value: number) => string, unknown: string): string {
  return limit === undefined ? unknown : int(limit);
}
