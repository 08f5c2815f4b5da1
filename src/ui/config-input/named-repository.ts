/** The repository that a text names, when it is an id or an address and no config. Pure. */
import { readTypedId } from '../hub/typed-id';

/** A repository on GitHub, or a file of one; models have the same owner and name on the hub as a rule. */
const GITHUB =
  /^(?:https?:\/\/)?(?:www\.)?(?:github\.com|raw\.githubusercontent\.com)\/([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:[/?#]\S*)?$/;

/** `owner/name[@revision]`; null when the text names none. */
export function namedRepository(text: string, host: string): string | null {
  const typed = text.trim();
  const [, owner, name] = GITHUB.exec(typed) ?? [];
  if (owner !== undefined && name !== undefined) return readTypedId(`${owner}/${name}`, host);
  const address = /^(?:www\.)?(?:huggingface\.co|hf\.co)\//.test(typed) ? `https://${typed}` : typed;
  return readTypedId(
    address.replace(/^(?:http:\/\/|https:\/\/www\.)/, 'https://').replace('//hf.co/', '//huggingface.co/'),
    host,
  );
}
