/** Short ways to write config.json fields in tests of families. */

export type Fields = Record<string, unknown>;

/** A decoder with the usual names. */
export function model(
  type: string,
  layers: number,
  heads: number,
  kvHeads: number,
  hidden: number,
  more: Fields = {},
): Fields {
  const shape = { num_hidden_layers: layers, num_attention_heads: heads, num_key_value_heads: kvHeads };
  return { model_type: type, ...shape, hidden_size: hidden, ...more };
}

/** `times` full layers, each after `before` sliding ones. */
export function pattern(times: number, before: number): string[] {
  return Array.from({ length: times }, () => [
    ...Array.from({ length: before }, () => 'sliding_attention'),
    'full_attention',
  ]).flat();
}
