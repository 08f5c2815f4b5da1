/** Korean sentences of the engines' notes, by their codes (geometry/engines/notes.ts has the English ones). */
export const koEngineNotes = {
  'dtype-not-offered': '{engine}에는 이 모델용 {dtype} 캐시가 없습니다. 있다고 할 때의 크기입니다.',
  'states-not-quantised':
    '컨볼루션과 상태는 캐시와 함께 양자화되지 않습니다. 모델이 형식을 정하지 않으면 원소당 {bytes}바이트로 셉니다.',
  'graph-keeps-all':
    '윈도나 청크가 캐시를 줄이지 않습니다. 내보낸 그래프는 모든 층에서 모든 토큰을 저장합니다.',
  'latent-expanded':
    '잠재 벡터를 저장하지 않습니다. 내보낸 그래프는 모든 헤드의 키와 값을 저장하며 {times}배입니다.',
  'indexer-left-out': '내보낸 그래프에는 인덱서가 없어 그 키는 세지 않습니다.',
  'max-tokens-assumed': '시퀀스마다 모델의 최대 위치인 {tokens}토큰만큼 예약합니다.',
  'max-tokens-unknown': '모델의 최대 길이를 알 수 없어 요청한 {tokens}토큰만큼 예약합니다.',
  'block-does-not-divide':
    'llama.cpp는 이 모델에 {dtype}을(를) 쓰지 못합니다. 헤드의 원소 {dim}개가 32개 블록으로 나누어떨어지지 않습니다.',
  'states-float32': '컨볼루션과 상태는 캐시 형식과 상관없이 float32로 저장합니다.',
  'window-ignored': '{engine}은(는) 이 모델의 윈도를 적용하지 않아 그 층들이 모든 토큰을 저장합니다.',
  'compressed-as-ideal': '{engine}이(가) 압축 항목을 놓는 방식은 따르지 않고 아키텍처에 필요한 만큼 셉니다.',
  'cross-as-ideal':
    '인코더 출력의 키와 값은 아키텍처에 필요한 만큼 셉니다. {engine}은(는) 출력 자체를 저장할 수도 있습니다.',
  'window-and-batch': '윈도나 청크에 한 배치의 토큰({tokens})과 블록 하나를 더해 저장합니다.',
  'indexer-fp8': '인덱서의 키는 캐시 형식과 상관없이 스케일이 있는 fp8입니다.',
  'compressed-by-layer': '압축 항목의 페이지는 층별로 셉니다. vLLM의 풀은 그 사이에 여백을 더할 수 있습니다.',
  'states-without-prefix-caching':
    '프리픽스 캐싱이 없을 때처럼 상태마다 한 페이지입니다. 새 vLLM은 이를 켜고 두 페이지를 저장합니다.',
  'per-gpu': 'GPU {gpus}개 각각의 바이트입니다.',
  replicated: 'KV 헤드가 GPU보다 적어 GPU {gpus}개 가운데 여럿이 같은 키와 값을 저장합니다.',
  'padding-layers': '층을 같은 크기의 그룹으로 묶으며, 빈 자리 {layers}개도 메모리를 차지합니다.',
  'pages-padded':
    '일부 층의 페이지가 가장 큰 페이지를 나누지 못해 거기에 맞춰 채웁니다. vLLM은 어텐션 백엔드에 따라 그렇게 하거나 거부합니다.',
};
