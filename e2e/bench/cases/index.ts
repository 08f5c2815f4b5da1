/** All cases of the bench, in the order in which they run. A new one is one file here and one line below. */
import { buildsCase } from './builds';
import { coldCase } from './cold';
import { costCase } from './cost';
import { decodeCase } from './decode';
import { ledgerCase } from './ledger';
import { prefillCase } from './prefill';
import { redundancyCase } from './redundancy';
import type { BenchCase } from '../types';

export const CASES: readonly BenchCase[] = [
  redundancyCase,
  ledgerCase,
  decodeCase,
  prefillCase,
  coldCase,
  buildsCase,
  costCase,
];
