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
  'merge-too-few': '기록 하나로는 합칠 것이 없습니다. 둘 이상을 주세요.',
  'merge-recipes':
    '{first}과(와) {second}의 레시피가 달라 합칠 수 없습니다({option}: 앞은 “{expected}”, 뒤는 “{found}”).',
  'merge-models':
    '{first}과(와) {second}에서 모델 {model}의 {field}이(가) 서로 달라 같은 모델이 아니므로 합칠 수 없습니다.',
  'merge-redundancy':
    '{name}은(는) redundancy 실험의 기록입니다. 전체를 한 번에 계산하므로 병합할 수 없으니, 대신 기록을 비교하세요.',
  'merge-missing':
    '합친 기록이 완전하지 않습니다. 계획에서 빠진 부분: {missing}. verify --shard로 측정해서 함께 합치세요.',
  'history-blocked':
    '이 브라우저는 여기에 기록을 보관하지 않습니다(시크릿 창이거나 저장소가 차단됨): {detail}. 나머지는 모두 됩니다. 결과를 남기려면 JSON으로 내보내세요.',
  'history-full':
    '브라우저에 기록을 더 보관할 공간이 없습니다. 기록을 몇 개 지우거나 이 결과를 JSON으로 내보내세요.',
  'history-newer':
    '이 기록 보관함은 더 새로운 버전의 KV Cache Lab이 만들었습니다. 페이지를 새로 고치면 최신 버전이 열립니다.',
  'history-other-tab':
    '다른 탭에 열린 이전 버전의 페이지가 기록 보관함을 잡고 있습니다. 그 탭을 닫고 다시 시도하세요.',
  'history-gone': '이 결과는 기록에 더 이상 없습니다. 다른 탭에서 지웠습니다.',
  'history-damaged': '이 결과는 손상되어 지울 수만 있습니다: {detail}',
  'config-empty': '읽을 내용이 없습니다. 모델의 config.json을 붙여 넣으세요.',
  'config-html':
    'config.json이 아니라 웹 페이지입니다. 원본 파일을 받으세요(허브 주소의 “blob” 대신 “resolve”).',
  'config-truncated':
    '이 텍스트의 객체가 닫히지 않아 빠진 필드가 있을 수 있습니다. config.json 전체를 붙여 넣으세요.',
  'config-not-json': 'JSON이 아닙니다: {detail}.',
  'config-too-long':
    '글자 수가 {characters}개입니다. config.json은 보통 수천 자이며 {limit}자까지만 읽습니다.',
  'config-not-object': 'config.json은 JSON 객체여야 하는데 {found}입니다.',
  'config-missing-field': 'config.json에 “{field}” 필드가 없어 캐시 크기를 알 수 없습니다.',
  'config-bad-field': 'config.json의 “{field}” 값이 {value}입니다. 필요한 값: {expected}.',
  'config-unknown-family':
    'model_type “{modelType}”의 캐시 구조를 이 버전은 모릅니다(“{field}” 참고). 이 버전이 읽는 것과 다른 종류의 캐시이니 값을 직접 입력하세요.',
  'config-no-cache':
    '“{field}” 값으로 보아 “{modelType}”은(는) 인코더라서 모든 토큰을 한 번에 보고 KV 캐시를 두지 않습니다. 텍스트를 생성하는 모델을 고르세요.',
  'webgpu-insecure': 'WebGPU는 보안 페이지에서만 됩니다. HTTPS나 localhost로 여세요.',
  'webgpu-missing': '이 브라우저에는 WebGPU가 없습니다.',
  'webgpu-no-adapter': '브라우저에 WebGPU는 있지만 쓸 수 있는 GPU 어댑터가 없습니다.',
  'webgpu-device-refused': 'GPU가 디바이스를 열어 주지 않았습니다: {detail}.',
  'webgpu-limit': 'GPU의 {limit} 한도는 {offered}인데 요청한 값은 {asked}입니다.',
  'fp16-unsupported':
    '이 GPU에는 shader-f16이 없어 WebGPU에서 float16을 돌릴 수 없습니다. float32나 WASM 백엔드를 고르세요.',
  'local-needs-folder':
    '“{folder}” 폴더를 다시 골라 주세요. 페이지는 폴더의 위치를 기억하거나 공유할 수 없습니다.',
  'bf16-unsupported':
    'onnxruntime-web에는 bfloat16 텐서가 없어 측정할 수 없습니다. 이 행은 공식으로만 계산한 값입니다.',
  'dtype-not-built':
    '페이지가 만드는 모델에는 {available} 변형만 있습니다. “{dtype}”은(는) 허브 저장소에만 있습니다.',
  'twin-not-built':
    '이 {model}의 트윈은 만들 수 없습니다. 캐시에 이 버전이 만들지 못하는 부분({what})이 있습니다. 공식 값은 그대로 유효합니다.',
  'config-needs-paste':
    '“{model}” 모델은 붙여 넣은 config.json이라 링크에 담기지 않습니다. 측정하려면 같은 config.json을 다시 붙여 넣으세요.',
  'no-tokenizer':
    '모델에 tokenizer.json이 없어 글을 토큰으로 바꿀 수 없습니다. 프롬프트를 비우면 무작위 토큰을 씁니다.',
  'cache-type-unknown': '모델 캐시의 원소 형식이 “{type}”인데, 이 버전은 그런 텐서를 만들 수 없습니다.',
  'download-needed':
    '모델을 내려받아야 합니다({bytes}바이트). 페이지에서 실행을 눌러 허락하거나, verify에 --download를 주세요.',
  'download-declined': '모델을 내려받지 않았으므로 실행하지 않았습니다.',
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
  'static-full':
    '정적 캐시의 자리는 시퀀스마다 {room}토큰이라 {tokens}토큰을 받지 않았습니다. 자리를 늘리거나, 더 큰 버퍼로 옮기도록 고르세요.',
  'paged-full':
    '풀에는 {block}토큰 블록이 시퀀스마다 {room}토큰어치뿐이라 {tokens}토큰을 받지 않았습니다. 자리를 늘리거나, 풀에 블록을 더하도록 고르세요.',
  'paged-not-grouped':
    'paged 정책은 모든 층의 어텐션이 제자리에 덧붙이는 그래프(GroupQueryAttention)가 필요한데, {model}의 그래프는 옛 토큰과 새 토큰을 이어 붙입니다. 이 모델에는 dynamic 정책을 고르세요.',
  'paged-states':
    'paged 정책은 키와 값만 블록에 담는데, {model}의 그래프는 상태도 저장합니다({tensor}). 이 모델에는 dynamic 정책을 고르세요.',
  'static-not-grouped':
    'static 정책은 모든 층의 어텐션이 제자리에 덧붙이는 그래프(GroupQueryAttention)가 필요한데, {model}의 그래프는 옛 토큰과 새 토큰을 이어 붙입니다. 이 모델에는 dynamic 정책을 고르세요.',
  'static-states':
    'static 정책은 키와 값만 미리 잡아 두는데, {model}의 그래프는 상태도 저장합니다({tensor}). 이 모델에는 dynamic 정책을 고르세요.',
  'static-dims':
    '그래프가 캐시 텐서 {tensor}을(를) [{found}] 모양으로 만들어, 미리 잡아 둔 [{expected}]에 맞지 않습니다. 이 모델에는 dynamic 정책을 고르세요.',
  'quantised-states':
    'quantised 정책은 키와 값만 정수로 두는데, {model}의 그래프는 상태도 저장합니다({tensor}). 이 모델에는 dynamic 정책을 고르세요.',
  'quantised-not-grouped':
    'quantised 정책은 모든 층에 GroupQueryAttention이 필요한데, {model}에는 없습니다(헤드 차원이 {headDim}이거나 값의 모양이 키와 다름). 이 모델에는 dynamic 정책을 고르세요.',
  'quantised-head-dim':
    '이 백엔드의 ONNX Runtime은 원소 {headDim}개짜리 헤드를 {bits}비트로 양자화하지 않으므로 {model}을(를) 그렇게 측정할 수 없습니다. 다른 비트나 WASM, 또는 dynamic 정책을 고르세요.',
  'quantised-fixed-graph':
    'quantised 정책에는 그것을 위해 만든 그래프가 필요합니다. {model}의 ONNX 파일에는 실수 행의 길이가 정해져 있는데 정수 행은 더 짧습니다. 이 모델의 트윈이나 dynamic 정책을 고르세요.',
  'quantised-not-offered': '이 onnxruntime-web은 {backend}에서 양자화한 캐시를 제공하지 않습니다: {detail}.',
  'allocator-failed': '이 onnxruntime-web에서는 할당자 모드 “{mode}” 실행이 실패했습니다: {detail}.',
  'runtime-load-failed': 'ONNX Runtime을 로드하지 못했습니다: {detail}.',
  'model-load-failed': '모델을 로드하지 못했습니다(“{model}”): {detail}.',
  'model-corrupt':
    '모델 파일 “{file}”이(가) ONNX 파일이 아니거나 손상되었습니다({detail}). 저장된 사본을 지우고 다시 불러오세요.',
  'model-no-cache':
    '모델 파일에 캐시 입력(past_key_values…)이 없어 KV 캐시를 둘 수 없습니다. past가 들어 있는 export를 고르세요.',
  'model-cache-shape':
    '캐시 입력 “{tensor}” [{dims}]의 크기를 모델 파일만으로 알 수 없습니다. 다른 export를 고르세요.',
  'model-cache-type': '캐시 입력의 원소 타입 “{type}”은 이 버전이 크기를 모르는 타입입니다.',
  'hub-bad-id': '모델 id가 아닙니다(“{id}”). owner/name 또는 owner/name@revision 형식으로 적으세요.',
  'hub-bad-host':
    '모델 허브의 주소가 아닙니다(“{host}”). 사용자 이름, 쿼리, 토큰 없이 https:// 주소로 적으세요(http://는 이 컴퓨터에서만 됩니다).',
  'hub-gated':
    '{host}에서 {repo}을(를) 받으려면 권한이 필요합니다(HTTP {status}). 승인이 필요하거나 비공개이거나 철자가 틀린 저장소입니다. 이 페이지는 토큰을 묻지 않으니 공개 저장소를 고르거나 로컬 폴더를 여세요.',
  'hub-not-found':
    '{host}에 저장소 {repo}의 리비전 “{revision}”이 없습니다. 철자를 확인하거나 목록에서 고르세요.',
  'hub-file-missing': '{where}에 {file} 파일이 없습니다. 다른 dtype이나 다른 저장소를 고르세요.',
  'hub-no-onnx':
    '이 저장소에는 transformers.js가 읽는 onnx/model….onnx 파일이 없습니다. onnx-community처럼 ONNX 파일이 있는 저장소를 고르세요.',
  'hub-dtype-missing': '{where}에는 “{dtype}” 변형이 없습니다. 다음 중에서 고르세요: {known}.',
  'hub-busy':
    '{host}이(가) 바쁘거나 고장 났습니다({tries}번 시도, HTTP {status}). 받은 부분은 남아 있으니 몇 분 뒤 다시 시도하세요.',
  'hub-unreachable':
    '{host}에 연결할 수 없습니다({tries}번 시도). 받은 부분은 남아 있으니 네트워크와 설정의 호스트를 확인하세요.',
  'hub-stalled':
    '{host}에서 {file}을(를) 받다가 {tries}번 멈췄습니다({seconds}초 동안 받은 바이트 없음). 다시 시작하면 저장된 곳부터 이어 받습니다.',
  'hub-truncated':
    '{file} 파일이 {expected}바이트 중 {received}바이트에서 끊겼습니다. 다시 받아 보고, 같은 곳에서 끊기면 호스트의 사본이 손상된 것입니다.',
  'hub-overlong':
    '{file} 파일이 저장소 목록의 {expected}바이트보다 커서 다른 파일입니다. 다른 호스트를 고르거나 호스트에 알리세요.',
  'hub-wrong-type':
    '{file} 대신 {found}이(가) 왔으며 아무것도 저장하지 않았습니다. 설정의 호스트를 확인하고 다시 시도하세요.',
  'hub-bad-listing':
    '{host}의 파일 목록을 읽을 수 없습니다({detail}). 설정의 호스트가 모델 허브인지 확인하세요.',
  'hub-status':
    '{host}이(가) {file} 요청을 거절했습니다(HTTP {status}). 나중에 다시 시도하거나 다른 호스트를 고르세요.',
  'storage-full':
    '브라우저 저장 공간이 부족합니다(필요 {needed}바이트, 여유 {free}바이트). 모델은 이번 실행 동안만 메모리에 있고 다음 실행 때 다시 받습니다.',
  'storage-failed':
    '브라우저 저장 공간에 오류가 났습니다({detail}). 모델은 이번 실행 동안만 메모리에 있고 다음 실행 때 다시 받습니다.',
  'storage-none':
    '이 페이지에는 모델을 저장할 공간이 없습니다. HTTPS나 localhost로 여세요. 모델은 이번 실행 동안만 메모리에 있습니다.',
  'storage-stalled':
    '브라우저 저장 공간이 {seconds}초 동안 응답하지 않았습니다. 저장하지 않고 받으며, 모델은 이번 실행 동안만 메모리에 있습니다.',
  'model-encoder-decoder':
    '인코더-디코더 모델입니다. 이 버전은 디코더만 실행하니 텍스트 생성 모델을 고르세요.',
  'model-too-large':
    '모델 파일이 {bytes}바이트입니다. ONNX Runtime Web의 32비트 메모리에는 최대 {limit}바이트가 들어가니 더 작은 dtype이나 모델을 고르세요.',
  'model-file-too-large':
    '{file} 파일이 {bytes}바이트입니다. ONNX 파일은 최대 {limit}바이트이니 더 작은 dtype이나 외부 데이터를 쓰는 export를 고르세요.',
  'local-no-config':
    '폴더 “{folder}”에 config.json이 없습니다. config.json이 있고 그 옆이나 “onnx” 안에 ONNX 파일이 있는 모델 폴더를 고르세요.',
  'local-no-onnx':
    '폴더 “{folder}”에 config.json은 있지만 그 옆이나 “onnx” 안에 .onnx 파일이 없습니다. ONNX 파일을 넣으세요.',
  'local-several': '모델이 여러 개 있습니다({folders}). 그중 한 모델의 폴더를 고르세요.',
  'run-failed': 'forward가 실패했습니다: {detail}.',
  'worker-failed': '측정 워커가 예기치 않게 멈췄습니다: {detail}.',
  'page-outdated':
    '새 버전이 배포되어 이 페이지의 일부가 사라졌습니다. 새로고침하세요. 설정은 링크에 남아 있습니다.',
  'page-offline':
    '페이지의 서버에 연결할 수 없어 페이지의 일부를 불러오지 못했습니다. 다시 연결한 뒤 실행을 누르세요. 측정한 값은 남아 있습니다.',
  'prompt-empty': '프롬프트에 토큰이 없습니다.',
  'serving-pool-too-large':
    '이 모델로 {pool}토큰 풀을 만들려면 {bytes}바이트가 필요한데, 여기서는 {limit}바이트까지만 됩니다. 풀을 {most}토큰 이하로 줄이거나, 더 작은 모델이나 fp16을 고르세요.',
  'serving-no-rows':
    '모델 “{model}”은 토큰 하나에 캐시가 {bytes}바이트 늘어납니다. 풀에는 4바이트의 배수인 고정 크기 행이 필요하니, 모든 토큰의 키와 값을 남기는 모델을 고르세요.',
  'serving-no-memory':
    '브라우저가 {bytes}바이트짜리 풀에 메모리를 주지 않았습니다({detail}). 더 작은 풀이나 더 작은 모델을 고르세요.',
  'merge-serving':
    '{first}와 {second}는 serving 실험에서 서로 다른 풀을 찾았으므로({system}) 합칠 수 없습니다. 대신 비교하세요.',
  'documents-too-short':
    '너무 짧은 문서가 있습니다(괄호 안은 토큰 수): {list}. {needed}토큰이 필요합니다. 더 긴 글을 고르거나, 건너뛰거나 쓰는 토큰을 줄이세요.',
  'documents-none': '고른 문서가 없습니다. 하나 이상 고르세요.',
  'documents-too-few':
    '문서가 {count}개인데 {needed}개 이상 필요합니다. 하나를 검증용으로 빼고 lambda를 고르려고 하나를 더 빼려면 3개가 있어야 합니다. 문서를 추가하세요.',
  'document-missing':
    '문서 “{name}”이(가) 여기에 없습니다. 링크는 직접 넣은 글을 담지 못합니다. 같은 이름으로 글을 넣거나 다른 문서를 고르세요.',
  'document-page-only':
    '문서 “{name}”은(는) 직접 넣은 글이라 페이지에서만 쓸 수 있습니다. 페이지에서 넣거나 내장 문서를 고르세요.',
  'document-empty': '글이 비어 있습니다. 글을 붙여 넣거나 파일을 고르세요.',
  'document-not-text':
    '문서 “{name}”은(는) UTF-8 텍스트가 아닙니다: {detail}. UTF-8 텍스트(.txt 또는 .md)로 저장하세요.',
  'document-too-large':
    '문서 “{name}”은(는) {bytes}바이트인데 최대 {limit}바이트까지 읽습니다. 앞부분의 토큰만 쓰이니 앞부분을 주세요.',
  'redundancy-few-layers':
    '모델 “{model}”에는 전체 KV 캐시를 두는 층이 {layers}개입니다. 한 층으로 다른 층을 예측하려면 2개 이상 필요하니 다른 모델을 고르세요.',
  'redundancy-one-model':
    '이 실험은 한 번에 모델 하나만 살펴보는데 {count}개가 주어졌습니다. 하나를 고르세요.',
  'redundancy-too-large':
    '채널이 {channels}개인 층의 그람 행렬에는 {bytes}바이트가 필요해 여기서 허용하는 {limit}바이트를 넘습니다. 더 작은 모델을 고르세요.',
  'redundancy-over-maximum':
    '건너뛸 토큰과 쓸 토큰을 합치면 {tokens}개인데 이 모델은 {maximum}개까지 받습니다. 쓸 토큰을 {keep}개 이하로 줄이세요.',
  'redundancy-skip-over-maximum':
    '건너뛸 토큰과 쓸 토큰을 합치면 {tokens}개인데 이 모델은 {maximum}개까지 받습니다. 건너뛸 토큰을 {skip}개 이하로 줄이고, 쓸 토큰은 남는 만큼만 두세요.',
  'redundancy-bf16': '페이지는 bfloat16을 측정할 수 없어 예측할 키와 값이 없습니다. fp32나 fp16을 고르세요.',
  'cache-not-finite':
    '캐시에 유한한 수가 아닌 값이 있습니다: 층 {layer}, {kind}, 문서 “{name}”, 토큰 {token}. 이 값으로는 아무것도 계산할 수 없으니 다른 dtype이나 장치를 써 보세요.',
  'solver-failed': '회귀를 풀지 못했습니다: {detail}.',
  cancelled: '취소했습니다.',
  interrupted: '실행 중에 페이지가 새로고침되었거나 닫혔습니다.',
};

