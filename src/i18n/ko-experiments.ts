/** Korean: the experiments after length and growth, and what belongs to their views. */
import type { enExperiments } from './en-experiments';

export const koExperiments: Record<keyof typeof enExperiments, string> = {
  'nav.dtype': '자료형',
  'nav.batch': '배치',
  'nav.gqa': 'KV 헤드',
  'nav.weights': '가중치와 캐시',
  'question.dtype': '자료형과 양자화된 가중치는 캐시를 어떻게 바꾸는가?',
  'question.batch': '캐시는 배치에 비례하는가, 그리고 프로세스 계량기로 그것이 보이는가?',
  'question.gqa': 'KV 헤드를 나눠 쓰면 얼마나 줄어드는가?',
  'question.weights': '캐시는 언제 가중치보다 커지는가?',
  'about.dtype':
    '자료형마다 캐시를 채우고 원소 형식을 그래프에서 읽습니다. float16은 어댑터가 되면 WebGPU에서, 아니면 WASM에서 돌고, 행에 적힙니다.',
  'about.batch':
    '배치 크기마다 캐시를 여러 번 채운 뒤 토큰 하나를 디코딩합니다. 텐서 옆에 브라우저가 보고하는 페이지 전체의 값을 둡니다.',
  'about.gqa': '모델과 그 반사실 모델(KV 헤드가 어텐션 헤드만큼 있는 같은 모델)을 나란히 측정합니다.',
  'about.weights':
    '실제 모델의 가중치 바이트와 캐시를 한 시퀀스의 토큰 수와 2,048토큰 요청 수로 견줍니다. 실행하면 선 위의 점을 측정합니다.',
  'choice.bf16': 'bfloat16 (2바이트)',
  'choice.q8': 'q8 가중치',
  'choice.q4': 'q4 가중치',
  'choice.q4f16': 'q4f16 가중치',
  'check.repeats-identical': '되풀이할 때마다 바이트가 같다',
  'check.padded-batch': '길이가 다른 프롬프트를 묶어도 로짓은 각자의 것이다',
  'check.merge-agrees': '합친 기록이 서로 맞는다',
  'run.status.asking': '내려받기에 대한 답을 기다리는 중입니다.',
  'run.status.downloading': '내려받는 중입니다.',
};
