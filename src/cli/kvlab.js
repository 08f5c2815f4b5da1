#!/usr/bin/env node
/** The bin `kvlab`: runs the TypeScript beside it through tsx, so that it works right after `npm ci`, without a build. */
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./main.ts');
await main();
