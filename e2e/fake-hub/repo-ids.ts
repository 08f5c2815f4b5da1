/** The ready-made repositories by short name, with the commit of each. */

export const REPO_IDS = {
  qwenTwin: 'lab/qwen2.5-0.5b-twin',
  smollmTwin: 'lab/smollm2-135m-twin',
  tiny: 'lab/tiny',
  external: 'lab/external-data',
  noKeep: 'lab/no-logits-to-keep',
  hybrid: 'lab/hybrid',
  lyingConfig: 'lab/lying-config',
  gated: 'lab/gated',
  gatedForbidden: 'lab/gated-forbidden',
  noOnnx: 'lab/no-onnx',
  encoderDecoder: 'lab/encoder-decoder',
  huge: 'lab/huge',
} as const;

export type RepoName = keyof typeof REPO_IDS;

/** Made-up commits: 40 hexadecimal digits that a person can tell apart in a log. */
export const REPO_SHAS: Record<RepoName, string> = {
  qwenTwin: '0e01000000000000000000000000000000000a11',
  smollmTwin: '0e02000000000000000000000000000000000a22',
  tiny: '0e03000000000000000000000000000000000a33',
  external: '0e04000000000000000000000000000000000a44',
  noKeep: '0e05000000000000000000000000000000000a55',
  hybrid: '0e06000000000000000000000000000000000a66',
  lyingConfig: '0e07000000000000000000000000000000000a77',
  gated: '0e08000000000000000000000000000000000a88',
  gatedForbidden: '0e09000000000000000000000000000000000a99',
  noOnnx: '0e0a000000000000000000000000000000000aaa',
  encoderDecoder: '0e0b000000000000000000000000000000000abb',
  huge: '0e0c000000000000000000000000000000000acc',
};
