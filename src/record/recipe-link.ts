/** Recipe links: the settings as readable query parameters, safe inside Markdown. */
import { recipeQuery } from '../protocol/options';
import type { Recipe } from '../protocol/recipe';

/** Characters that a query may carry as they are and that read better so. */
const READABLE: Readonly<Record<string, string>> = { '%2C': ',', '%3A': ':', '%2F': '/', '%40': '@' };

const percentEncode = (character: string): string =>
  // encodeURIComponent leaves ( ) * ' alone, which end or bend a Markdown link.
  /[()*']/.test(character)
    ? `%${character.charCodeAt(0).toString(16).toUpperCase()}`
    : encodeURIComponent(character);

/** A URL as text that Markdown, chat programs and HTML attributes leave in one piece: ( ) < > * quotes, blanks percent-encoded. */
export function linkSafe(url: string): string {
  return url.replace(/[()<>*'"`\\\s|]/g, percentEncode);
}

/**
 * The link that opens the page with a recipe.
 * @param base the page's address; its own query and hash are left out.
 */
export function recipeLink(base: string, recipe: Recipe): string {
  const page = linkSafe(base.replace(/[?#].*$/s, ''));
  const query = recipeQuery(recipe)
    .toString()
    .replace(/%(2C|3A|2F|40)/g, (code) => READABLE[code] ?? code);
  return query === '' ? page : `${page}?${linkSafe(query)}`;
}
