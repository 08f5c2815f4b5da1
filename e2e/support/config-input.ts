/** The section of any model's config.json, as a person uses it: typed or pasted, and what it says. */
import type { Locator, Page } from '@playwright/test';
import type { LabPage } from './lab-page';

/** Llama-3.1-8B: 32 layers x 8 KV heads x (128 + 128) x 2 bytes = 131,072 bytes a token. */
export const LLAMA = {
  model_type: 'llama',
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  hidden_size: 4096,
};

/** Gemma-3-1b (golden/architectures.json): 26,624 bytes a token, 4,096 past the windows, 145,752,064 at 32,768 tokens. */
export const GEMMA = {
  model_type: 'gemma3_text',
  num_hidden_layers: 26,
  num_attention_heads: 4,
  num_key_value_heads: 1,
  head_dim: 256,
  sliding_window: 512,
  sliding_window_pattern: 6,
  hidden_size: 1152,
};

/** The sentence that says what the config comes to. */
export function says(page: Page): Locator {
  return page.getByTestId('architecture-says');
}

export async function compute(lab: LabPage, text: string): Promise<void> {
  await lab.part('config-input').fill(text);
  await lab.page.getByRole('button', { name: 'Compute' }).click();
}

/** Pastes as a person does: the numbers come without Compute. */
export async function paste(lab: LabPage, text: string): Promise<void> {
  await lab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await lab.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await lab.part('config-input').focus();
  await lab.page.keyboard.press('Control+V');
}
