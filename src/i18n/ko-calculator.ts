/** Korean texts of what the calculator finds. */
import type { enCalculator } from './en-calculator';

export const koCalculator: Record<keyof typeof enCalculator, string> = {
  'calc.perToken': '시퀀스 하나의 토큰 하나분',
  'calc.atLengths': '배치 {batch}의 공식 바이트와 그것이 담길 버퍼',
  'calc.inBuffers': '버퍼, {dtype}',
  'calc.buffersHow':
    '“버퍼”는 실측이 아니라 예상값입니다. 키·값 텐서를 하나하나 ONNX Runtime의 버킷 표에 맞춰 올림한 합입니다.',
  'calc.ceiling':
    '{dtype}: 이 GPU의 버퍼 하나({limit} = {allowed}바이트)에는 배치 {batch}일 때 텐서 {tensor}가 최대 {tokens}토큰까지 들어갑니다. 전체 메모리 한계는 따로 있습니다.',
  'calc.overMax': '최대 위치 {maximum} 초과',
  'calc.tooLarge': '2^53바이트 초과',
  'calc.asHidden': '층 {layers} · 어텐션 헤드 {heads} · KV 헤드 {kvHeads} · 헤드 차원 {headDim}',
};
