/** The Korean sentence of every fault. The English ones are the protocol's, so that records and terminals have them too. */
import type { FaultCode } from '../protocol/faults';

export const koFaults: Record<FaultCode, string> = {
  'recipe-bad-value': '{option} 값으로 “{value}”은(는) 쓸 수 없습니다: {expected}.',
  'recipe-unknown-option': '링크의 옵션 “{option}”을(를) 이 버전은 알지 못해 무시했습니다.',
  'recipe-unknown-model': '“{model}”이라는 모델은 없습니다. 다음 중에서 고르세요: {known}.',
  'link-damaged': '링크에 든 결과가 손상되어 무시했습니다. 링크의 설정은 그대로 쓸 수 있습니다.',
  'link-newer':
    '더 새로운 버전의 KV Cache Lab이 만든 링크입니다(형식 {version}). 페이지를 새로고침하면 최신 버전을 받습니다.',
  'link-too-long':
    '링크에 든 결과가 {bytes}바이트입니다. 이 페이지가 만드는 링크는 최대 {limit}바이트라서 무시했습니다.',
  'record-not-json': 'JSON 파일이 아닙니다: {detail}.',
  'record-foreign': 'KV Cache Lab의 기록 파일이 아닙니다: 필드 “{field}”에 문제가 있습니다({problem}).',
  'record-newer':
    '이 기록의 스키마 “{schema}”은(는) 이 버전이 읽는 {known}보다 새롭습니다. 페이지를 새로고침하면 최신 버전을 받습니다.',
  'record-too-large': '파일이 {bytes}바이트입니다. 기록 파일은 최대 {limit}바이트입니다.',
  'config-not-json': 'JSON이 아닙니다: {detail}.',
  'config-not-object': 'config.json은 JSON 객체여야 하는데 {found}입니다.',
  'config-missing-field': 'config.json에 “{field}” 필드가 없어 캐시 크기를 알 수 없습니다.',
  'config-bad-field': 'config.json의 “{field}” 값이 {value}입니다. 필요한 값: {expected}.',
  'config-unknown-family':
    'model_type “{modelType}”의 캐시 구조를 이 버전은 모릅니다. 모든 층에 키와 값을 두는 디코더만 읽습니다.',
  'webgpu-insecure': 'WebGPU는 보안 페이지에서만 됩니다. HTTPS나 localhost로 여세요.',
  'webgpu-missing': '이 브라우저에는 WebGPU가 없습니다.',
  'webgpu-no-adapter': '브라우저에 WebGPU는 있지만 쓸 수 있는 GPU 어댑터가 없습니다.',
  'webgpu-device-refused': 'GPU가 디바이스를 열어 주지 않았습니다: {detail}.',
  'webgpu-limit': 'GPU가 허용하는 {limit} 값은 {offered}인데 {asked}을(를) 요청했습니다.',
  'fp16-unsupported':
    '이 GPU에는 shader-f16이 없어 WebGPU에서 float16을 돌릴 수 없습니다. float32나 WASM 백엔드를 고르세요.',
  'device-lost': 'GPU 디바이스가 유실되었습니다({detail}).',
  'out-of-memory':
    'GPU 메모리가 부족합니다. 디바이스가 {bytes}바이트를 잡은 상태에서 할당에 실패했습니다({detail}).',
  'wasm-out-of-memory': 'ONNX Runtime의 WASM 메모리가 바닥났습니다({detail}).',
  'gpu-error': '실행 중에 GPU 오류가 보고되어 값을 믿을 수 없습니다: {detail}.',
  'buffer-too-large':
    '캐시 텐서 하나({tensor})에 {bytes}바이트가 필요한데, 이 디바이스의 {limit}은 {allowed}바이트입니다.',
  'over-max-position': '{tokens}토큰은 모델의 최대 위치 {maximum}을 넘습니다.',
  'cache-mismatch':
    '스텝 뒤 “{tensor}” 층의 캐시가 {found}입니다. {expected}이어야 하므로 실행을 멈췄습니다.',
  'graph-mismatch': '로드한 그래프의 캐시가 config.json과 맞지 않습니다: {detail}.',
  'allocator-failed': '할당자 모드 “{mode}”가 이 onnxruntime-web에서 실패했습니다: {detail}.',
  'runtime-load-failed': 'ONNX Runtime을 로드하지 못했습니다: {detail}.',
  'model-load-failed': '모델 “{model}”을 로드하지 못했습니다: {detail}.',
  'run-failed': 'forward가 실패했습니다: {detail}.',
  'worker-failed': '측정 워커가 예기치 않게 멈췄습니다: {detail}.',
  'page-outdated':
    '새 버전이 배포되어 이 페이지의 일부가 사라졌습니다. 새로고침하세요. 설정은 링크에 남아 있습니다.',
  'prompt-empty': '프롬프트에 토큰이 없습니다.',
  cancelled: '취소했습니다.',
  interrupted: '실행 중에 페이지가 새로고침되었거나 닫혔습니다.',
};
