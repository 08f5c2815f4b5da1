/** Korean texts of the cache policies that do not simply grow in floats. */
import type { enStatic } from './en-static';

export const koStatic: Record<keyof typeof enStatic, string> = {
  'level.used.long': '쓰인 바이트',
  'level.used.origin': '버퍼를 읽어 찾은, 토큰이 든 행',
  'level.room.origin': '미리 할당한 텐서의 dims × 원소 크기',
  'figures.used': '실측 (쓰인 바이트)',
  'figures.usedEnd': '캐시 (쓰인 바이트)',
  'figures.capacity': '용량 (텐서)',
  'figures.capacityOf': '{room}토큰 자리, 공식 {formula}',
  'figures.moved': '{moves}번 옮김',
  'table.used': '쓰인 바이트',
  'table.room': '자리(토큰)',
  'table.capacity': '텐서 = 용량(바이트)',
  'table.deltaUsed': 'Δ 쓰임',
  'chart.deltaUsed': 'Δ 쓰인 바이트',
  'verdict.static':
    '캐시는 {room}토큰 자리로 미리 할당했고, {tokens}토큰에서 {capacity}바이트 가운데 {used}바이트를 씁니다',
  'verdict.staticWrong':
    '캐시는 {room}토큰 자리로 미리 할당했으나 {capacity}바이트가 그 자리의 공식과 다릅니다',
  'verdict.staticMoved': '더 큰 버퍼로 {moves}번 옮겼습니다',
  'result.static': '{room}토큰 자리의 static 캐시',
  'result.staticAny': 'static 캐시',
  'result.quantised': '{bits}비트 quantised 캐시',
  'result.paged': '{block}토큰 블록, {room}토큰 자리의 paged 캐시',
  'result.pagedAny': '{block}토큰 블록의 paged 캐시',
  'why.static.title': '용량은 그대로인데 쓰인 바이트만 느는 까닭',
  'why.static':
    '텐서는 자리만큼의 토큰 수로 한 번 만들고 dims도 첫 스텝부터 그 크기를 말합니다. 그래서 dims만으로는 꽉 찬 캐시와 빈 캐시를 가릴 수 없어, 쓰인 바이트는 데이터에서 읽습니다. 버퍼는 0으로 시작하므로 헤드마다 모두 0이 아닌 행에 토큰이 들어 있습니다.',
  'why.static.gpu':
    '한 층의 과거와 현재가 같은 버퍼입니다. 어텐션은 헤드마다 새 행 하나만 쓰고 옛것은 복사하지 않습니다. 더 큰 버퍼로 옮길 때는 모든 행을 한 번 복사하며, 그 순간에는 두 벌의 버퍼가 함께 있습니다.',
  'how.static':
    'static 정책: 캐시 텐서마다 첫 패스 전에 만든 버퍼 하나가 그래프의 과거이자 현재입니다. 토큰 수의 공식은 쓰인 바이트와, 자리의 공식은 용량과 비교합니다. 따로 한 번 더 돌려 모든 로짓을 늘어나는 캐시의 것과 비교하며, 한 자리도 달라서는 안 됩니다.',
  'why.paged':
    '캐시는 블록의 풀입니다. 시퀀스는 필요할 때 블록을 하나씩 받고, 마지막 블록의 빈자리는 안에서 낭비됩니다. 이 onnxruntime-web에는 float32용 paged attention이 없어 패스마다 블록을 텐서 하나로 모으며, 그 복사는 이 페이지가 합니다.',
  'how.quantised':
    'quantised 정책: ONNX Runtime의 어텐션이 키와 값을 정수로 둡니다. 공식은 정수와, 텐서 안에 있는 경우 스케일까지 셉니다(WebGPU는 헤드의 행마다 32비트 스케일 하나). 따로 한 번 더 돌려 로짓을 부동소수점 캐시의 것과 비교하고, 얼마나 가까운지 검사에 적습니다.',
  'how.paged':
    'paged 정책: 첫 패스 전에 블록의 풀을 만들고, 토큰이 든 행은 시퀀스의 블록 표로 찾습니다. 토큰 수의 공식은 쓰인 바이트와, 자리의 공식은 풀과 비교합니다. 따로 한 번 더 돌려 모든 로짓을 늘어나는 캐시의 것과 비교합니다.',
};
