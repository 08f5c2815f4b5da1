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
  'graph-itself': '형상을 이 그래프에서 읽었으므로 어긋날 수 없음',
  'graph-instead': '그래프에 있는 것: {found}',
  'repeats-expected': '매번 같은 텐서 바이트',
  'repeats-found': '지점 {count}곳 모두 매번 같음',
  'repeats-stray':
    '지점 {count}곳 중 {different}곳이 다름; 토큰 {tokens}개에서 {repeats}번 중 {identical}번 같음',
  'padded-expected': '각 행의 로짓은 혼자 돌 때와 같고, 캐시는 {tokens}토큰짜리 행 {batch}개만큼',
  'padded-found': '가장 큰 로짓의 {difference}, {bytes}바이트',
  'padded-how':
    '{lengths}토큰 프롬프트를 한 배치로 묶어 {tokens}토큰까지 채움: 패딩을 포함한 공식 바이트 {bytes}',
  'merge-expected': '두 기록이 같은 지점을 측정한 곳에서 텐서 바이트가 같음',
  'merge-found': '둘 이상의 기록에 있는 지점 {count}곳이 모두 같음',
  'merge-differs': '지점 {count}곳 중 {different}곳이 다름; 첫 번째는 {model}, 토큰 {tokens}개',
  'released-expected': '모델을 올리기 전과 같은 {bytes}바이트',
  'gpu-expected': 'GPU 오류 없음',
  'gpu-found': '{message}',
};
