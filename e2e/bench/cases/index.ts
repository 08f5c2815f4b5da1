/** All cases of the bench, in the order in which they run. A new one is one file here and one line below. */
import { ledgerCase } from './ledger';
import { redundancyCase } from './redundancy';
import type { BenchCase } from '../types';

export const CASES: readonly BenchCase[] = [redundancyCase, ledgerCase];
