/** Korean texts of preallocated caches (policy static). */
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
    '캐시는 미리 할당됨: {tokens}토큰에서 {room}토큰 자리인 {capacity}바이트 가운데 {used}바이트를 씀',
  'verdict.staticWrong': '캐시는 미리 할당됨: {capacity}바이트가 {room}토큰 자리의 공식과 다름',
  'verdict.staticMoved': '더 큰 버퍼로 {moves}번 옮김',
  'result.static': '{room}토큰 자리의 static 캐시',
  'result.staticAny': 'static 캐시',
};