/** A fault's parameters with their English phrases in Korean. */
export function koParams({ code, params }: Fault): Fault['params'] {
  return {
    ...params,
    ...(code === 'config-bad-field' ? { value: phrased(VALUES, params['value']) } : {}),
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
    case 'gpu':
      return `80GiB나 85899345920 같은 바이트 수, 또는 ${String(values)} 중 하나여야 합니다`;
    case 'bytes':
      return '2GiB, 512MiB, 2147483648 같은 바이트 수여야 합니다';
    case 'share':
      return '0보다 크고 100 이하인 백분율(예: 90)이나 0.9 같은 비율이어야 합니다';
    case 'kv':
      return `${String(values)} 중 하나이거나 3bit 같은 원소당 비트 수여야 합니다`;
    case 'planned-models':
      return `Qwen/Qwen3-8B나 typed:name:890(토큰당 바이트) 같은 모델을 최대 ${String(items)}개까지 쓸 수 있습니다`;
    case 'weights':
      return 'Qwen/Qwen3-8B:16381470720처럼 모델과 가중치 바이트를 적어야 합니다';
    case 'documents':
      return `${String(values)} 또는 own:이름을 쉼표로 구분해 최대 ${String(items)}개까지 적을 수 있습니다`;
    case 'one':
      return '하나만 쓸 수 있습니다';
    case 'once':
      return '한 번만 쓸 수 있습니다';
    case undefined:
    default:
      return phrased(PHRASES, expected);
  }
}

