/** The Korean sentence of every fault. The English ones are the protocol's, so that records and terminals have them too. */
import type { Fault, FaultCode } from '../protocol/faults';

export const koFaults: Record<FaultCode, string> = {
  'recipe-bad-value': '{option}에 쓸 수 없는 값입니다(“{value}”): {expected}.',
  'recipe-unknown-option': '링크에 이 버전이 모르는 옵션이 있어 무시했습니다: “{option}”.',
  'recipe-unknown-model': '“{model}”이라는 모델은 없습니다. 다음 중에서 고르세요: {known}.',
  'link-damaged': '링크에 든 결과가 손상되어 무시했습니다. 링크의 설정은 그대로 쓸 수 있습니다.',
  'link-newer':
    '더 새로운 버전의 KV Cache Lab이 만든 링크입니다(형식 {version}). 페이지를 새로고침하면 최신 버전을 받습니다.',
  'link-too-long':
    '링크에 든 결과가 {bytes}바이트입니다. 이 페이지가 만드는 링크는 최대 {limit}바이트라서 무시했습니다.',
  'record-not-json': 'JSON 파일이 아닙니다: {detail}.',
  'record-foreign': 'KV Cache Lab의 기록 파일이 아닙니다: 필드 “{field}”에 문제가 있습니다({problem}).',
  'record-newer':
    '이 기록의 스키마(“{schema}”)는 이 버전이 읽는 {known}보다 새롭습니다. 페이지를 새로고침하면 최신 버전을 받습니다.',
  'record-too-large': '파일이 {bytes}바이트입니다. 기록 파일은 최대 {limit}바이트입니다.',
  'config-not-json': 'JSON이 아닙니다: {detail}.',
  'config-too-long':
    '글자 수가 {characters}개입니다. config.json은 보통 수천 자이며 {limit}자까지만 읽습니다.',
  'config-not-object': 'config.json은 JSON 객체여야 하는데 {found}입니다.',
  'config-missing-field': 'config.json에 “{field}” 필드가 없어 캐시 크기를 알 수 없습니다.',
  'config-bad-field': 'config.json의 “{field}” 값이 {value}입니다. 필요한 값: {expected}.',
  'config-unknown-family':
    'model_type “{modelType}”의 캐시 구조를 이 버전은 모릅니다(“{field}” 참고). 모든 층에 키와 값을 두는 디코더만 읽습니다.',
  'webgpu-insecure': 'WebGPU는 보안 페이지에서만 됩니다. HTTPS나 localhost로 여세요.',
  'webgpu-missing': '이 브라우저에는 WebGPU가 없습니다.',
  'webgpu-no-adapter': '브라우저에 WebGPU는 있지만 쓸 수 있는 GPU 어댑터가 없습니다.',
  'webgpu-device-refused': 'GPU가 디바이스를 열어 주지 않았습니다: {detail}.',
  'webgpu-limit': 'GPU의 {limit} 한도는 {offered}인데 요청한 값은 {asked}입니다.',
  'fp16-unsupported':
    '이 GPU에는 shader-f16이 없어 WebGPU에서 float16을 돌릴 수 없습니다. float32나 WASM 백엔드를 고르세요.',
  'device-lost': 'GPU 디바이스가 유실되었습니다({detail}).',
  'out-of-memory':
    'GPU 메모리가 부족합니다. 디바이스가 {bytes}바이트를 잡은 상태에서 할당에 실패했습니다({detail}).',
  'wasm-out-of-memory': 'ONNX Runtime의 WASM 메모리가 바닥났습니다({detail}).',
  'gpu-error': '실행 중에 GPU 오류가 보고되어 값을 믿을 수 없습니다: {detail}.',
  'buffer-too-large':
    '캐시 텐서 하나({tensor})에 {bytes}바이트가 필요한데, 이 디바이스의 {limit} 한도는 {allowed}바이트입니다.',
  'over-max-position': '{tokens}토큰은 모델의 최대 위치({maximum})를 넘습니다.',
  'cache-mismatch':
    '스텝 뒤 “{tensor}” 층의 캐시가 {found}입니다. 기대값은 {expected}이므로 실행을 멈췄습니다.',
  'allocator-failed': '이 onnxruntime-web에서는 할당자 모드 “{mode}” 실행이 실패했습니다: {detail}.',
  'runtime-load-failed': 'ONNX Runtime을 로드하지 못했습니다: {detail}.',
  'model-load-failed': '모델을 로드하지 못했습니다(“{model}”): {detail}.',
  'run-failed': 'forward가 실패했습니다: {detail}.',
  'worker-failed': '측정 워커가 예기치 않게 멈췄습니다: {detail}.',
  'page-outdated':
    '새 버전이 배포되어 이 페이지의 일부가 사라졌습니다. 새로고침하세요. 설정은 링크에 남아 있습니다.',
  'prompt-empty': '프롬프트에 토큰이 없습니다.',
  cancelled: '취소했습니다.',
  interrupted: '실행 중에 페이지가 새로고침되었거나 닫혔습니다.',
};

/** A fault's parameters with their English phrases in Korean. */
export function koParams({ params }: Fault): Fault['params'] {
  return {
    ...params,
    ...('expected' in params ? { expected: koExpectation(params) } : {}),
    ...('found' in params ? { found: koFound(params['found']) } : {}),
  };
}

/**
 * What was expected instead of a bad value, in Korean. Options say it as data (`kind` and numbers); a config's fields as an
 * English phrase, whose known forms are listed. An unknown phrase stays as it is.
 */
function koExpectation(params: Fault['params']): string {
  const { kind, values, min, max, items, expected } = params;
  const [low, high] = [String(min), Number(max).toLocaleString('ko-KR')];
  switch (kind) {
    case 'choice':
      return `${String(values)} 중 하나여야 합니다`;
    case 'integer':
      return `${low} 이상 ${high} 이하의 정수여야 합니다`;
    case 'integers':
      return `${low} 이상 ${high} 이하의 정수를 쉼표로 구분해 최대 ${String(items)}개까지 적을 수 있습니다`;
    case 'models':
      return `tiny, twin:owner/name 같은 모델 id를 최대 ${String(items)}개까지 쓸 수 있습니다`;
    case 'text':
      return `UTF-8로 ${high}바이트 이하의 문자열이어야 합니다`;
    case 'once':
      return '한 번만 쓸 수 있습니다';
    case undefined:
    default:
      return PHRASES.reduce((text, [english, korean]) => text.replace(english, korean), String(expected));
  }
}

/** Phrases of geometry's errors: `expected` of a bad field, `found` in place of an object. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/^a whole number from 1 to ([\d,]+)$/, '1 이상 $1 이하의 정수'],
  [/^true or false$/, 'true 또는 false'],
  [/^text$/, '문자열'],
  [/^a JSON object$/, 'JSON 객체'],
  [/^a divisor of the (\d+) attention heads$/, '어텐션 헤드 수 $1의 약수'],
  [/^a multiple of (\w+) \((\d+)\) where head_dim is not given$/, 'head_dim이 없을 때는 $1($2)의 배수'],
  [/^a list with one entry for each of the (\d*) layers$/, '층 $1개에 하나씩 값이 있는 배열'],
];

/** What a config.json was instead of an object. */
function koFound(found: string | number | undefined): string {
  return (
    { 'a list': '배열', 'a string': '문자열', 'a number': '숫자', 'a boolean': '참·거짓 값' }[
      String(found)
    ] ?? String(found)
  );
}
