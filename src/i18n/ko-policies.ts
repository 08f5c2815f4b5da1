/** Korean texts of the experiment policies, and of the settings of cache policies. */
import type { enPolicies } from './en-policies';

export const koPolicies: Record<keyof typeof enPolicies, string> = {
  'setting.room.help':
    '처음에 버퍼를 시퀀스마다 몇 토큰 크기로 만들지 정합니다. 0이면 실행에 필요한 만큼입니다.',
  'setting.overflow.help': 'refuse: 더 받지 않습니다. move: 두 배 큰 버퍼로 캐시를 옮깁니다.',
  'setting.bits.help': '양자화한 원소 하나의 비트 수. 스케일은 따로 듭니다.',
  'setting.block.help':
    'paged 캐시의 블록 하나에 드는 토큰 수. 마지막 블록에서 비는 자리는 안에서 낭비됩니다.',
  'policies.policies': '캐시 정책',
  'policies.allocators': '할당자 모드',
  'policies.allocators.help':
    'ONNX Runtime의 storageBufferCacheMode. 모든 정책을 모든 모드로, 그때마다 모델을 새로 올려 돌립니다.',
  'policies.how':
    '모든 정책을 모든 할당자 모드로 차례로, 모델을 새로 올려 돌립니다. 프롬프트, 길이, 디코드 스텝 수는 같습니다.',
};
