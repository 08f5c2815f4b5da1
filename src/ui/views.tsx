/** The views as links: each experiment, and the calculator further down on the page. */
import { recipeQuery } from '../protocol/options';
import { EXPERIMENTS, recipeOf } from '../protocol/recipe';
import { useUi } from './context';

export function Views() {
  const { tr, store, badFields } = useUi();
  const recipe = store.recipe.value;
  return (
    <nav class="views" aria-label={tr('nav.label')}>
      <ul>
        {EXPERIMENTS.map((experiment) => {
          const target = recipeOf(experiment, recipe);
          return (
            <li key={experiment}>
              <a
                href={`?${recipeQuery(target).toString()}`}
                aria-current={experiment === recipe.experiment ? 'page' : undefined}
                onClick={(event) => {
                  if (!isPlainClick(event)) return;
                  event.preventDefault();
                  badFields.value = new Map();
                  store.setRecipe(target);
                }}
              >
                {tr(`nav.${experiment}`)}
              </a>
            </li>
          );
        })}
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

/** Clicks with a modifier open a new tab or window; those are the browser's. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
