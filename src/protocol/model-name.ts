/** Model ids as people read them. */

/** Digits of a commit that tell it apart, as git shows them. */
const SHORT = 7;
const PINNED = /^[\w.-]+\/([\w.-]+)@([0-9a-f]{40})$/i;

/** `name@0123abc` for a hub id that is pinned to a commit, `owner/name@<40 hexadecimal digits>`; every other id as it is. */
export function shortModelName(id: string): string {
  const [, name, commit] = PINNED.exec(id) ?? [];
  return name === undefined || commit === undefined ? id : `${name}@${shortCommit(commit)}`;
}

/** The first seven digits of a commit; a branch, a tag or another word as it is. */
export function shortCommit(revision: string): string {
  return /^[0-9a-f]{40}$/i.test(revision) ? revision.slice(0, SHORT) : revision;
}

/** Whether a model is a cache twin by its id: of a real model, of a config that was pasted, of latents, or of a counterfactual. */
export function isTwinId(id: string): boolean {
  return /^(twin|mha|latent|config):/.test(id);
}

/** Whether a model is a twin that keeps multi-head latent attention compressed, which no transformers.js export does. */
export function isLatentId(id: string): boolean {
  return id.startsWith('latent:');
}
