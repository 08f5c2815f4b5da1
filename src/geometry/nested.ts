/** Finds the text decoder in a config.json that nests it (multimodal models). */
import { isObject, type Config } from './fields';
import { GeometryError, showValue } from './geometry-error';

/** The part of a multimodal config that describes the text decoder; the config itself when nothing is nested. */
export function decoderPart(config: Config): Config {
  for (const name of ['text_config', 'llm_config', 'language_config', 'thinker_config']) {
    const part = config[name];
    if (part === undefined || part === null) continue;
    if (!isObject(part)) {
      throw new GeometryError('config-bad-field', {
        field: name,
        value: showValue(part),
        expected: 'a JSON object',
      });
    }
    return decoderPart(part);
  }
  return config;
}
