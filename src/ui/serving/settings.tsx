/** The settings that only the serving experiment has. */
import { useUi } from '../context';
import { OptionField } from '../option-field';

export function ServingSettings() {
  const { tr } = useUi<'serving'>();
  return <OptionField name="block" help={tr('serving.block.help')} />;
}
