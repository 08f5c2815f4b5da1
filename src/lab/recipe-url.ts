/** The page's address as the state: its query is the recipe, its hash the results to compare with. */
import type { Fault } from '../protocol/faults';
import { parseRecipe, recipeQuery } from '../protocol/options';
import { defaultRecipe, type Recipe } from '../protocol/recipe';
import { recipeLink } from '../record/recipe-link';
import { unknownModel } from './models';

/** What a link says. */
export interface RecipeUrl {
  /** With the defaults in place of what is wrong. */
  recipe: Recipe;
  /** While there are any, nothing runs by itself. */
  faults: Fault[];
  /** What was ignored. */
  notices: Fault[];
  /** The link asks for the run to start by itself. */
  run: boolean;
}

/** Reads the query of an address. Never throws. */
export function readRecipeUrl(url: string): RecipeUrl {
  const { searchParams } = new URL(url);
  const { recipe, faults, notices } = parseRecipe(searchParams);
  const unknown = unknownModel(recipe);
  return {
    recipe: unknown === null ? recipe : { ...recipe, model: defaultRecipe().model },
    faults: unknown === null ? faults : [...faults, unknown],
    notices,
    run: searchParams.get('run') === '1',
  };
}

/** The page's address with that recipe, its hash kept. */
export function withRecipe(url: string, recipe: Recipe): string {
  return recipeLink(url, recipe) + hashOf(url);
}

/** The hash with its `#`; empty when there is none. As written: nothing is decoded. */
export function hashOf(url: string): string {
  return /#.*$/s.exec(url)?.[0] ?? '';
}

/** Whether a hash only names a place on the page, such as a skip link's. */
export function isAnchor(hash: string): boolean {
  return /^#?[a-z][\w-]*$/i.test(hash);
}

/** Whether two recipes measure the same; the language does not count. */
export function sameRecipe(a: Recipe, b: Recipe): boolean {
  const query = (recipe: Recipe): string => recipeQuery({ ...recipe, lang: null }).toString();
  return query(a) === query(b);
}
