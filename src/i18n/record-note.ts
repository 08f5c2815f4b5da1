/** Korean of the notes that the page itself writes into records. Comes with the report, so that the first paint has none of it. */
import type { Lang } from '../protocol/recipe';

/** A note's English, as src/lab, src/model and src/worker write it, and its Korean; `$1` is the first number or name in it. */
const KOREAN: readonly [RegExp, string][] = [
  [
    /^The first (\d+) of (\d+) layers were measured, and the formula beside is theirs\.(?: The pattern of layers repeats every (\d+), so these are no whole number of its periods\.)? All \d+ layers take ([\d,]+) bytes per token(?: and ([\d,]+) bytes of fixed state)? by the formula; that was not measured\.$/,
    '$2개 층 가운데 처음 $1개를 측정했으며 옆의 공식 값도 그 층들의 것입니다.{3: 층의 패턴은 $3개마다 되풀이되므로 측정한 층은 패턴의 정수배가 아닙니다.} $2개 층 전체는 공식으로 토큰당 $4바이트{5:와 고정 상태 $5바이트}이며, 이는 측정하지 않았습니다.',
  ],
  [
    /^(\d+) layers were asked for, but the model has (\d+)\.$/,
    '$1개 층을 요청했지만 이 모델은 $2개 층입니다.',
  ],
  [
    /^Latents are kept compressed, one vector a token\. No transformers\.js export does so: the bytes are compared with the ideal rule\.$/,
    '잠재 벡터를 토큰마다 벡터 하나로 압축한 채 저장합니다. 이렇게 하는 transformers.js 내보내기는 없으므로 바이트를 이상적인 규칙과 비교합니다.',
  ],
  [
    /^Latents are decompressed to keys and values of every head, as transformers\.js exports do\.$/,
    'transformers.js 내보내기처럼 잠재 벡터를 모든 헤드의 키와 값으로 풀어 저장합니다.',
  ],
  [
    /^Windows are kept whole, as transformers\.js exports do: nothing trims the past\.$/,
    'transformers.js 내보내기처럼 윈도 밖의 과거도 잘라 내지 않고 모두 저장합니다.',
  ],
  [
    /^States have the cache’s element type and the shapes of the family; what computes them is not the family’s own\.$/,
    '상태는 캐시와 같은 원소 형식에 그 계열의 모양을 갖지만, 상태를 계산하는 방식은 그 계열의 것이 아닙니다.',
  ],
  [
    /^transformers\.js has no export of model_type “([^”]*)” with states: theirs have the names of Granite’s \(past_conv, past_ssm\)\.$/,
    'model_type “$1”에는 상태가 있는 transformers.js 내보내기가 없어 Granite의 이름(past_conv, past_ssm)을 씁니다.',
  ],
  [
    /^Layers that read another layer’s cache have no cache inputs of their own\.$/,
    '다른 층의 캐시를 읽는 층에는 자기 캐시 입력이 없습니다.',
  ],
  [
    /^config\.json does not decide “([^”]*)”; (.+) was taken \((.+)\)\.$/,
    'config.json만으로는 “$1” 값을 정할 수 없어 $2(으)로 두었습니다($3).',
  ],
  [
    /^The GPU’s subgroups have (.+) lanes, with which ONNX Runtime’s attention computes wrong logits; the device was opened without subgroups\.$/,
    '이 GPU의 subgroup은 레인이 $1개라 ONNX Runtime의 어텐션이 틀린 로짓을 계산합니다. 그래서 subgroup 없이 디바이스를 열었습니다.',
  ],
  [
    /^With more than one sequence every prefill was done in one piece: ONNX Runtime’s attention takes no chunk on top of a past then\.$/,
    '시퀀스가 여럿일 때 ONNX Runtime의 어텐션은 과거 위에 조각을 더 받지 못하므로, 프리필을 모두 한 번에 했습니다.',
  ],
  [
    /^The preallocated cache kept its size, but not its place: on this backend ONNX Runtime copies all of it into its own memory and out again at every pass, so a step costs as much as the room is large\.$/,
    '미리 할당한 캐시는 크기는 그대로였지만 자리는 그대로가 아니었습니다. 이 백엔드의 ONNX Runtime은 패스마다 캐시 전체를 자기 메모리로 복사했다가 다시 꺼내므로, 한 스텝의 비용이 자리의 크기를 따릅니다.',
  ],
  [
    /^The preallocated cache was moved ([\d,]+) times? to larger buffers: rooms of (.+) tokens per sequence\. Each time its rows were copied and the old buffers freed\.$/,
    '미리 할당한 캐시를 더 큰 버퍼로 $1번 옮겼습니다: 시퀀스마다 $2토큰 자리. 옮길 때마다 행을 복사하고 옛 버퍼를 해제했습니다.',
  ],
  [
    /^For each pass the blocks of the paged cache were gathered into contiguous working buffers, ([\d,]+) bytes for the largest pass, and the new rows were put back into blocks: ONNX Runtime Web has no attention that reads blocks of these caches\. The working buffers are freed after each pass; they count as device bytes, not as cache\. These copies are the price of doing it here, not of paging\.$/,
    '패스마다 paged 캐시의 블록을 이어진 작업 버퍼(가장 큰 패스에서 $1바이트)에 모으고, 새 행은 다시 블록에 넣었습니다. ONNX Runtime Web에는 이런 캐시의 블록을 그대로 읽는 어텐션이 없기 때문입니다. 작업 버퍼는 패스가 끝나면 해제하며, 캐시가 아니라 디바이스 바이트로 셉니다. 이 복사는 여기서 하기 때문에 드는 값이지 페이징 자체의 값이 아닙니다.',
  ],
  [
    /^Quantised cache, (\d) bits: a graph of one layer was run first, and its cache had such rows\. One row is one head’s keys or values of one token\. It takes ([\d.]+) bytes: a scale of (\d+) bytes and (\d+) packed elements, in a (\w+) tensor of ([\d.]+) a row\. The scales are part of the cache’s bytes\.$/,
    '$1비트로 양자화한 캐시: 먼저 한 층짜리 그래프를 돌려 캐시에 이런 행이 나오는지 보았습니다. 행 하나는 토큰 하나의 한 헤드의 키 또는 값이며 $2바이트입니다: 스케일 $3바이트와 묶어 담은 원소 $4개가 행마다 $6개인 $5 텐서에 들어갑니다. 스케일도 캐시의 바이트에 듭니다.',
  ],
  [
    /^Quantised cache, (\d) bits: a graph of one layer was run first, and its cache had such rows\. One row is one head’s keys or values of one token\. It takes ([\d.]+) bytes: (\d+) elements in an (\w+) tensor of ([\d.]+) a row\. The scales, one float32 for the keys and one for the values of a layer, are constants of the graph: ([\d,]+) bytes that are not part of the cache’s\.$/,
    '$1비트로 양자화한 캐시: 먼저 한 층짜리 그래프를 돌려 캐시에 이런 행이 나오는지 보았습니다. 행 하나는 토큰 하나의 한 헤드의 키 또는 값이며 $2바이트입니다: 원소 $3개가 행마다 $5개인 $4 텐서에 들어갑니다. 스케일은 층마다 키와 값에 float32 하나씩이고 그래프의 상수이므로, 그 $6바이트는 캐시에 들지 않습니다.',
  ],
  [
    /^No solver worker could be started \((.*)\); the regressions were solved in one thread, without ONNX Runtime\.$/,
    '회귀를 풀 워커를 시작하지 못해($1) ONNX Runtime 없이 스레드 하나에서 풀었습니다.',
  ],
  [
    /^The GPU’s keys and values were not compared with the WASM backend’s: the model’s files, (\d+) bytes, are too large to load twice\.$/,
    'GPU의 키와 값을 WASM 백엔드의 것과 비교하지 않았습니다. 모델 파일이 $1바이트여서 두 번 올리기에는 너무 큽니다.',
  ],
  [
    /^The GPU’s keys and values were not compared with the WASM backend’s, which could not run the model: (.*)$/,
    'WASM 백엔드가 이 모델을 돌리지 못해 GPU의 키와 값을 그것과 비교하지 않았습니다: $1',
  ],
];

/** A record's note in the page's language; null where it is not one of the page's own sentences, and stays English. */
export function noteInLanguage(lang: Lang, note: string): string | null {
  if (lang === 'en') return null;
  for (const [english, korean] of KOREAN) {
    const found = english.exec(note);
    if (found === null) continue;
    const group = (index: string): string => found[Number(index)] ?? '';
    return (
      korean
        // `{3: …}` is said only where group 3 is there.
        .replace(/\{(\d):([^}]*)\}/g, (_, index: string, text: string) => (group(index) === '' ? '' : text))
        .replace(/\$(\d)/g, (_, index: string) => group(index))
    );
  }
  return null;
}
