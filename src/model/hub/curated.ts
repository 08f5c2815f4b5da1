/** Public repositories with ONNX files, to choose from. Sizes, variants and commits are asked of the hub when one is chosen. */
import type { Lang } from '../../protocol/recipe';

export interface CuratedModel {
  /** `owner/name` on the hub. */
  id: string;
  name: string;
  /** model_type of its config.json. */
  family: string;
  remark: Record<Lang, string>;
}

const MODELS: readonly CuratedModel[] = [
  model('onnx-community/Qwen2.5-0.5B-Instruct', 'Qwen2.5 0.5B', 'qwen2', [
    'the article’s first model; 2 KV heads for 14 query heads',
    '글의 첫 번째 모델, 쿼리 헤드 14개에 KV 헤드 2개',
  ]),
  model('HuggingFaceTB/SmolLM2-135M-Instruct', 'SmolLM2 135M', 'llama', [
    'the article’s second model; small enough for a phone',
    '글의 두 번째 모델, 휴대전화에서도 될 만큼 작음',
  ]),
  model('onnx-community/gpt2-ONNX', 'GPT-2', 'gpt2', [
    'the article’s third model; as many KV heads as query heads, at most 1,024 tokens',
    '글의 세 번째 모델, KV 헤드가 쿼리 헤드만큼 있고 최대 1,024토큰',
  ]),
  model('HuggingFaceTB/SmolLM2-360M-Instruct', 'SmolLM2 360M', 'llama', [
    'the same family, one size up',
    '같은 계열에서 한 단계 큰 모델',
  ]),
  model('onnx-community/Qwen3-0.6B-ONNX', 'Qwen3 0.6B', 'qwen3', [
    'head dim 128, not hidden size / heads',
    'head dim이 은닉 크기/헤드 수가 아닌 128',
  ]),
  model('onnx-community/Qwen3-1.7B-ONNX', 'Qwen3 1.7B', 'qwen3', [
    'the same cache per token as Qwen3 0.6B, more weights',
    '토큰당 캐시는 Qwen3 0.6B와 같고 가중치만 큼',
  ]),
  model('onnx-community/Qwen3.5-0.8B-ONNX', 'Qwen3.5 0.8B', 'qwen3_5', [
    'three of four layers keep a state of fixed size instead of keys and values; text part of a multimodal model',
    '네 층 중 셋은 키·값 대신 고정 크기 상태를 둠, 멀티모달 모델의 텍스트 부분',
  ]),
  model('onnx-community/gemma-3-270m-it-ONNX', 'Gemma 3 270M', 'gemma3_text', [
    'most layers slide in the model; the graph keeps every token',
    '모델에서는 대부분의 층이 슬라이딩이지만 그래프는 모든 토큰을 보관',
  ]),
  model('onnx-community/gemma-3-1b-it-ONNX', 'Gemma 3 1B', 'gemma3_text', [
    'one KV head of 256',
    'head dim 256인 KV 헤드 1개',
  ]),
  model('onnx-community/Llama-3.2-1B-Instruct-ONNX', 'Llama 3.2 1B', 'llama', [
    '8 KV heads for 32 query heads',
    '쿼리 헤드 32개에 KV 헤드 8개',
  ]),
  model('onnx-community/LFM2-350M-ONNX', 'LFM2 350M', 'lfm2', [
    'mostly short convolutions: few layers have keys and values',
    '대부분 짧은 합성곱 층, 키·값이 있는 층은 적음',
  ]),
  model('onnx-community/LFM2-1.2B-ONNX', 'LFM2 1.2B', 'lfm2', [
    'the same layout as LFM2 350M, wider',
    'LFM2 350M과 같은 구조, 더 넓음',
  ]),
  model('HuggingFaceTB/SmolLM3-3B-ONNX', 'SmolLM3 3B', 'smollm3', [
    'large: choose q4f16, and a GPU',
    '큰 모델: q4f16과 GPU를 권함',
  ]),
  model('onnx-community/granite-4.0-350m-ONNX-web', 'Granite 4.0 350M', 'granitemoehybrid', [
    'of a hybrid family; this size has attention only',
    '하이브리드 계열이지만 이 크기는 어텐션만 있음',
  ]),
  model('onnx-community/granite-4.0-micro-ONNX-web', 'Granite 4.0 Micro', 'granitemoehybrid', [
    'large: choose q4f16, and a GPU',
    '큰 모델: q4f16과 GPU를 권함',
  ]),
  model('onnx-community/Falcon-H1-Tiny-90M-Instruct-ONNX', 'Falcon-H1 Tiny 90M', 'falcon_h1', [
    'attention and a Mamba state side by side in every layer',
    '모든 층에 어텐션과 Mamba 상태가 나란히 있음',
  ]),
  model('onnx-community/DeepSeek-R1-Distill-Qwen-1.5B-ONNX', 'DeepSeek R1 Distill 1.5B', 'qwen2', [
    'a Qwen2.5 1.5B that reasons at length',
    '길게 추론하는 Qwen2.5 1.5B',
  ]),
];

/** All curated models whose id, name, family or remark has every word of the text; all of them for an empty text. */
export function searchCurated(text: string): CuratedModel[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return MODELS.filter(({ id, name, family, remark }) => {
    const all = [id, name, family, ...Object.values(remark)].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

function model(id: string, name: string, family: string, [en, ko]: [string, string]): CuratedModel {
  return { id, name, family, remark: { en, ko } };
}
