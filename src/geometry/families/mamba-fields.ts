/** Reads the `mamba_*` fields that Bamba, Granite 4, Falcon-H1, Hymba, Jamba and Zamba share. */
import type { Mamba1Shape, Mamba2Shape } from '../layers/mamba';
import type { ConfigReader } from '../reader';

/** Mamba 1: inner = mamba_expand x hidden size. Class defaults of transformers 5.18 configuration_jamba.py and configuration_zamba.py. */
export function readMamba1Fields(reader: ConfigReader, hiddenSize: number): Mamba1Shape {
  return {
    inner: reader.countOr('mamba_expand', 2) * hiddenSize,
    stateSize: reader.countOr('mamba_d_state', 16),
    kernel: reader.countOr('mamba_d_conv', 4),
  };
}

/** Zamba 2's first configs write state_size and mamba_headdim. */
const STATE_SIZE = { names: ['mamba_d_state', 'state_size'], max: 65_536 } as const;
const HEAD_DIM = { names: ['mamba_d_head', 'mamba_headdim'], max: 65_536 } as const;

/** The fields' names and the class's values where they are left out. */
export interface Mamba2Fields {
  heads: { name: string; classDefault: number };
  groups: { name: string; classDefault: number };
  stateSize: number;
  /** `mamba_d_ssm` where the class has that field. */
  inner?: number;
}

/** Bamba, Granite 4 and Falcon-H1 (transformers 5.18 configuration_bamba.py, _granitemoehybrid.py, _falcon_h1.py). */
export const MAMBA2_FIELDS: Mamba2Fields = {
  heads: { name: 'mamba_n_heads', classDefault: 128 },
  groups: { name: 'mamba_n_groups', classDefault: 1 },
  stateSize: 256,
};

/**
 * Mamba 2: inner is `mamba_d_ssm` where the config has it, else mamba_expand x hidden size; the head dim `mamba_d_head`, which
 * may be "auto" for inner / heads.
 * @throws GeometryError when heads x head dim is not inner.
 */
export function readMamba2Fields(
  reader: ConfigReader,
  hiddenSize: number,
  fields: Mamba2Fields,
): Mamba2Shape {
  const inner = readInner(reader, hiddenSize, fields);
  const auto = reader.config['mamba_d_head'] === 'auto';
  const given = auto ? null : reader.count(HEAD_DIM);
  const heads =
    reader.count(fields.heads.name) ??
    (given === null ? reader.assume(fields.heads.name, fields.heads.classDefault) : inner / given);
  const headDim = given ?? inner / heads;
  if (heads * headDim !== inner || !Number.isInteger(headDim) || !Number.isInteger(heads)) {
    throw reader.bad(fields.heads.name, `${inner} channels of the state-space layer to be divided by it`);
  }
  return {
    inner,
    heads,
    headDim,
    groups: reader.countOr(fields.groups.name, fields.groups.classDefault),
    stateSize: reader.countOr(STATE_SIZE, fields.stateSize),
    kernel: reader.countOr('mamba_d_conv', 4),
  };
}

/** A `mamba_d_ssm` of null on purpose asks for mamba_expand x hidden size; a missing one has the class's value. */
function readInner(reader: ConfigReader, hiddenSize: number, fields: Mamba2Fields): number {
  const given = reader.count('mamba_d_ssm');
  if (given !== null) return given;
  const missing = reader.config['mamba_d_ssm'] === undefined;
  if (missing && fields.inner !== undefined) return reader.assume('mamba_d_ssm', fields.inner);
  return reader.countOr('mamba_expand', 2) * hiddenSize;
}
