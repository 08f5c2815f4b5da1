/** Korean texts of the experiment serving. */
import type { enServing } from './en-serving';

export const koServing: Record<keyof typeof enServing, string> = {
  'serving.block.help': 'paged 풀의 블록 하나에 드는 토큰 수.',
  'serving.how': '요청의 길이와 도착은 시뮬레이션이고, 풀은 실제로 있는 버퍼입니다.',
};
