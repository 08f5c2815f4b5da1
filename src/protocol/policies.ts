/** The experiment `policies`: which cache policies and allocator modes are put beside each other, and what follows. */
import type { Allocator, Device, Policy } from './recipe';

/** Own part of the recipe. */
export interface PoliciesState {
  /** At least one. */
  policies: Policy[];
  /** ONNX Runtime's allocator modes, at least one; on WASM, which has none, the first stands for all. */
  allocators: Allocator[];
}

export function defaultPolicies(): PoliciesState {
  return {
    policies: ['dynamic', 'static', 'quantised', 'paged'],
    allocators: ['bucket', 'simple', 'lazyRelease', 'disabled'],
  };
}

/** What was asked of the installed ONNX Runtime by trying it, beside the policies themselves. */
export const PROBE_NAMES = ['graph-capture', 'paged-attention'] as const;
export type ProbeName = (typeof PROBE_NAMES)[number];

/** One attempt, made on the device at hand. */
export interface Probe {
  name: ProbeName;
  backend: Device;
  /** `works` only where it was proven to be on and gave the same logits; `wrong` where it ran and gave others. */
  outcome: 'works' | 'refused' | 'ignored' | 'wrong';
  /** What was seen, or ONNX Runtime's message. English. */
  detail: string;
}

/** How one policy under one allocator mode does with the bytes that all are compared at. */
export interface PolicyHold {
  policy: Policy;
  allocator: Allocator;
  /** The most tokens per sequence that were measured within the budget; 0 where even the first context took more. */
  tokens: number;
  /** Peak device bytes at that many tokens; null where none fit. */
  peakBytes: number | null;
}

/**
 * The policy and mode that hold the most tokens, from measured peaks alone: the budget is the smallest peak at the longest context
 * that any of them was measured at.
 */
export interface Recommendation {
  /** Device bytes. */
  budgetBytes: number;
  /** By tokens, most first; equal ones by peak bytes, fewest first. */
  holds: PolicyHold[];
}

export interface PoliciesResult {
  probes: Probe[];
  /** Null where nothing was measured that can be compared, for instance on WASM. */
  recommendation: Recommendation | null;
}
