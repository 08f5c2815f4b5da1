/** Korean texts of the experiment serving. */
import type { enServing } from './en-serving';

export const koServing: Record<keyof typeof enServing, string> = {
  'serving.lengths': '요청의 길이',
  'serving.lengths.sharegpt': 'ShareGPT처럼',
  'serving.lengths.alpaca': 'Alpaca처럼',
  'serving.lengths.help':
    '시드로 뽑으며, 평균은 그 데이터 세트의 것입니다: 프롬프트 {prompt}토큰, 출력 {output}토큰.',
  'serving.requests': '요청 수',
  'serving.requests.help':
    '모두 몇 개가 오는지. 줄을 서므로 마지막 요청이 들어올 때까지 기다리는 요청이 있습니다.',
  'serving.pool': '풀(토큰)',
  'serving.pool.help': '풀마다 담을 수 있는 토큰 수. 실제로 할당합니다.',
  'serving.pool.bytes': '여기서는 {size}입니다.',
  'serving.longest': '가장 긴 요청(토큰)',
  'serving.longest.help': '프롬프트와 출력을 합한 길이. 첫째 방식은 모든 요청에 이만큼 예약합니다.',
  'serving.block.help': 'paged 풀의 블록 하나에 드는 토큰 수.',

  'serving.system.reserve-max': '최대 길이만큼 예약',
  'serving.system.reserve-pow2': '2의 거듭제곱으로 예약',
  'serving.system.reserve-oracle': '실제 길이만큼 예약',
  'serving.system.paged': '토큰이 올 때마다 블록',
  'serving.paperName.reserve-max': 'Orca (Max)',
  'serving.paperName.reserve-pow2': 'Orca (Pow2)',
  'serving.paperName.reserve-oracle': 'Orca (Oracle)',
  'serving.paperName.paged': 'vLLM',

  'serving.verdict.both':
    '{block}토큰 블록으로 나누어 주는 풀은 {paged}%가, 한 덩어리로 예약하는 풀은 {reserved}%가 토큰으로 찼습니다.',
  'serving.verdict.paged': '{block}토큰 블록으로 나누어 주는 풀은 {paged}%가 토큰으로 찼습니다.',
  'serving.verdict.reserved': '한 덩어리로 예약하는 풀은 {reserved}%가 토큰으로 찼습니다.',
  'serving.verdict.none':
    '말할 수 있는 것이 없습니다. 풀을 들여다본 때에 꽉 찬 적이 없어 아무도 기다리지 않았습니다. 요청을 늘리거나 풀을 줄이세요.',
  'serving.verdict.waiting': '아직 끝까지 돌린 방식이 없습니다.',
  'serving.verdict.paper': 'PagedAttention 논문은 블록 {paged}%, 예약 {reserved}%로 보고합니다.',
  'serving.verdict.sessions':
    '같은 바이트에서 한 번에 도는 요청은 블록이면 {paged}개, 최대 길이로 예약하면 {max}개였습니다(평균). {times}배입니다.',
  'serving.range': '{min}~{max}',
  'serving.paper.source':
    'Kwon 외 2023, “Efficient Memory Management for Large Language Model Serving with PagedAttention”, arXiv 2309.06180, 그림 2. 거기서는 ShareGPT의 실제 요청을 OPT-13B, 15.7K토큰의 자리에서 돌렸으므로 범위는 견줄 수 있어도 자릿수까지 견줄 수는 없습니다.',

  'serving.origin': '실제인 것과 시뮬레이션인 것',
  'serving.origin.real': '실제로 할당',
  'serving.origin.real.gpu':
    '방식마다 GPU 버퍼로 {bytes}바이트짜리 풀. 토큰마다 {row}바이트짜리 행을 제자리에 쓰고, 요청이 떠나면 지웁니다. “토큰이 있음”은 버퍼에서 다시 읽은 것을 센 값입니다.',
  'serving.origin.real.wasm':
    '방식마다 메모리로 {bytes}바이트짜리 풀. 토큰마다 {row}바이트짜리 행을 제자리에 쓰고, 요청이 떠나면 지웁니다. “토큰이 있음”은 거기서 다시 읽은 것을 센 값입니다.',
  'serving.origin.simulated': '시뮬레이션',
  'serving.origin.simulated.what':
    '요청: 그 길이와 도착, 그리고 한 단계에 도는 요청마다 토큰 하나가 계산된다는 것. 모델은 돌지 않습니다. 예약되었거나 끝내 쓰이지 않은 몫은 그 길이와 할당자의 표에서 나옵니다.',

  'serving.figures': '풀에서 토큰이 차지하는 몫',
  'serving.figure.measured': '실제로 할당: 풀에서 다시 읽음',
  'serving.figure.simulatedRequests': '한 번에 평균 {running}개 요청(시뮬레이션)',
  'serving.figure.paper': '논문: {share}% ({name})',
  'serving.bytesOf': '평균 {used} / {pool}바이트',

  'serving.chart.shares': '요청이 기다리는 동안 풀에 든 것(평균)',
  'serving.chart.shares.hint':
    '①은 실제로 할당한 것으로, 풀에서 다시 읽었습니다. ②와 ③은 시뮬레이션으로, 뽑은 길이에서 나옵니다. ④는 할당자의 표에서 비어 있지만 기다리는 요청이 들어갈 수 없는 곳입니다.',
  'serving.chart.shares.axis': '풀에서 차지하는 몫',
  'serving.chart.time': '단계마다 풀이 찬 정도',
  'serving.chart.time.hint':
    '실제로 할당: 점 하나가 풀을 한 번 읽은 것입니다. 시뮬레이션: 요청, 곧 언제가 어느 단계인지. 끝에는 아무도 기다리지 않아 풀이 비어 갑니다.',
  'serving.chart.time.axis': '시뮬레이션한 디코드 단계',
  'serving.chart.time.share': '토큰이 있음',
  'serving.part.used': '토큰이 있음',
  'serving.part.reserved': '나중을 위해 예약',
  'serving.part.wasted': '안에서 끝내 쓰이지 않음',
  'serving.part.free': '비었지만 쓸 수 없음',

  'serving.table': '방식별 수치, 요청이 기다리는 동안의 평균',
  'serving.table.system': '방식',
  'serving.table.used': '토큰이 있음(다시 읽음)',
  'serving.table.paper': '논문',
  'serving.table.inside': '내어 준 것 가운데(다시 읽음)',
  'serving.table.reserved': '나중을 위해 예약(시뮬레이션)',
  'serving.table.wasted': '끝내 쓰이지 않음(시뮬레이션)',
  'serving.table.free': '비었지만 쓸 수 없음(표)',
  'serving.table.running': '한 번에 도는 요청, 평균(시뮬레이션)',
  'serving.table.most': '한 번에 가장 많이(시뮬레이션)',
  'serving.table.steps': '마지막 요청까지 단계(시뮬레이션)',
  'serving.table.preemptions': '되돌아가 기다림(시뮬레이션)',
  'serving.table.pool': '풀, 바이트(할당)',
  'serving.table.device': '풀이 있을 때의 디바이스, 바이트(할당)',
  'serving.stepsOf': '{of} 중 {steps}',
  'serving.deviceAfter': '풀어 준 뒤 {bytes}',
  'serving.noDevice': '측정하지 않음: GPU 없음',
  'serving.percent': '{share}%',
  'serving.notRun': '측정하지 않음: 이 방식에 이르기 전에 실행이 끝났습니다',
  'serving.toCome': '아직 차례가 아님',
  'serving.neverWaited': '측정하지 않음: 아무도 기다리지 않았습니다',

  'serving.samples': '풀을 읽은 모든 기록({count})',
  'serving.samples.hint':
    '쓰인 토큰과 바이트는 풀에서 다시 읽은 값이고, 다른 열은 시뮬레이션과 할당자의 값입니다.',
  'serving.samples.step': '단계(시뮬레이션)',
  'serving.samples.running': '도는 요청',
  'serving.samples.waiting': '기다리는 요청',
  'serving.samples.usedTokens': '찾은 토큰(다시 읽음)',
  'serving.samples.usedBytes': '그것이 든 바이트(다시 읽음)',
  'serving.samples.held': '내어 준 토큰',
  'serving.samples.reserved': '나중을 위해 예약',
  'serving.samples.wasted': '끝내 쓰이지 않음',

  'serving.how.requests':
    '시드 {seed}로 뽑은 요청 {requests}개: 프롬프트와 출력을 따로, 기하 분포에서 뽑습니다. 평균은 PagedAttention 논문(6.1절, 그림 11)의 {source}를 따라 {prompt}토큰과 {output}토큰입니다. {longest}토큰보다 긴 요청은 자릅니다. 첫 단계 전에 모두 와 있고, 온 순서대로 받습니다.',
  'serving.how.drawn': '여기서 뽑힌 평균: 프롬프트 {prompt}토큰, 출력 {output}토큰.',
  'serving.how.systems':
    '{prompt} + {output}토큰인 요청이 풀에서 받는 것: 최대 길이로 예약하면 {max}토큰, 출력을 2의 거듭제곱으로 올리면 {pow2}토큰, 실제 길이를 알면 {oracle}토큰, {block}토큰 블록을 필요할 때마다 받으면 끝에 {paged}토큰. 앞의 셋은 버디 할당자가 주는 한 덩어리이고, 논문의 Orca처럼 덩어리마다 2의 거듭제곱으로 올립니다.',
  'serving.how.formula': '몫 = 무언가 든 행의 바이트 ÷ 풀의 바이트',
  'serving.how.pool': '풀: {tokens}토큰 × 토큰당 {row}바이트 = {bytes}바이트, 방식마다 차례로.',
  'serving.how.samples':
    '고르게 놓인 약 24개 단계에서 풀을 읽습니다. 평균은 요청이 기다리던 때의 기록만으로 냅니다. 줄이 비었으면 할당자에 대해 말해 주는 것이 없기 때문입니다. 찾은 행에는 모두 주인인 요청의 무늬가 있어야 합니다.',
  'serving.how.preempt':
    '블록이 모자라면 마지막에 온 요청이 제 블록을 내놓고 나중에 다시 계산하며 시작합니다. vLLM과 같습니다.',
  'serving.how.limits':
    '모델이 돌지 않고 시간도 재지 않습니다. 이것은 자리에 대한 실험입니다. 블록은 어텐션의 시간도 들이는데, 그것은 “정책과 할당자” 실험이 잽니다.',
};
