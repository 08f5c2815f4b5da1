/** The views as links: each experiment, and the calculator further down; below them the article's tables as links. */
import { useRef } from 'preact/hooks';
import { recipeQuery } from '../protocol/options';
import { PRESETS } from '../protocol/presets';
import { EXPERIMENTS, recipeOf, type Experiment, type Recipe } from '../protocol/recipe';
import { recipeLink } from '../record/recipe-link';
import { useUi } from './context';

export function Views() {
  const { tr, store } = useUi();
  const recipe = store.recipe.value;
  // What each view was set to in this visit, so that going elsewhere and back loses nothing.
  const visited = useRef(new Map<Experiment, Recipe>());
  visited.current.set(recipe.experiment, recipe);
  return (
    <nav class="views" aria-label={tr('nav.label')}>
      <ul>
        {EXPERIMENTS.map((experiment) => (
          <li key={experiment}>
            <RecipeLink
              recipe={backTo(experiment, recipe, visited.current.get(experiment))}
              current={experiment === recipe.experiment ? 'page' : undefined}
            >
              {tr(`nav.${experiment}`)}
            </RecipeLink>
          </li>
        ))}
        <li>
          <a
            href="#calculator"
            onClick={(event) => {
              // The hash belongs to the results of a link, so the jump is made by hand.
              event.preventDefault();
              document.getElementById('calculator')?.scrollIntoView();
              document.getElementById('config-input')?.focus({ preventScroll: true });
            }}
          >
            {tr('nav.calculator')}
          </a>
        </li>
      </ul>
    </nav>
  );
}

/** The first article's tables, one link each. */
export function Presets() {
  const { tr, store } = useUi();
  const recipe = store.recipe.value;
  const { lang, device } = recipe;
  const shown = recipeQuery(recipe).toString();
  return (
    <nav class="presets" aria-labelledby="presets-title">
      <span id="presets-title">{tr('presets.title')}</span>
      <ul>
        {PRESETS.map((preset) => {
          // A person who had to choose another backend keeps it.
          const target = { ...preset.recipe, lang, device };
          return (
            <li key={preset.key}>
              <RecipeLink
                recipe={target}
                current={recipeQuery(target).toString() === shown ? 'true' : undefined}
              >
                {tr(`preset.${preset.key}`)}
              </RecipeLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

interface LinkProps {
  recipe: Recipe;
  current: 'page' | 'true' | undefined;
  children: string;
}

/** A real link to a recipe; a plain click changes the page's recipe without loading the page anew. */
function RecipeLink({ recipe, current, children }: LinkProps) {
  const { store, badFields } = useUi();
  return (
    <a
      // `?` alone is the default recipe; an empty address would keep the present query.
      href={recipeLink('', recipe) || '?'}
      aria-current={current}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        badFields.value = new Map();
        store.setRecipe(recipe);
      }}
    >
      {children}
    </a>
  );
}

/** The recipe of a view: as it was left, with the backend, allocator and so on as they are now. */
function backTo(experiment: Experiment, now: Recipe, left: Recipe | undefined): Recipe {
  const fresh = recipeOf(experiment, now);
  if (left === undefined || experiment === now.experiment) return fresh;
  const { tokens, steps, prompt, dtype, batch, repeats, capacity, redundancy, policies, serving } = left;
  return {
    ...fresh,
    tokens,
    steps,
    prompt,
    dtype,
    batch,
    repeats,
    ...(capacity && { capacity }),
    ...(redundancy && { redundancy }),
    ...(policies && { policies }),
    ...(serving && { serving }),
  };
}

/** Clicks with a modifier open a new tab or window; those are the browser's. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
