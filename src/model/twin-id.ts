/** Ids of twins that are not in the first paint's catalog: what they are of, whether latents stay, and how many layers. */

/** A twin's id, taken apart. */
export interface TwinId {
  /** `owner/name` of the catalogue, or `config:<name>` of a pasted one. */
  base: string;
  /** Whether latents stay compressed. */
  latent: boolean;
  /** The layers to measure; null for all that the device takes. */
  layers: number | null;
}

const TWIN = /^(twin|latent):([\w.-]+\/[\w.-]+|config:[\w.-]+)(?::layers=([1-9]\d{0,3}))?$/;
const PASTED = /^(config:[\w.-]+)(?::layers=([1-9]\d{0,3}))?$/;

/** Null for an id of another kind. */
export function readTwinId(id: string): TwinId | null {
  const [, prefix, base, layers] = TWIN.exec(id) ?? [];
  if (base !== undefined)
    return { base, latent: prefix === 'latent', layers: layers ? Number(layers) : null };
  const [, pasted, count] = PASTED.exec(id) ?? [];
  return pasted === undefined ? null : { base: pasted, latent: false, layers: count ? Number(count) : null };
}

/** The id of a twin of some layers. */
export function twinIdWith({ base, latent }: TwinId, layers: number | null): string {
  const prefix = latent ? 'latent:' : base.startsWith('config:') ? '' : 'twin:';
  return `${prefix}${base}${layers === null ? '' : `:layers=${layers}`}`;
}

/** `config:<model type>-<8 hexadecimal digits>`: the same fields and values in the same order give the same id. */
export function configId(config: unknown): string {
  const text = JSON.stringify(config);
  const type = typeOf(config)
    .replace(/[^\w.-]/g, '_')
    .replace(/\.\.+/g, '.')
    .slice(0, 40);
  return `config:${type}-${hash(text).toString(16).padStart(8, '0')}`;
}

function typeOf(config: unknown): string {
  const type = (config as { model_type?: unknown } | null)?.model_type;
  return typeof type === 'string' && type !== '' ? type : 'model';
}

/** FNV-1a, 32 bits, over UTF-16 units: tells two pasted configs of one page apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
