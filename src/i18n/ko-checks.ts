/** Korean phrases of the checks, one a key of CHECK_PHRASES. */
import type { CheckPhraseKey } from '../protocol/checks';

export const koChecks: Record<CheckPhraseKey, string> = {
  nothing: '측정값 없음',
  bytes: '{bytes}바이트',
  unchanged: '변화 없음',
  'ratio-all': '모두 1.0000',
  'ratio-is': '{ratio}',
  'ratio-equal': '{count}개 중 {count}개가 바이트까지 일치',
  'ratio-differs':
    '{count}개 중 {different}개가 다름: {tokens}토큰에서 실측 {measured}바이트, 공식 {formula}바이트',
  'wrong-expected': 'KV 헤드 {kvHeads}개로는 1.0000이 아님',
  'wrong-how': 'KV 헤드를 {trueKvHeads}개 대신 {kvHeads}개로 놓은 공식을 같은 실측값과 비교',
  'delta-expected': '모든 스텝에서 {bytes}바이트',
  'delta-range': '{smallest}~{largest}바이트',
  'delta-count': '{steps}스텝, 서로 다른 증가분 {distinct}가지',
  'graph-expected': '캐시 입력 {count}개, KV 헤드 {kvHeads} x {headDim}, {type}',
  'graph-found': '캐시 입력 {count}개',
  'graph-missing': '캐시 입력 {count}개, 없는 것: {missing}',
  'logits-expected': '차이가 가장 큰 로짓의 {tolerance}배 이하',
  'logits-found': '{difference}',
  'logits-without': '{tokens}토큰, 캐시 없이 계산하면 차이가 {difference}',
  'prefix-expected': '스텝마다 이전 토큰의 캐시가 비트 단위로 그대로',
  'prefix-changed': '{tensor}에서 바뀜',
  'prefix-how': '{tokens}토큰 뒤 {steps}스텝',
  'released-expected': '모델을 올리기 전과 같은 {bytes}바이트',
  'gpu-expected': 'GPU 오류 없음',
  'gpu-found': '{message}',
};
