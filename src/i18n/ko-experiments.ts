/** Korean texts of the reports of the experiments after length and growth. */
import type { enExperiments } from './en-experiments';

export const koExperiments: Record<keyof typeof enExperiments, string> = {
  'check.repeats-identical': '되풀이할 때마다 바이트가 같다',
  'check.padded-batch': '길이가 다른 프롬프트를 묶어도 로짓은 각자의 것이다',
  'check.merge-agrees': '합친 기록이 서로 맞는다',
  'points.variant': '가중치',
  'points.cacheType': '캐시 원소',
  'points.fromGraph': '그래프에서 읽음',
  'points.batch': '배치',
  'points.backend': '백엔드',
  'points.process': '페이지 메모리 변화',
  'points.range': '{smallest} ~ {largest}',
  'points.formulaOnly': '공식만: {reason}',
  'points.every': '측정값 전체 ({count}개)',
  'level.process.long': '페이지 메모리',
  'process.what':
    '“페이지 메모리”는 브라우저가 페이지 전체에 대해 보고하는 값(performance.measureUserAgentSpecificMemory)이며, 캐시가 있을 때에서 없을 때를 뺀 변화입니다. 반복의 중앙값이고 그 아래는 최솟값과 최댓값입니다.',
  'process.unsupported':
    '이 브라우저에 performance.measureUserAgentSpecificMemory가 없거나 페이지가 교차 출처 격리되지 않았습니다',
  'chart.dtype': '가중치 종류별 캐시 바이트',
  'chart.batch': '배치별 캐시 바이트와 페이지 메모리의 변화',
  'chart.gqa': 'KV 헤드를 나눠 쓸 때와 아닐 때의 캐시 바이트',
  'chart.axis.dtype': '가중치의 종류',
  'chart.axis.batch': '배치의 시퀀스 수',
  'chart.axis.gqa': '모델',
  'chart.process': '페이지 메모리 변화',
  'dtype.table': '가중치 종류별',
  'dtype.note':
    '가중치를 양자화하면 가중치는 작아지지만, 키와 값은 부동소수로 계산되어 부동소수로 남습니다. 어떤 부동소수인지는 파일 이름이 아니라 로드한 그래프의 캐시 입력에서 읽습니다.',
  'dtype.half': 'float16은 float32의 정확히 절반입니다({half}바이트 대 {full}바이트)',
  'dtype.notHalf': 'float16은 {half}바이트, float32는 {full}바이트입니다',
  'dtype.quantisedSame': '가중치를 양자화해도 캐시는 그대로입니다({list})',
  'dtype.quantisedOther': '양자화한 가중치의 캐시가 같은 원소 형식의 캐시와 다릅니다({list})',
  'dtype.onWasm': '이 GPU에 shader-f16이 없어 WASM에서 돌린 것이 있습니다({list})',
  'batch.table': '배치별',
  'batch.step': '한 토큰 더',
  'batch.stepWhat':
    '마지막 길이 다음의 디코드 스텝 하나가 캐시에 더한 바이트와, 그때 페이지 메모리의 변화입니다.',
  'batch.linear': '캐시는 배치에 비례합니다(배치 {from}에서 {first}바이트, 배치 {to}에서 {last}바이트)',
  'batch.notLinear':
    '캐시가 배치에 비례하지 않습니다(배치 {from}에서 {first}바이트, 배치 {to}에서 {last}바이트)',
  'batch.one': '배치 {batch}에서 캐시는 {bytes}바이트입니다',
  'batch.identical': '텐서 바이트는 어디서나 {count}회 중 {identical}회 같습니다',
  'batch.stray': '{points}개 지점 중 {different}개에서 반복마다 텐서 바이트가 다릅니다',
  'batch.processBlind':
    '페이지 메모리는 {smallest} ~ {largest}바이트 움직여 캐시의 크기를 알려 주지 못합니다',
  'batch.processFollows':
    '여기서는 페이지 메모리가 5% 안에서 캐시를 따라갔습니다(WASM에서는 캐시가 그 일부입니다). 그래도 캐시만의 바이트는 아닙니다',
  'batch.noProcess': '페이지 메모리는 측정하지 않았습니다',
  'batch.stepGrew':
    '배치 {batch}에서 한 토큰을 더하자 캐시는 {bytes}바이트 늘었고 페이지 메모리는 {smallest} ~ {largest}바이트 움직였습니다',
  'batch.stepGrewOnly': '배치 {batch}에서 한 토큰을 더하자 캐시는 {bytes}바이트 늘었습니다',
  'repeats.title': '재현성',
  'repeats.point': '지점',
  'repeats.cell': '배치 {batch}, {tokens}토큰',
  'repeats.step': '배치 {batch}, 한 토큰 더 ({tokens})',
  'repeats.identical': '{count}회 중 {identical}회 같음',
  'repeats.time': '시간 (ms)',
  'checks.times': '{count}번',
  'repeats.all': '{points}개 지점 모두에서 텐서 바이트가 반복마다 같습니다.',
  'repeats.some': '텐서 바이트가 흔들립니다. 반복마다 같은 곳은 {points}개 지점 중 {same}개뿐입니다.',
  'repeats.spread':
    '시간은 반복의 중앙값이고, 그 아래는 최솟값과 최댓값입니다. GPU 셰이더를 만든 시간은 그렇지 않은 반복이 있으면 뺍니다.',
  'gqa.table': 'KV 헤드를 나눠 쓸 때와 아닐 때',
  'gqa.kvHeads': 'KV 헤드',
  'gqa.heads': '어텐션 헤드',
  'gqa.perToken': '토큰당 바이트',
  'gqa.factor': '배수',
  'gqa.note':
    '비교 대상은 어텐션 헤드마다 키와 값을 따로 들고 있다고 친 같은 모델입니다. 비교하려고 만든 트윈이며 학습된 모델이 아닙니다.',
  'gqa.saves':
    '{name}: 어텐션 헤드 {heads}개에 KV 헤드 {kvHeads}개를 둡니다. 토큰당 {without}바이트일 것이 {perToken}바이트로 {factor}배 작습니다',
  'gqa.measured': '{tokens}토큰에서 실측은 {bytes}바이트 대 {without}바이트입니다',
  'gqa.none': '{name}: KV 헤드가 이미 어텐션 헤드만큼 있습니다(1.0배)',
  'gqa.noTwin':
    '{name}: 공식으로는 KV 헤드 {heads}개일 때 토큰당 {without}바이트, 지금은 {kvHeads}개로 {perToken}바이트({factor}배). 밖에서 온 모델은 비교 대상을 만들지 않습니다',
  'weights.table': '가중치와 캐시의 비교',
  'weights.parameters': '파라미터',
  'weights.weightBytes': '가중치 바이트',
  'weights.column': '가중치 (바이트)',
  'weights.crossTokens': '역전 지점, 한 시퀀스 (토큰)',
  'weights.crossRequests': '역전 지점, 2,048토큰 요청 (건)',
  'weights.dtype':
    '가중치와 캐시가 모두 {dtype}일 때입니다. 둘의 dtype이 같으면 역전 지점은 dtype과 무관합니다.',
  'weights.source':
    '가중치 바이트는 실제 모델의 파라미터 수에 원소 하나의 바이트 수를 곱한 값입니다. 트윈의 가중치는 작은 난수라 모델의 것을 대신하지 않습니다.',
  'weights.rounding':
    '역전 지점은 가중치 바이트를 토큰당 바이트로 나눠 가장 가까운 토큰으로 반올림하고, 요청 수는 소수 한 자리로 반올림합니다. 페이지 단위 할당 같은 오버헤드가 있으면 더 일찍 옵니다.',
  'weights.builtIn': '실제 가중치가 없습니다(이 페이지가 만든 모델)',
  'weights.unknown': '모델을 로드하면 알 수 있습니다. 실행을 누르세요',
  'weights.quantised': '양자화한 가중치는 공식으로 정해지지 않습니다. float32나 float16을 고르세요',
  'weights.never': '없음: 모든 층의 캐시에 상한이 있습니다',
  'weights.beyond': '최대 위치 {maximum} 초과',
  'weights.owner':
    '{name}: 2,048토큰 요청 {below}건까지는 가중치가, {from}건부터는 캐시가 메모리의 주인입니다',
  'weights.ownerAlways': '{name}: 2,048토큰 요청 한 건이 이미 가중치보다 큽니다',
  'weights.short':
    '{name}의 최대 위치는 {maximum}이라, 2,048토큰 요청 한 건은 더 짧은 요청 두 건 이상에 해당합니다.',
  'weights.line.one': '공식 바이트, 한 시퀀스',
  'weights.line.several': '공식 바이트, 여러 시퀀스',
  'weights.line.crossing': '역전 지점',
  'weights.axis': '캐시에 있는 토큰 (모든 시퀀스의 합)',
  'weights.axisHint': '점선은 한 시퀀스로는 갈 수 없는 곳, 곧 모델의 최대 위치 너머입니다.',
  'weights.none': '파라미터 수를 아는 모델을 고르세요.',
  'loaded.cacheType': '캐시 원소',
  'loaded.geometryGraph': '기하는 그래프의 캐시 입력에서 읽었습니다. 이 계열의 config.json은 읽지 않습니다',
  'loaded.weights': '실제 모델의 가중치',
  'loaded.logits': '프리필에서 가장 큰 로짓 텐서',
  'loaded.logitsValue': '{bytes}. 캐시에 들지 않습니다',
};
