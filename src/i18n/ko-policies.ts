/** Korean texts of the experiment policies, and of the settings of cache policies. */
import type { enPolicies } from './en-policies';

export const koPolicies: Record<keyof typeof enPolicies, string> = {
  'setting.room.help':
    '처음에 버퍼를 시퀀스마다 몇 토큰 크기로 만들지 정합니다. 0이면 실행에 필요한 만큼입니다.',
  'setting.overflow.help': 'refuse: 더 받지 않습니다. move: 두 배 큰 버퍼로 캐시를 옮깁니다.',
  'setting.bits.help': '양자화한 원소 하나의 비트 수. 스케일은 따로 듭니다.',
  'setting.block.help': 'paged 캐시의 블록 하나에 드는 토큰 수. 마지막 블록의 빈자리는 안에서 낭비됩니다.',
  'policies.policies': '캐시 정책',
  'policies.allocators': '할당자 모드',
  'policies.allocators.help':
    'ONNX Runtime의 storageBufferCacheMode. 모든 정책을 모든 모드로, 그때마다 모델을 새로 올려 돌립니다.',

  'policies.pair': '{policy}·{mode}',
  'policies.and': ', ',
  'policies.waiting': '아직 견줄 것이 없습니다. 첫 정책을 측정하고 있습니다.',
  'policies.verdict.none': '측정된 정책이 없습니다.',
  'policies.verdict.device':
    '{tokens}토큰에서 가장 적게 쓰는 것은 {name}입니다. 디바이스 최대가 {bytes}이고, {base}는 {baseBytes}입니다({times}배).',
  'policies.verdict.device.alone': '{tokens}토큰에서 {name}의 디바이스 최대는 {bytes}입니다.',
  'policies.verdict.tensor':
    '{tokens}토큰에서 캐시 텐서가 가장 작은 것은 {name}입니다. {bytes}이고, {base}는 {baseBytes}입니다({times}배). 디바이스 바이트는 측정하지 않았습니다.',
  'policies.verdict.tensor.alone':
    '{tokens}토큰에서 {name}의 캐시 텐서는 {bytes}입니다. 디바이스 바이트는 측정하지 않았습니다.',
  'policies.verdict.cost': '디코드 스텝마다 {parts}입니다.',
  'policies.verdict.ms': '시간은 {ms}(비교 대상 {baseMs})',
  'policies.verdict.copied': '옛 키와 값의 복사는 {bytes}(비교 대상 {baseBytes})',
  'policies.verdict.lossy':
    '로짓은 부동소수점 캐시의 것과 똑같지는 않으며, 얼마나 가까운지는 아래 검사에 있습니다.',
  'policies.verdict.equal': '측정한 {measured}칸 중 {equal}칸이 공식 바이트와 정확히 같습니다.',
  'policies.verdict.failed': '{of}개 중 {failed}개는 실패했습니다({names}).',
  'policies.verdict.allOf': '{mode} 모드의 {policies}',

  'policies.best.title': '이 기기에서 토큰을 가장 많이 담는 것',
  'policies.best':
    '디바이스 바이트 {budget} 안에 {name}는 {tokens}토큰, {base}는 {baseTokens}토큰을 담습니다. {times}배입니다.',
  'policies.best.alone': '디바이스 바이트 {budget} 안에 {name}는 {tokens}토큰을 담습니다.',
  'policies.best.none':
    '디바이스 바이트 {budget} 안에 {name}는 {tokens}토큰을 담고, {base}는 측정한 길이 중 어느 것도 담지 못합니다.',
  'policies.best.default':
    '디바이스 바이트 {budget} 안에 기본값인 {name}가 이미 가장 많은 {tokens}토큰을 담습니다. 가장 적은 {base}는 {baseTokens}토큰입니다.',
  'policies.best.same':
    '디바이스 바이트 {budget} 안에 {name}는 {base}와 같은 {tokens}토큰을 담습니다. 최대는 {peak}와 {basePeak}입니다.',
  'policies.best.budget': '예산의 정확한 값:',
  'policies.best.what':
    '이 기기에서 측정한 값만 쓰고 추정하지 않습니다. 예산은 가장 긴 길이에서 측정한 최대 가운데 가장 작은 값이며, 각각이 담는 토큰 수는 자신의 최대가 예산 안에 든 가장 긴 길이(시퀀스당)입니다.',
  'policies.best.unknown':
    '추천이 없습니다. 추천은 디바이스 바이트의 최대를 견주는데, 여기서는 측정하지 않았습니다.',
  'policies.best.later': '추천은 실행이 끝나면 나옵니다.',
  'policies.best.table': '예산 안에 담는 토큰 수(정책과 모드별)',
  'policies.best.rank': '순위',
  'policies.best.tokens': '담는 토큰(실측)',
  'policies.best.peak': '디바이스 최대(실측, 바이트)',
  'policies.best.nothing': '담지 못함',

  'policies.col.policy': '정책',
  'policies.col.mode': '할당자 모드',

  'policies.chart.lines': '선',
  'policies.lines.policies': '모든 정책, 한 수준',
  'policies.lines.allocators': '모든 모드, 한 수준',
  'policies.lines.levels': '한 정책, 모든 수준',
  'policies.chart.of.policies': '정책별({mode}): {level}',
  'policies.chart.of.allocators': '할당자 모드별({policy}): {level}',
  'policies.chart.of.levels': '수준별: {policy}({mode})',
  'policies.chart.level': '수준',
  'policies.chart.batch': '배치 {batch}.',
  'policies.chart.hint':
    '길이마다 캐시를 채운 뒤 이어서 디코딩합니다. dynamic과 quantised는 다음 길이까지 계속 자라고, static과 paged는 그 길이와 스텝에 맞춘 버퍼로 새로 시작합니다.',
  'policies.chart.ms': '디코드 스텝당 ms(실측)',
  'policies.chart.copied': '스텝당 복사 바이트(셈)',
  'policies.chart.context': '스텝 전 캐시의 토큰 수',
  'policies.chart.time': '길이별 디코드 스텝 시간',
  'policies.chart.time.hint':
    '측정한 스텝의 중앙값입니다. GPU가 파이프라인을 만든 스텝은 워밍업이라 뺐습니다: {all}스텝 중 {warmUp}스텝.',
  'policies.chart.time.none':
    '{all}스텝 중 워밍업으로 뺀 스텝은 없습니다. GPU가 스텝 중에 파이프라인을 만들었는지 셉니다.',
  'policies.chart.copies': '길이별 디코드 스텝의 복사 바이트',
  'policies.chart.copies.hint':
    '한 스텝이 다른 메모리로 옮기는 앞선 토큰의 키와 값입니다. 스텝마다 새 텐서가 되는 캐시는 전부, 제자리에 있는 캐시는 0, 블록은 모아 쓴 만큼입니다.',
  'policies.level.formula': '공식 바이트(계산)',
  'policies.level.used': '쓰인 바이트(실측)',
  'policies.level.tensor': '텐서 바이트(실측)',
  'policies.level.resident': '상주 바이트(실측)',
  'policies.level.device': '디바이스 바이트(실측, 측정 후)',
  'policies.level.peak': '디바이스 바이트(실측, 최대)',

  'policies.table': '정책과 모드별, 가장 긴 길이에서',
  'policies.table.hint':
    '공식은 config.json(quantised는 비트 수도)으로 계산한 값이고 나머지는 모두 실측입니다. 시간과 복사는 그 길이 뒤에 이어진 스텝의 중앙값입니다.',
  'policies.table.tokens': '토큰',
  'policies.table.formula': '공식(바이트)',
  'policies.table.used': '쓰임, 실측(바이트)',
  'policies.table.tensor': '텐서, 실측(바이트)',
  'policies.table.resident': '상주, 실측(바이트)',
  'policies.table.device': '디바이스 후, 실측(바이트)',
  'policies.table.peak': '디바이스 최대, 실측(바이트)',
  'policies.table.ms': '스텝 시간, 실측',
  'policies.table.copied': '스텝당 복사(바이트)',
  'policies.table.ratio': '디바이스/공식, 최대',
  'policies.table.steps': '{steps}스텝의 중앙값',
  'policies.table.noSteps': '워밍업 스텝뿐',
  'policies.table.all': '전부',
  'policies.table.failed': '실패: {reason}',
  'policies.table.partly': '길이 {planned}개 중 {measured}개. 그 뒤: {reason}',
  'policies.table.bits': '{bits}비트, {scales}',
  'policies.scales.webgpu': '스케일은 헤드의 행마다 32비트 하나(텐서 안)',
  'policies.scales.wasm': '스케일은 층의 키 전체와 값 전체에 하나씩(텐서 밖)',
  'policies.table.blocks': '{block}토큰 블록 {blocks}개 사용, 마지막 블록에서 {lost}바이트 낭비',
  'policies.table.gathered': '패스마다 이 페이지의 복사로 모음',
  'policies.paged.note':
    'paged: 이 onnxruntime-web에는 float32용 paged attention이 없어, 패스마다 시퀀스의 블록을 텐서 하나로 모읍니다. 그 복사는 이 페이지가 하며 셈에 들어갑니다.',
  'policies.batch': '배치 {batch}',

  'policies.probes.title': '함께 시도한 것',
  'policies.probes.name.graph-capture': '그래프 캡처',
  'policies.probes.name.paged-attention': 'ONNX Runtime의 paged attention',
  'policies.probes.outcome.works': '동작',
  'policies.probes.outcome.refused': '거절',
  'policies.probes.outcome.ignored': '받아들였으나 효과 없음',
  'policies.probes.outcome.wrong': '틀린 결과',
  'policies.probes.graph-capture.works':
    '그래프의 명령을 한 번 기록해 되풀이할 수 있어 스텝마다 CPU가 할 일이 줄어듭니다. 어텐션 한 층의 그래프로 확인했고 값도 같았습니다. 측정한 모델의 그래프도 되는지는 아래에 있습니다.',
  'policies.probes.graph-capture.refused':
    '여기서는 스텝의 명령을 기록해 되풀이할 수 없어 스텝마다 새로 인코딩합니다.',
  'policies.probes.graph-capture.ignored':
    '옵션은 받아들였으나 되풀이된 스텝이 보이지 않았습니다. 여기서는 줄어드는 것이 없습니다.',
  'policies.probes.graph-capture.wrong': '스텝이 되풀이되었으나 로짓이 달라 여기서는 쓸 수 없습니다.',
  'policies.probes.paged-attention.works':
    '블록을 모으지 않고 제자리에서 읽을 수 있습니다. 이 페이지의 paged 정책은 아직 쓰지 않습니다.',
  'policies.probes.paged-attention.refused':
    '블록을 제자리에서 읽을 수 없어 paged 정책은 패스마다 블록을 모읍니다.',
  'policies.probes.paged-attention.ignored':
    '연산자가 돌았으나 제 일을 하지 않아 paged 정책은 블록을 모읍니다.',
  'policies.probes.paged-attention.wrong': '연산자가 돌았으나 다른 수를 내어 paged 정책은 블록을 모읍니다.',
  'policies.probes.said': '본 것: {detail}',
  'policies.probes.none': '이번 실행에서 따로 시도한 것은 없습니다.',

  'policies.steps': '모든 디코드 스텝({count}개)',
  'policies.steps.ms': '시간, 실측',
  'policies.steps.warmUp': '워밍업: 파이프라인 {compiled}개 생성',
  'policies.steps.counted': '포함',
  'policies.steps.note': '중앙값에',
  'policies.steps.cut': '전체 {total}스텝 중 마지막 {shown}스텝만 보입니다. CSV와 JSON에는 모두 있습니다.',

  'policies.how.runs':
    '정책 {policies}개 × 할당자 모드 {modes}개. 그때마다 모델을 새로 올리고 가중치, 토큰, 길이({tokens})는 같으며 길이마다 {steps}스텝을 디코딩합니다.',
  'policies.how.wasm': 'WASM에는 할당자 모드가 없어 정책마다 한 번씩 돕니다.',
  'policies.how.formula': 'dynamic, static, paged: 바이트 = 토큰 × {perToken}',
  'policies.how.quantised.webgpu':
    'quantised: 바이트 = 토큰 × {rows}행 × ({headDim} × {bits} / 8 + 4) = 토큰 × {perToken}',
  'policies.how.quantised.wasm':
    'quantised: 바이트 = 토큰 × {rows}행 × {headDim} × {bits} / 8 = 토큰 × {perToken}',
  'policies.how.rows':
    '행은 토큰 하나의, 헤드 하나의 키 또는 값입니다: {layers}층 × KV 헤드 {kvHeads}개 × 2.',
  'policies.how.paged':
    'paged: 자리는 {block}토큰 블록 단위입니다. {tokens}토큰 시퀀스는 블록 {blocks}개를 쓰고 마지막 블록에서 {lost}토큰분을 낭비합니다.',
  'policies.how.time':
    '스텝 시간은 호출부터 로짓까지입니다. 그동안 GPU가 만든 파이프라인을 세며, 하나라도 있으면 워밍업이라 중앙값에 넣지 않습니다.',
  'policies.how.copied':
    '복사 바이트는 텐서를 보고 셉니다. 스텝의 캐시가 새 텐서이면 옛 텐서가 담던 전부, 블록이면 모은 만큼입니다.',
  'policies.how.peak':
    '최대는 프리필이나 스텝 동안 살아 있는 GPU 버퍼 전체 합의 가장 큰 값입니다. 버퍼가 생기고 사라질 때마다 셉니다.',
};
