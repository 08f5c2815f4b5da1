/** The texts of parts of the page that are loaded later: one English and one Korean file a part. */
import type { Lang } from '../protocol/recipe';

/** English decides which keys a part has; i18n.test.ts says that Korean has the same. */
export const PARTS = {
  report: {
    en: async () => (await import('./en-report')).enReport,
    ko: async () => (await import('./ko-report')).koReport,
  },
  history: {
    en: async () => (await import('./en-history')).enHistory,
    ko: async () => (await import('./ko-history')).koHistory,
  },
  architecture: {
    en: async () => (await import('./en-architecture')).enArchitecture,
    ko: async () => (await import('./ko-architecture')).koArchitecture,
  },
  input: {
    en: async () => (await import('./en-input')).enInput,
    ko: async () => (await import('./ko-input')).koInput,
  },
  capacity: {
    en: async () => (await import('./en-capacity')).enCapacity,
    ko: async () => (await import('./ko-capacity')).koCapacity,
  },
  redundancy: {
    en: async () => (await import('./en-redundancy')).enRedundancy,
    ko: async () => (await import('./ko-redundancy')).koRedundancy,
  },
  policies: {
    en: async () => (await import('./en-policies')).enPolicies,
    ko: async () => (await import('./ko-policies')).koPolicies,
  },
  serving: {
    en: async () => (await import('./en-serving')).enServing,
    ko: async () => (await import('./ko-serving')).koServing,
  },
} satisfies Record<string, Record<Lang, () => Promise<Readonly<Record<string, string>>>>>;

export type Part = keyof typeof PARTS;

/** The keys of a part's texts. */
export type PartKey<P extends Part> = P extends Part
  ? keyof Awaited<ReturnType<(typeof PARTS)[P]['en']>>
  : never;