type Phrases = readonly (readonly [RegExp, string])[];

/** The phrase in Korean; one that is not known stays as it is. */
function phrased(phrases: Phrases, english: string | number | undefined): string {
  const text = String(english);
  const known = phrases.find(([form]) => form.test(text));
  return known ? text.replace(known[0], known[1]) : text;
}

/** What stands for a field's value in geometry's errors; values themselves are JSON, so that a text never looks like these. */
const VALUES: Phrases = [
  [/^a list of (\d+)$/, '원소 $1개인 배열'],
  [/^a config in a config, more than (\d+) deep$/, '$1단계보다 깊이 중첩된 설정'],
];

/** What geometry's errors say was expected of a field. */
const PHRASES: Phrases = [
  [/^a whole number from 1 to ([\d,]+)$/, '1 이상 $1 이하의 정수'],
  [/^true or false$/, 'true 또는 false'],
  [/^text$/, '문자열'],
  [/^a JSON object$/, 'JSON 객체'],
  [/^a divisor of the (\d+) attention heads$/, '어텐션 헤드 수 $1의 약수'],
  [/^a multiple of (\w+) \((\d+)\) where head_dim is not given$/, 'head_dim이 없을 때는 $1($2)의 배수'],
  [/^a list with one entry for each of the (\d*) layers$/, '층 $1개에 하나씩 값이 있는 배열'],
  [/^a list with an entry for each of the (\d+) layers$/, '층 $1개에 하나씩 값이 있는 배열'],
  [/^a list$/, '배열'],
  [/^a list with at least one block$/, '블록이 하나 이상 있는 배열'],
  [/^one letter for each of the (\d+) layers$/, '층 $1개에 한 글자씩'],
  [/^a whole number, 0 or more$/, '0 이상의 정수'],
  [/^a whole number below (\d+)$/, '$1보다 작은 정수'],
  [/^a whole number, or letters L and G$/, '정수, 또는 L과 G로 된 문자열'],
  [/^a number above 0$/, '0보다 큰 수'],
  [/^a number, two numbers, or one a layer$/, '수 하나, 수 둘, 또는 층마다 수 하나'],
  [/^M, \*, - or E$/, 'M, *, -, E 중 하나'],
  [/^one of (.+)$/, '$1 중 하나'],
  [
    /^full_attention, sliding_attention or chunked_attention$/,
    'full_attention, sliding_attention, chunked_attention 중 하나',
  ],
  [/^the config of the text model$/, '텍스트 모델의 설정'],
  [/^a multiple of (\d+)$/, '$1의 배수'],
  [/^a multiple of (\w+) \((\d+)\)$/, '$1($2)의 배수'],
  [/^a multiple of the (\d+) (?:attention )?heads$/, '어텐션 헤드 수 $1의 배수'],
  [/^a multiple of the (\d+) KV heads$/, 'KV 헤드 수 $1의 배수'],
  [/^a divisor of the width (\d+)$/, '너비 $1의 약수'],
  [/^a divisor of the hidden size, (\d+)$/, '은닉 크기 $1의 약수'],
  [/^a divisor of expand x d_model = (\d+)$/, 'expand x d_model = $1의 약수'],
  [/^layers below (\d+)$/, '$1보다 작은 층 번호'],
  [/^lists of layers below (\d+)$/, '$1보다 작은 층 번호의 배열'],
  [/^so small that at most ([\d,]+) layers keep a cache$/, '캐시를 두는 층이 $1개를 넘지 않을 만큼 작은 값'],
];

/** What a config.json was instead of an object. */
function koFound(found: string | number | undefined): string {
  return (
    {
      'a list': '배열',
      'a string': '문자열',
      'a number': '숫자',
      'a boolean': '참·거짓 값',
      'a Git LFS pointer': 'Git LFS 포인터',
      'text that is not JSON': 'JSON이 아닌 텍스트',
    }[String(found)] ?? String(found)
  );
}
