/** Which models have random weights: the page's own and every cache twin. Pure. */

export function hasRandomWeights(id: string): boolean {
  return id === 'tiny' || /^(twin|latent|mha|config):/.test(id);
}
