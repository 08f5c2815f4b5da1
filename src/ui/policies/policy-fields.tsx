/** The settings of one cache policy that is not `dynamic`: room, what happens past it, bits, tokens per block. */
import type { Policy } from '../../protocol/recipe';
import { useUi } from '../context';
import { OptionField } from '../option-field';

export function PolicyFields({ policy }: { policy: Policy }) {
  const { tr } = useUi<'policies'>();
  if (policy === 'quantised') return <OptionField name="bits" help={tr('setting.bits.help')} />;
  return (
    <>
      {policy === 'paged' && <OptionField name="block" help={tr('setting.block.help')} />}
      <OptionField name="room" help={tr('setting.room.help')} />
      <OptionField name="overflow" help={tr('setting.overflow.help')} />
    </>
  );
}
